# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command as a user who is not root; prints what it says on stderr.
import os
import subprocess
import sys


def drop():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


result = subprocess.run(sys.argv[1:], preexec_fn=drop, stderr=subprocess.PIPE, text=True)
sys.stdout.write(result.stderr)
sys.exit(0 if result.returncode == 2 else 1)
