#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Opens a file in a language server, as an editor does, and prints what it says.
"""usage: lsp-session.py SERVER FILE [LINE:COLUMN]

Prints the diagnostics of FILE, one a line, and the hover text at LINE:COLUMN; both
count from 1, as diagnostics of the tools do. The exit code is the server's.
"""
import json
import pathlib
import re
import subprocess
import sys


def frame(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def read_messages(text):
    while text:
        header, _, rest = text.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", header).group(1))
        yield json.loads(rest[:length])
        text = rest[length:]


def main():
    server, file = sys.argv[1:3]
    document = {"uri": "test:///input.mlir"}
    opened = {"languageId": "mlir", "version": 1, "text": pathlib.Path(file).read_text()}
    session = [
        frame(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}}),
        frame(method="textDocument/didOpen", params={"textDocument": {**document, **opened}}),
    ]
    if len(sys.argv) > 3:
        line, column = (int(number) - 1 for number in sys.argv[3].split(":"))
        position = {"line": line, "character": column}
        session.append(
            frame(id=1, method="textDocument/hover", params={"textDocument": document, "position": position})
        )
    session += [frame(id=2, method="shutdown"), frame(method="exit")]
    run = subprocess.run([server, "--log=error"], input=b"".join(session), stdout=subprocess.PIPE, check=False)
    for message in read_messages(run.stdout):
        if message.get("method") == "textDocument/publishDiagnostics":
            for found in message["params"]["diagnostics"]:
                start = found["range"]["start"]
                print(f"{start['line'] + 1}:{start['character'] + 1}: {found['message']}")
            print("end of diagnostics")
        if message.get("id") == 1:
            print(message["result"]["contents"]["value"] if message["result"] else "no hover")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
