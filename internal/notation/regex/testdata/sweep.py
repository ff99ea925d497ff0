# Answers a sweep, whose questions come a line each, text in hexadecimal.
#   V                          prints the versions of the engine and of its Unicode
#   C POINT ...                sets the candidates of L
#   E EXPRESSION               prints the ranges of code points in which the expression matches, or "error"
#   S EXPRESSION LO HI         prints which of the candidates and these code points match
#   L BEFORE AFTER LO HI       puts each code point between BEFORE and AFTER, and prints those for which the candidates that match
#                              are others than it alone, each with these; then "."
import re, sys, unicodedata, warnings
warnings.simplefilter("ignore")
points = [c for c in range(0x110000) if not 0xd800 <= c < 0xe000]
everything = "".join(map(chr, points))

def literal(c):
    if c < 2:
        return "\\x%02x" % c
    return ("\\" if chr(c) in "^$\\.*+?()[]{}|/" else "") + chr(c)

for line in sys.stdin:
    f = line.split(" ")
    text = lambda i: bytes.fromhex(f[i].strip()).decode()
    if f[0].strip() == "V":
        print("%d.%d" % sys.version_info[:2], unicodedata.unidata_version)
    elif f[0] == "C":
        candidates = "".join(chr(int(c, 16)) for c in f[1:])
    elif f[0] == "E":
        try:
            r = re.compile(text(1))
        except re.error:
            print("error")
            continue
        print(" ".join("%x-%x" % (ord(m.group()[0]), ord(m.group()[-1])) for m in r.finditer(everything)))
    elif f[0] == "S":
        try:
            r = re.compile(text(1))
        except re.error:
            print("error")
            continue
        batch = "".join(chr(c) for c in range(int(f[2], 16), int(f[3], 16) + 1) if not 0xd800 <= c < 0xe000)
        print(" ".join("%x-%x" % (ord(m), ord(m)) for m in sorted(set(r.findall(candidates + batch)))))
    else:
        before, after = text(1), text(2)
        for c in range(int(f[3], 16), int(f[4], 16) + 1):
            if 0xd800 <= c < 0xe000:
                continue
            try:
                r = re.compile(before + literal(c) + after)
            except re.error:
                print("%x error" % c)
                continue
            found = set(r.findall(candidates + chr(c)))
            if found != {chr(c)}:
                print("%x" % c, *("%x" % ord(m) for m in sorted(found)))
            re.purge() if c % 256 == 0 else None
        print(".")
    sys.stdout.flush()
