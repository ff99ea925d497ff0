# Python's urllib.parse.urlsplit. Run: python3 python-urllib.py
# The protocol is in docs/adapter-protocol.md.
import json
import sys
from urllib.parse import urlsplit


def parse(text):
    u = urlsplit(text)  # raises ValueError, as do hostname and port
    if not u.scheme:
        raise ValueError("no scheme")
    return {
        "scheme": u.scheme,
        "user": u.username,
        "password": u.password,
        "host": u.hostname,
        "port": None if u.port is None else str(u.port),
        "path": u.path,
        "search": u.query or None,
        "fragment": u.fragment or None,
    }


def answer(request):
    if "input" not in request:
        return {"accepted": None, "error": "bytes that are not ASCII are not decoded by urlsplit"}
    try:
        return {"accepted": True, "components": parse(request["input"])}
    except ValueError as e:
        return {"accepted": False, "error": str(e)}


for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
