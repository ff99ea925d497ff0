# Reads {text, names, words} and writes for each word null or the spans of the groups, in bytes.
import json, re, sys
q = json.load(sys.stdin)
r = re.compile(q['text'])
def answer(word):
    s = bytes.fromhex(word).decode()
    m = r.search(s)
    return m and [None if m.start(n) < 0 else [len(s[:i].encode()) for i in m.span(n)] for n in q['names']]
print(json.dumps([answer(w) for w in q['words']]))
