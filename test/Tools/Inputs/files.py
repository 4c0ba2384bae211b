#!/usr/bin/env python3
"""files.py EXAMPLES FOLDER: tries the tools' outputs where they cannot be written.

Each case says which tool, which sentence and which exit code; none may touch a
good file or leave another one behind."""
import os
import signal
import stat
import subprocess
import sys
import time

examples, folder = sys.argv[1:]
os.chdir(folder)
gemm = os.path.join(examples, "gemm_f64.mlir")
failures = []

# What each tool writes, with its output as the last argument.
outputs = {
    "npy": ["tile-run", gemm, "--device=sim", "--random=8,8,8", "--out"],
    "json": ["tile-run", gemm, "--device=sim", "--random=8,8,8", "--json="],
    "artifact": ["tile-run", gemm, "--device=sim", "--save-artifact"],
    "ptx": ["tile-translate", "--mlir-to-ptx", gemm, "-o"],
    "artifact 2": ["tile-translate", "--mlir-to-artifact", gemm, "-o"],
    "mlir": ["tile-opt", gemm, "-o"],
    "picture": ["tile-translate", "--layout-to-svg", "layout.mlir", "-o"],
}


def with_output(command, path):
    if command[-1].endswith("="):
        return command[:-1] + [command[-1] + path]
    return command + [path]


def run(command, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, **options)


def expect(what, condition, done=None):
    if not condition:
        failures.append(what + ("" if done is None else
            ": exit code %d, stderr %r" % (done.returncode, done.stderr)))


def fails(what, done, sentence):
    lines = [line for line in done.stderr.splitlines() if not line.startswith(" ")]
    expect(what, done.returncode == 2 and sentence in done.stderr and
           len(done.stderr.strip().splitlines()) == 1, done)


def files():
    return sorted(os.listdir("."))


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


write("layout.mlir", "#tile.layout<(8, 8) : (8, 1)>\n")
write("broken.mlir", "func.func @gemm(\n")
known = files()

for kind, command in outputs.items():
    # A new file, then over an old one, whose mode stays.
    done = run(with_output(command, "new"))
    expect(kind, done.returncode == 0 and os.path.getsize("new") > 0, done)
    good = read("new")
    os.chmod("new", 0o640)
    done = run(with_output(command, "new"))
    expect(kind + " again", done.returncode == 0, done)
    expect(kind + " keeps the mode",
           stat.S_IMODE(os.stat("new").st_mode) == 0o640)

    # A compilation that fails leaves the old file alone.
    broken = [part.replace(gemm, "broken.mlir").replace("layout.mlir",
                                                        "broken.mlir")
              for part in command]
    done = run(with_output(broken, "new"))
    if kind != "json":
        expect(kind + " of broken text", done.returncode == 2 and
               os.path.getsize("new") > 0 and
               len(read("new")) == len(good), done)

    good = read("new")

    # A full disk, a folder that is not there, one instead of a file.
    fails(kind + " on a full disk", run(with_output(command, "/dev/full")),
          "/dev/full: cannot be written: no space left on device")
    fails(kind + " in no folder", run(with_output(command, "none/x")),
          "none/x: cannot be written: no such file or directory")
    fails(kind + " over a folder", run(with_output(command, ".")),
          ".: cannot be written: is a directory")

    # A file bound that is reached halfway.
    def bounded():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = run(with_output(command, "new"), preexec_fn=bounded)
    fails(kind + " that grows too large", done, "new: cannot be written: file too large")
    expect(kind + " survives", len(read("new")) == len(good))

    # Standard output is closed: nothing of it ends in the file.
    done = run(with_output(command, "new"), stdout=None,
               preexec_fn=lambda: os.close(1))
    expect(kind + " with a closed standard output",
           len(read("new")) == len(good) or kind == "json", done)
    os.remove("new")
    expect(kind + " leaves " + str(files()), files() == known)

