"""Counts the instructions of functions named measured_* with callgrind, against bounds."""
import re
import subprocess
import sys
import tempfile

CALLS = 1000


def instructions_per_call(program, kind):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--toggle-collect=measured_{kind}",
                   f"--callgrind-out-file={folder}/out", program, kind, str(CALLS)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if not collected or int(collected.group(1)) == 0:
        sys.exit(f"callgrind collected nothing:\n{done.stderr}")
    return int(collected.group(1)) / CALLS


def check(what, bounds, usage):
    """Counts each kind of `bounds` in the program that the command line names, and exits."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(usage)
    failed = False
    for kind, bound in bounds.items():
        count = instructions_per_call(sys.argv[1], kind)
        verdict = "ok" if count <= bound else "TOO MANY"
        failed |= count > bound
        print(f"{what} {kind:8}: {count:8.1f} instructions a call, bound {bound}: {verdict}")
    sys.exit(1 if failed else 0)
