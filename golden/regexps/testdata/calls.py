# Reads [{value, call, words}] and writes for each {expression, answers}. The first argument is the folder of the modules.
import json, sys
sys.path.insert(0, sys.argv[1] + '/usr/lib/python3/dist-packages')
out = []
for q in json.load(sys.stdin):
    a = {'expression': '', 'answers': []}
    try:
        import rfc3987
        if q.get('value'):
            a['expression'] = eval(q['value']).pattern
        if q.get('call'):
            a['answers'] = [bool(eval(q['call'])(w)) for w in q['words']]
    except Exception as e:
        a['error'] = str(e)
    out.append(a)
print(json.dumps(out))
