import unittest

from lint_case import LintCase


class CheckReadmes(LintCase):
    tool = "check_readmes"

    def one(self, readme: str, *expected: str) -> None:
        self.check({"ridge/base/a.h": "", "ridge/base/a.cpp": "", "ridge/base/README.md": readme,
                    "docs/layers.md": ""}, *expected)

    def test_names_that_exist(self):
        self.one("`a.h`, `a.{h,cpp}`, `*.cpp`, docs/layers.md, ridge/base/a.h and base/a.h.\n")

    def test_names_that_do_not(self):
        self.one("one\n`b.h`\n", "README.md:2: b.h does not exist")
        self.one("`b.{h,cpp}`\n", "b.cpp", "b.h")

    def test_length(self):
        self.one("line\n" * 10)
        self.one("line\n" * 11, "README.md:11: 11 lines")

    def test_missing(self):
        self.check({"ridge/base/a.h": ""}, "ridge/base/README.md:1: missing")

    def test_documents(self):
        self.check({"ridge/base/a.h": "", "ridge/base/README.md": "",
                    "docs/a.md": "`base/a.h`, train.cpp, out/b.h\n`base/gone.h`\n",
                    "docs/bench/history/old.md": "`base/gone.h`\n"},
                   "docs/a.md:2: base/gone.h does not exist")


if __name__ == "__main__":
    unittest.main()
