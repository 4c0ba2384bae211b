#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Adds up the results of gtest, lit and other checks: names failures and skips.
"""usage: count-tests.py DIRECTORY

The directory holds what scripts/test leaves there: NAME.xml of each gtest
binary, lit.json, and checks.tsv (code, name, reason).
"""
import json
import pathlib
import sys
from xml.etree import ElementTree

LIT_PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
LIT_LEFT_OUT = {"EXCLUDED"}


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def read_gtest(path):
    """Yields (code, name, reason) of each test of one gtest binary."""
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        for test in suite.iter("testcase"):
            name = f"{path.stem} :: {suite.get('name')}.{test.get('name')}"
            skipped = test.find("skipped")
            if test.find("failure") is not None:
                yield "FAIL", name, ""
            elif test.get("status") == "notrun":
                # Disabled by name, or left out by the filter.
                if test.get("name").startswith("DISABLED_"):
                    yield "SKIP", name, "disabled"
            elif skipped is not None:
                yield "SKIP", name, last_line(skipped.text or skipped.get("message", ""))
            else:
                yield "PASS", name, ""


def read_lit(path):
    for test in json.loads(path.read_text())["tests"]:
        code, name = test["code"], test["name"]
        if code in LIT_PASSED:
            yield "PASS", name, ""
        elif code == "UNSUPPORTED" or code == "SKIPPED":
            why = last_line(test.get("output", ""))
            why = why.replace("Test requires the following unavailable features: ", "needs ")
            yield "SKIP", name, why.replace("needs cuda", "needs cuda (scripts/test --gpu)")
        elif code not in LIT_LEFT_OUT:
            yield "FAIL", name, code.lower()


def read_checks(path):
    for line in path.read_text().splitlines():
        yield tuple(line.split("\t", 2))


def read_all(directory):
    for path in sorted(directory.glob("*.xml")):
        yield from read_gtest(path)
    lit = directory / "lit.json"
    if lit.exists():
        yield from read_lit(lit)
    checks = directory / "checks.tsv"
    if checks.exists():
        yield from read_checks(checks)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results = list(read_all(pathlib.Path(sys.argv[1])))
    count = {code: 0 for code in ("PASS", "FAIL", "SKIP")}
    for code, _, _ in results:
        count[code] += 1
    for code, title in (("SKIP", "Skipped"), ("FAIL", "Failed")):
        if count[code]:
            print(f"{title}:")
            for found, name, why in results:
                if found == code:
                    print(f"  {name}" + (f"  ({why})" if why else ""))
    line = f"{count['PASS']} passed, {count['FAIL']} failed"
    print(line + (f", {count['SKIP']} skipped" if count["SKIP"] else ""))
    return 1 if count["FAIL"] or not count["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
