# Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
# With the argument "literal" an expression is the source text of a string that holds it.
import json, re, sys, warnings
warnings.simplefilter("ignore")
asked = json.load(sys.stdin)
literal = sys.argv[1:] == ["literal"]
words = [bytes.fromhex(w) for w in asked["words"]]
for e in asked["expressions"]:
    try:
        r = re.compile(eval(e) if literal else e)
    except (re.error, OverflowError, RecursionError, SyntaxError, ValueError, NameError, TypeError):
        print("error")
        continue
    octets = isinstance(r.pattern, bytes)
    print("".join("01"[r.search(w if octets else w.decode()) is not None] for w in words))
