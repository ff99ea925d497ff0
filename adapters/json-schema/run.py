"""Asks jsonschema what run.mjs asks its validators, and prints the same."""
import importlib.metadata
import json
import sys

import jsonschema

checker = jsonschema.draft202012_format_checker
results = []
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as f:
        group = json.load(f)[0]
    format = group["schema"]["format"]
    if format not in checker.checkers:
        continue
    validator = jsonschema.Draft202012Validator(group["schema"], format_checker=checker)
    result = {"validator": "jsonschema", "version": importlib.metadata.version("jsonschema"), "format": format,
              "tests": len(group["tests"]), "more": [], "less": [], "threw": []}
    for test in group["tests"]:
        try:
            ok = validator.is_valid(test["data"])
        except Exception:
            result["threw"].append(test["data"])
            continue
        if ok != test["valid"]:
            result["more" if ok else "less"].append(test["data"])
    results.append(result)
print(json.dumps(results))
