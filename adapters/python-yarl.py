# Python's yarl (Debian: python3-yarl). Run: python3 python-yarl.py
from yarl import URL

from protocol import serve


def parse(text):
    u = URL(text)  # raises ValueError, as does port
    return {
        "scheme": u.scheme or None,
        "user": u.raw_user,
        "password": u.raw_password,
        "host": u.raw_host,
        "port": None if u.explicit_port is None else str(u.explicit_port),
        "path": u.raw_path,
        "query": u.raw_query_string or None,
        "fragment": u.raw_fragment or None,
    }


serve(parse)
