# Python's urllib.parse.urlsplit. Run: python3 python-urllib.py
from urllib.parse import urlsplit

from protocol import serve


def parse(text):
    u = urlsplit(text)  # raises ValueError, as do hostname and port
    return {
        "scheme": u.scheme or None,
        "user": u.username,
        "password": u.password,
        "host": u.hostname,
        "port": None if u.port is None else str(u.port),
        "path": u.path,
        "query": u.query or None,
        "fragment": u.fragment or None,
    }


serve(parse)
