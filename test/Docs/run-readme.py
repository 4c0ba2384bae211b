#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the commands of the README and compares what they print.
"""usage: run-readme.py [--update] SOURCE_DIR BUILD_DIR SCRATCH_DIR [README]

In the console blocks of the README, a line `$ command` is run in a folder where
`build`, `examples`, `dialect`, `runtime` and `python` are the project's; the lines below it are what it
has to print, to both streams. A line `...` stands for any number of lines. Times,
the number of cores and the numbers of registers may differ. In its sh blocks, each
line has to name a script that exists; CI runs those themselves. --update writes
what is printed into the README.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^```\s*(\w*)\s*$")


def find_blocks(path, wanted):
    language = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            if language == wanted:
                lines.append((number, line))
        elif language is None:
            language, lines = fence.group(1), []
        else:
            if language == wanted:
                yield lines
            language = None


def find_commands(path):
    """Yields (line, command, line of the first output, output) of the console blocks."""
    for lines in find_blocks(path, "console"):
        command = None
        for number, line in lines:
            if line.startswith("$ "):
                if command:
                    yield command
                command = (number, line[2:], number + 1, [])
            elif command and command[1].endswith("\\"):
                command = (command[0], command[1][:-1] + line.strip(), number + 1, [])
            elif command:
                command[3].append(line)
        if command:
            yield command


def normalize(line):
    """A line without what differs from run to run and from machine to machine."""
    line = line.rstrip()
    if line.startswith("time "):
        return re.sub(r"[0-9][0-9.e+-]*", "#", line)
    line = re.sub(r"\bon \d+ cores?\b", "on # cores", line)
    return re.sub(r"%([a-z]+)\d+", r"%\1#", line)


def matches(expected, got):
    """Whether the lines agree, where `...` stands for any number of lines."""
    if not expected:
        return not got
    if expected[0] == "...":
        return any(matches(expected[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and expected[0] == got[0] and matches(expected[1:], got[1:])


def check_scripts(readme, root):
    """The number of lines in sh blocks that name no script."""
    problems = 0
    for lines in find_blocks(readme, "sh"):
        for number, line in lines:
            script = line.split("#")[0].split()
            if script and not os.access(root / script[0], os.X_OK):
                print(f"{readme}:{number}: error: expected a script, but got '{line}'")
                problems += 1
    return problems


def run(command, folder):
    # The text shows the simulator, whatever this machine has.
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder, text=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    update = "--update" in sys.argv[1:]
    if len(arguments) not in (3, 4):
        sys.exit(__doc__)
    root, build, scratch = (pathlib.Path(name).resolve() for name in arguments[:3])
    readme = pathlib.Path(arguments[3]) if len(arguments) == 4 else root / "README.md"
    scratch.mkdir(parents=True, exist_ok=True)
    folders = [(name, root / name) for name in ("examples", "dialect", "runtime", "python")]
    for name, target in [("build", build), *folders]:
        if not (scratch / name).is_symlink():
            (scratch / name).symlink_to(target)
    (scratch / "out").mkdir(exist_ok=True)

    problems = check_scripts(readme, root)
    commands = list(find_commands(readme))
    text = readme.read_text().splitlines()
    moved = 0  # lines by which an update has moved the rest
    for number, command, start, shown in commands:
        code, printed = run(command, scratch)
        want, got = ([normalize(line) for line in lines] for lines in (shown, printed))
        if matches(want, got):
            continue
        if update:
            first = start - 1 + moved
            text[first : first + len(shown)] = printed
            moved += len(printed) - len(shown)
            continue
        problems += 1
        print(f"{readme}:{number}: error: '{command}' (code {code}) prints something else")
        for line in difflib.unified_diff(want, got, "README", "now", lineterm=""):
            print("  " + line)
    if update:
        readme.write_text("\n".join(text) + "\n")
    print(f"{len(commands)} commands, {problems} problems")
    return 1 if problems or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
