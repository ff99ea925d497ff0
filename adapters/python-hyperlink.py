# Python's hyperlink (Debian: python3-hyperlink). Run: python3 python-hyperlink.py
# Its URL has a path in segments, and a query in pairs; to_text puts them together again.
import hyperlink

from protocol import serve


def parse(text):
    u = hyperlink.URL.from_text(text)  # raises URLParseError, a ValueError
    return {
        "scheme": u.scheme or None,
        "userinfo": u.userinfo or None,
        "host": u.host or None,
        "port": None if u.port is None else str(u.port),
        "path": ("/" if u.rooted else "") + "/".join(u.path),
        "query": "&".join(k if v is None else k + "=" + v for k, v in u.query) or None,
        "fragment": u.fragment or None,
    }


serve(parse)
