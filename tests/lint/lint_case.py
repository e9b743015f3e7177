"""A tree of files made for one test, and a check_* tool run over it."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class LintCase(unittest.TestCase):
    tool = ""

    def findings(self, files: dict[str, str]) -> list[str]:
        """What the tool says of these files, one line per finding."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [sys.executable, TOOLS / self.tool, "--root", folder],
                capture_output=True, text=True, check=False,
            )
        self.assertIn(done.returncode, (0, 1), done.stderr)
        lines = [line for line in done.stdout.splitlines() if re.match(r"[^:]+:\d+: ", line)]
        self.assertEqual(done.returncode, 1 if lines else 0, done.stdout + done.stderr)
        return lines

    def check(self, files: dict[str, str], *expected: str) -> None:
        """Each finding contains the expected text of the same position."""
        found = self.findings(files)
        self.assertEqual(len(found), len(expected), "\n".join(found))
        for line, text in zip(found, expected):
            self.assertIn(text, line)
