import unittest

from lint_case import LintCase


class CheckWords(LintCase):
    tool = "check_words"

    def test_file_names(self):
        self.check({"ridge/base/string_utils.h": "", "ridge/base/text.h": ""}, "string_utils.h:1:")
        self.check({"ridge/common/a.h": ""}, "ridge/common/a.h:1:")

    def test_unfinished_work(self):
        self.check({"a.cpp": "\n// TODO later\n", "b.py": "# FIXME\n"}, "a.cpp:2: TODO", "b.py:1: FIXME")

    def test_machine_paths(self):
        self.check({"a.md": "cd /work/x\n`/root`\nridge/root/x and a/home/b, $HOME/work, /usr/lib\n"},
                   "a.md:1: /work", "a.md:2: /root")

    def test_spelling(self):
        self.check({"a.md": "its behaviour\nto initialise it\nwe analyse\n"},
                   "a.md:1: behaviour", "a.md:2: initialise", "a.md:3: analyse")
        self.check({"a.md": "precise noise, otherwise an exercise, analysis, realistic, emphasis\n"})

    def test_retired_words(self):
        self.check({"ridge/a.h": "// lanes that stand aside\nint is_twin;\nsteady_clock, entwine\n",
                    "docs/a.md": "a block that walks over rows\n", "tests/a.h": "// stands aside\n",
                    "README.md": "a mend\n"},
                   "README.md:1: mend: write say what", "docs/a.md:1: walks over rows: write persistent block",
                   "ridge/a.h:1: stand aside: write masked off", "ridge/a.h:2: twin: write sincos",
                   "tests/a.h:1: stands aside: write masked off")
        self.check({"ridge/a.h": "// threads combine them across\n// sums in stages\n// a row held in registers\n"
                                 "// across, stages, registers, rows meet, a shift\n"},
                   "ridge/a.h:1: combine them across: write warp", "ridge/a.h:2: sums in stages: write split",
                   "ridge/a.h:3: held in registers: write kept")
        self.check({"tests/a.loop": "for i0 in 8 @block {\nfor i1 in 8 @gpu_block {\nasync_copy, by hand on a GPU\n",
                    "tests/a.cpp": "// it lies across the rows, which are on their way\nclose_guarded(x);\n"},
                   "tests/a.cpp:1: lies across: write row axis", "tests/a.cpp:2: close_guarded: write predicated",
                   "tests/a.loop:1: @block: write gpu_block")


if __name__ == "__main__":
    unittest.main()
