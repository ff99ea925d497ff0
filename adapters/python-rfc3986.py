# Python's rfc3986 (Debian: python3-rfc3986). Run: python3 python-rfc3986.py
# uri_reference takes every string; accepted is what the package's own Validator takes for valid.
from rfc3986 import exceptions, uri_reference, validators

from protocol import serve

COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"]
validator = validators.Validator().check_validity_of(*COMPONENTS)


def parse(text):
    u = uri_reference(text)
    validator.validate(u)
    authority = u.authority_info()  # raises InvalidAuthority
    host = authority["host"]
    return {
        "scheme": u.scheme,
        "userinfo": authority["userinfo"],
        "host": host[1:-1] if host and host.startswith("[") else host,
        "port": authority["port"],
        "path": u.path or "",
        "query": u.query,
        "fragment": u.fragment,
    }


serve(parse, (exceptions.RFC3986Exception, ValueError))
