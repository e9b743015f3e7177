import unittest

from lint_case import LintCase

OPS = """
void register_binary(Registry& ops) {
  ops.add({.schema = "add(Tensor a, Tensor b) -> Tensor", .body = f});
  ops.add({.schema   = "mul(Tensor a, Tensor b) -> Tensor"});
  ops.add(unary("silu(Tensor x) -> Tensor"));
}
"""


class CheckOpNames(LintCase):
    tool = "check_op_names"

    def one(self, text: str, *expected: str, name: str = "ridge/graph/a.cpp") -> None:
        self.check({"ridge/ops/binary.cpp": OPS, name: text}, *expected)

    def test_comparisons(self):
        self.one('if (op.name() == "add") {}\n', 'a.cpp:1: a name compared with the op name "add"')
        self.one('\nif ("silu" != name) {}\n', "a.cpp:2:")
        self.one('if (name == "other") {}\n')

    def test_two_names_on_one_line(self):
        self.one('is_one_of(name, "add", "mul");\n', '"add", "mul"')
        self.one('f("add", "other");\n')
        self.one('f("add", "add");\n')

    def test_initializer_over_several_lines(self):
        self.one('std::set<std::string> cheap = {\n  "add",\n  "mul",\n};\n', "a.cpp:2:")
        self.one('std::map<K, V> m{\n  {"add", 1},\n  {"mul", 2},\n};\n', "a.cpp:2:")

    def test_statements_of_a_body_are_no_list(self):
        self.one('void f() {\n  call("add");\n  call("mul");\n}\n')
        self.one('table = {\n  [] { call("add"); },\n  [] { call("mul"); },\n};\n')

    def test_words_in_comments_and_longer_strings(self):
        self.one('// == "add", "mul"\nprint("add mul");\n')

    def test_matches_comment_allows(self):
        self.one('if (name == "add") {}  // matches: the bias of a matmul\n')
        self.one('rules = {\n  "add",  // matches: a + (b * c)\n  "mul",\n};\n')
        self.one('if (name == "add") {}  // matches:\n', "a.cpp:1:")

    def test_tests_and_tools_are_searched(self):
        self.one('auto l = {"add", "mul"};\n', "tests/unit/a_test.cpp:1:", name="tests/unit/a_test.cpp")
        self.one('if (n == "add") {}\n', "tools/ridge/a.cpp:1:", name="tools/ridge/a.cpp")
        self.one('names = [\n  "add",\n  "mul",\n]\n', "tools/a.py:1:", name="tools/a.py")
        self.one('if x == "add":\n  pass\n', "tools/a.py:1:", name="tools/a.py")
        self.one('x = {"add": 1, "mul": 2}  # matches: why\n', name="tools/a.py")

    def test_not_searched(self):
        for name in ("ridge/ops/unary.cpp", "ridge/base/log.cpp", "ridge/expr/function.cpp",
                     "tests/ops/frozen/names.cpp"):
            self.one('auto l = {"add", "mul"};\n', name=name)


if __name__ == "__main__":
    unittest.main()
