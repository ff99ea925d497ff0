"""The protocol of docs/adapter-protocol.md for adapters in Python."""
import json
import sys


def serve(parse, rejects=ValueError):
    """Answer with the components that parse returns of a text, or with what it raises where its parser rejects it."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "input" not in request:
            answer = {"accepted": None, "error": "bytes that are not UTF-8 are not a string here"}
        else:
            try:
                answer = {"accepted": True, "components": parse(request["input"])}
            except rejects as e:
                answer = {"accepted": False, "error": str(e)}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
