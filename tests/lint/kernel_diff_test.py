"""tools/kernel_diff over builds that are scripts: a graph's text names the kernels that come of it."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/kernel_diff"
PRESETS = """{"version": 6,
 "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}"""
LISTS = """cmake_minimum_required(VERSION 3.25)
project(scripts NONE)
add_custom_target(ridge)
add_custom_target(ridge_model_tests)
add_custom_target(ridge-opt COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/script bin/ridge-opt)
"""

# A line of the graph, `name hash value`, becomes a kernel whose buffer is named after the value; the
# build adds its own instruction.
RIDGE_OPT = """#!{python}
import sys
if sys.argv[1] in ("--list", "--help"):
    sys.exit(0)
emit = sys.argv[1].removeprefix("--emit=")
mark = {{"llvm": ";", "cuda": "//"}}.get(emit, "#")
for line in {graph!r}.splitlines():
    name, hash_, value = line.split()
    print(f"{{mark}} launched with input 0, arena at {{value}}")
    if emit in ("loop", "gpu-loop"):
        print(f"kernel {{name}}_{{hash_}}(b{{value}}_0: f32[8] in) {{{{")
        print(f"  let v0: f32 = b{{value}}_0[i0]")
        print("}}")
    else:
        print(f"{{name}}_{{hash_}}(b{{value}}_0) {{{{ b{{value}}_0_lanes {instruction} }}}}")
"""


class KernelDiff(unittest.TestCase):
    def outcome(self, before: str, after: str, *options: str, instructions=("fma", "fma")):
        with tempfile.TemporaryDirectory() as folder:
            builds = []
            for side, graph, instruction in zip("ab", (before, after), instructions):
                path = pathlib.Path(folder, side, "bin/ridge-opt")
                path.parent.mkdir(parents=True)
                path.write_text(RIDGE_OPT.format(python=sys.executable, graph=graph, instruction=instruction))
                path.chmod(0o755)
                builds.append(path.parent.parent)
            golden = pathlib.Path(folder, "tests/golden/kernels")
            golden.mkdir(parents=True)
            (golden / "f.ir").write_text("graph f() {}")
            done = subprocess.run([sys.executable, TOOL, *options, "--tree", folder, "--builds", *builds],
                                  capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def check(self, expected: str, *given, **options):
        status, text = self.outcome(*given, **options)
        self.assertIn(expected, text)
        self.assertEqual(status, 0 if "0 changed, 0 new, 0 gone" in expected else 1, text)

    def test_hashes_and_numbers_of_values_do_not_count(self):
        self.check("2 kernels: 2 equal, 0 changed, 0 new, 0 gone", "add 0123abcd 7", "add 89abcdef 12")

    def test_an_instruction_counts(self):
        self.check("2 kernels: 0 equal, 2 changed, 0 new, 0 gone", "add 0123abcd 7", "add 0123abcd 7",
                   instructions=("mul, add", "fma"))

    def test_kernels_are_matched_by_name_in_order(self):
        three, two = "k 00000000 1\nl 00000000 2\nm 00000000 3", "k 00000000 1\nm 00000000 3"
        self.check("6 kernels: 4 equal, 0 changed, 0 new, 2 gone", three, two)
        self.check("6 kernels: 4 equal, 0 changed, 2 new, 0 gone", two, three)
        self.check("6 kernels: 4 equal, 2 changed, 0 new, 0 gone", three, three.replace("l", "n"))

    def test_full_shows_the_lines(self):
        status, text = self.outcome("add 0123abcd 7", "add 0123abcd 7", "--full",
                                    instructions=("mul, add", "fma"))
        self.assertEqual(status, 1)
        self.assertIn("\n-add(b_0) { b_0_lanes mul, add }\n+add(b_0) { b_0_lanes fma }\n", text)

    def test_a_build_that_fails_is_no_equality(self):
        status, text = self.outcome("add 0123abcd 7", "add")
        self.assertEqual(status, 1)
        self.assertIn("B makes no kernels of golden/kernels/f", text)

    def test_two_commits(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            def git(*command):
                done = subprocess.run(["git", "-C", root, "-c", "user.name=x", "-c", "user.email=x", *command],
                                      capture_output=True, text=True, check=True)
                return done.stdout
            git("init", "--quiet")
            (root / "tools").mkdir()
            (root / "tests/golden/kernels").mkdir(parents=True)
            for name in ("kernel_diff", "kernel_texts.py"):
                shutil.copy(TOOL.parent / name, root / "tools")
            (root / "CMakePresets.json").write_text(PRESETS)
            (root / "CMakeLists.txt").write_text(LISTS)
            (root / "tests/golden/kernels/f.ir").write_text("graph f() {}")
            for instruction in ("mul", "fma"):  # matches: instructions of a kernel
                (root / "script").write_text(RIDGE_OPT.format(python=sys.executable, graph="add 0123abcd 7",
                                                              instruction=instruction))
                (root / "script").chmod(0o755)
                git("add", "--all")
                git("commit", "--quiet", "--message", instruction)
            done = subprocess.run([sys.executable, root / "tools/kernel_diff", "HEAD~1", "HEAD"],
                                  capture_output=True, text=True, check=False)
            self.assertIn("0 equal, 2 changed, 0 new, 0 gone", done.stdout, done.stderr)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(git("worktree", "list").splitlines()), 1)

    def test_a_folder_without_a_build(self):
        done = subprocess.run([sys.executable, TOOL, "--builds", "/nowhere", "/nowhere"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no bin/ridge-opt in /nowhere", done.stderr)


if __name__ == "__main__":
    unittest.main()
