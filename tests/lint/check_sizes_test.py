import unittest

from lint_case import LintCase


def body(lines: int) -> str:
    return "  int x;\n" * (lines - 2)


class CheckSizes(LintCase):
    tool = "check_sizes"

    def test_files(self):
        self.check({"ridge/base/a.h": "\n" * 800})
        self.check({"ridge/base/a.h": "\n" * 801}, "ridge/base/a.h:1: 801 lines")

    def test_functions(self):
        for head in ("int f(int a) {\n", "Foo::Foo(int a)\n    : a_(a) {\n", "Foo::Foo() : a_{1}, b_{2} {\n", "TEST(Suite, Name) {\n",
                     "void f(struct Foo* a) const {\n"):
            self.check({"ridge/base/a.cpp": f"namespace ridge {{\n{head}{body(100)}}}\n}}\n"})
            self.check({"ridge/base/a.cpp": f"namespace ridge {{\n{head}{body(101)}}}\n}}\n"},
                       "has 101 lines")

    def test_methods_inside_a_class(self):
        text = "class A : public B {\n void f() { if (a) { b(); } }\n int g() const {\n" + body(120)
        self.check({"ridge/base/a.h": text + "}\n};\n"}, "ridge/base/a.h:3: g has 120 lines")

    def test_scopes_and_tables_are_no_functions(self):
        self.check({"ridge/base/a.h": "namespace ridge {\nstruct A {\n" + body(200) + "};\n}\n"})
        self.check({"ridge/base/a.cpp": "const int kTable[] = {\n" + "  1,\n" * 200 + "};\n"})
        self.check({"ridge/base/a.h": "template <class T>\nclass A {\n" + body(200) + "};\n"})

    def test_allowances(self):
        table = "void f() {\n" + body(150) + "}\n"
        allowed = "# reasons\nridge/base/a.cpp:f  a table\n"
        self.check({"ridge/base/a.cpp": table, "tools/size_allowances.txt": allowed})
        self.check({"tools/size_allowances.txt": allowed}, "size_allowances.txt:2: ridge/base/a.cpp:f")


if __name__ == "__main__":
    unittest.main()
