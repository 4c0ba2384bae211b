#!/usr/bin/env python3
"""read_json.py FILE EXPRESSION: whether the expression holds of the document r."""
import json
import sys

with open(sys.argv[1]) as file:
    r = json.load(file)
if not eval(sys.argv[2]):
    sys.exit("not so: %s\n%s" % (sys.argv[2], json.dumps(r, indent=2)))
