"""What the check_* tools share: which files there are, C++ text without its comments, findings."""

import argparse
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = (".h", ".cpp", ".cuh", ".cu")

# One token that may hide code: comment, raw string, string, character. A quote after a digit or
# letter separates digits (1'000) and starts nothing.
_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^()\s\\]{0,16})\(.*?\)(?P=raw)"'
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


class Literal(NamedTuple):
    """A string literal: where it starts in the text, and what is between its quotes."""

    offset: int
    value: str


def files(root: pathlib.Path) -> list[pathlib.Path]:
    """Files of the project, relative to root: in a git work tree those git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = None
    if (root / ".git").exists():
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        if done.returncode == 0:
            found = [pathlib.Path(name) for name in done.stdout.decode().split("\0") if name]
    if found is None:
        skipped = {"build", "__pycache__"}
        found = [
            path.relative_to(root)
            for path in root.rglob("*")
            if not any(
                part in skipped or (part.startswith(".") and part != ".ci")
                for part in path.relative_to(root).parent.parts
            )
        ]
    return sorted(path for path in found if (root / path).is_file())


def under(path: pathlib.Path, folder: str) -> bool:
    return path.is_relative_to(folder)


def read(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def split_cpp(text: str) -> tuple[str, list[Literal]]:
    """Text of equal length with comments and literals blanked, and the string literals."""
    literals = []

    def blank(match: re.Match) -> str:
        token = match.group()
        if token.startswith('"'):
            literals.append(Literal(match.start(), token[1:-1]))
        elif token.startswith("R"):
            inside = token[token.index("(") + 1 : token.rindex(")")]
            literals.append(Literal(match.start(), inside))
        return re.sub(r"[^\n]", " ", token)

    return _TOKEN.sub(blank, text), literals


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to check")
    return parser


def report(findings: list[tuple[pathlib.Path | str, int, str]]) -> int:
    """Print `file:line: message` for each finding; the exit status."""
    for path, line, message in sorted(findings, key=lambda f: (str(f[0]), f[1], f[2])):
        print(f"{path}:{line}: {message}")
    if findings:
        print(f"{pathlib.Path(sys.argv[0]).name}: {len(findings)} finding(s)", file=sys.stderr)
    return 1 if findings else 0