# What is printed is an output, too.
printing = {
    "report": ["tile-run", gemm, "--device=sim", "--random=8,8,8"],
    "help": ["tile-run", "--help"],
    "version": ["tile-run", "--version"],
    "bench's help": ["tile-bench", "--help"],
    "tune's help": ["tile-tune", "--help"],
    "opt's help": ["tile-opt", "--help"],
    "opt's version": ["tile-opt", "--version"],
    "passes": ["tile-opt", "--list-passes"],
    "tile's help": ["tile", "--help"],
    "ptx": ["tile-run", gemm, "--chip=sm_80", "--print-ptx"],
    "ptx 2": ["tile-translate", "--mlir-to-ptx", gemm],
    "mlir": ["tile-opt", gemm],
    "array": ["tile-run", gemm, "--device=sim", "--random=8,8,8", "--out=-"],
    "json": ["tile-run", gemm, "--device=sim", "--random=8,8,8", "--json"],
}
for kind, command in printing.items():
    with open("/dev/full", "w") as full:
        done = run(command, stdout=full)
    expect(kind + " on a full disk", done.returncode == 2 and
           "no space left on device" in done.stderr and
           "LLVM ERROR" not in done.stderr, done)
    done = run(command, stdout=None, preexec_fn=lambda: os.close(1))
    expect(kind + " on a closed standard output", done.returncode == 2 and
           "bad file descriptor" in done.stderr, done)
    # Nobody reads the pipe any more.
    reader, writer = os.pipe()
    os.close(reader)
    done = run(command, stdout=writer)
    os.close(writer)
    expect(kind + " into a closed pipe", done.returncode == 2 and
           "broken pipe" in done.stderr, done)

# The compiled file is not replaced by what is made of it, nor are two outputs
# one file.
write("own.mlir", open(gemm).read())
text = read("own.mlir")
for what, command in {
    "artifact": ["tile-run", "own.mlir", "--device=sim", "--save-artifact=own.mlir"],
    "array": ["tile-run", "own.mlir", "--device=sim", "--random=8,8,8",
              "--out=./own.mlir"],
    "json": ["tile-run", "own.mlir", "--device=sim", "--random=8,8,8",
             "--json=own.mlir"],
    "ptx": ["tile-translate", "--mlir-to-ptx", "own.mlir", "-o", "own.mlir"],
}.items():
    fails(what + " over its source", run(command), "expected another file than")
    expect(what + " kept its source", read("own.mlir") == text)
fails("two outputs", run(["tile-run", "own.mlir", "--device=sim",
    "--random=8,8,8", "--out=d.npy", "--json=d.npy"]), "but got d.npy twice")
# tile-opt makes text of text, also in place.
done = run(["tile-opt", "own.mlir", "-o", "own.mlir"])
expect("opt in place", done.returncode == 0 and b"tile.gemm" in read("own.mlir"), done)
os.remove("own.mlir")

# What has no end, and what is none of it.
for command in (["tile-run", "/dev/zero", "--device=sim", "--random=8,8,8"],
                ["tile-opt", "/dev/zero"],
                ["tile-translate", "--mlir-to-ptx", "/dev/zero"]):
    fails("%s of zeros" % command[0], run(command),
          "/dev/zero: expected a file of at most 1.1 GB, but got more")
    command[command.index("/dev/zero")] = "/"
    fails("%s of a folder" % command[0], run(command),
          "/: cannot be read: is a directory")
fails("an array of zeros", run(["tile-run", gemm, "--device=sim", "--arg=/dev/zero",
    "--arg=/dev/zero"]), "/dev/zero: expected a .npy file, which starts with")

# An interrupt, and one right after it, while the file is being made.
for number in (signal.SIGINT, signal.SIGTERM):
    for again in (False, True):
        process = subprocess.Popen(["tile-run", gemm, "--device=sim",
            "--random=2000,2000,2000", "--out=big.npy"], stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True)
        limit = time.time() + 60
        while not any(name.startswith("big.npy.tmp") for name in files()):
            if time.time() > limit or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(number)
        if again:
            process.send_signal(number)
        message = process.communicate()[1]
        expect("signal %d" % number, process.returncode == -number and
               "tile-run: interrupted" in message)
        expect("signal %d leaves %s" % (number, files()), files() == known)

# tile, without a tool.
done = run(["tile", "--help"])
expect("tile --help", done.returncode == 0 and "tile-tune" in done.stdout, done)
fails("tile", run(["tile"]), "tile: expected the name of a tool")
fails("tile nothing", run(["tile", "nothing"]), "but got 'nothing'")
for tool in ("tile", "tile-opt", "tile-translate", "tile-run", "tile-bench", "tile-tune"):
    done = run([tool, "--version"])
    expect(tool + " --version", done.returncode == 0 and
           done.stdout.startswith(tool + " 0.") and not done.stderr, done)
fails("no translation", run(["tile-translate", gemm]),
      "tile-translate: expected one translation of --")
write("two.mlir", open(gemm).read() + "\n// -----\n" + open(gemm).read())
for mode in ("--mlir-to-ptx", "--mlir-to-artifact"):
    fails("two modules", run(["tile-translate", mode, "--split-input-file",
        "two.mlir", "-o", "two"]), "expected one module")
os.remove("two.mlir")

sys.exit("\n".join(failures) or 0)
