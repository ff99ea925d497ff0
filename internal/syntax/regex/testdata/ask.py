# Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
import json, re, sys, warnings
warnings.simplefilter("ignore")
asked = json.load(sys.stdin)
words = [bytes.fromhex(w).decode() for w in asked["words"]]
for e in asked["expressions"]:
    try:
        r = re.compile(e)
    except (re.error, OverflowError):
        print("error")
        continue
    print("".join("01"[r.search(w) is not None] for w in words))
