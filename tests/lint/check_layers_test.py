import unittest

from lint_case import LintCase

TABLE = """
| folder | holds | may include |
|---|---|---|
| `base` | checks | - |
| `core` | tensors | base |
| `codegen` | text | core |
| `runtime` | devices | core |
| `driver` | order | everything |
"""
BUILD = """
ridge_layer(base)
ridge_layer(core DEPENDS base)
ridge_layer(codegen DEPENDS core)
ridge_layer(runtime DEPENDS core)
ridge_layer(driver DEPENDS codegen runtime)
"""


class CheckLayers(LintCase):
    tool = "check_layers"

    def tree(self, **changes: str) -> dict[str, str]:
        files = {"docs/layers.md": TABLE, "CMakeLists.txt": BUILD}
        return files | {name.replace("__", "/").replace("_dot_", "."): text
                        for name, text in changes.items()}

    def sources(self, files: dict[str, str], *expected: str) -> None:
        self.check(self.tree() | files, *expected)

    def test_allows_own_lower_and_transitive_folders(self):
        self.sources({
            "ridge/core/a.h": '#include "ridge/core/b.h"\n#include "ridge/base/c.h"\n',
            "ridge/runtime/a.cpp": '#include "ridge/base/c.h"\n#include <vector>\n',
            "ridge/driver/a.cpp": '#include "ridge/codegen/x.h"\n#include "ridge/base/c.h"\n',
            "ridge/ridge.h": '#include "ridge/driver/x.h"\n',
        })

    def test_refuses_higher_and_sibling_folders(self):
        self.sources({
            "ridge/base/a.h": '#include "ridge/core/b.h"\n',
            "ridge/runtime/a.cpp": '\n#include "ridge/codegen/b.h"\n',
        }, "ridge/base/a.h:1: `base` may not include", "ridge/runtime/a.cpp:2: `runtime` may not")

    def test_ignores_commented_includes(self):
        self.sources({"ridge/base/a.h": '// #include "ridge/core/b.h"\n/*\n#include "x.h"\n*/\n'})

    def test_refuses_unknown_folders_umbrella_and_short_paths(self):
        self.sources({
            "ridge/base/a.h": '#include "ridge/ridge.h"\n#include "b.h"\n#include <ridge/base/c.h>\n',
            "ridge/extra/a.h": "",
        }, "is for users", "path from the root", "write #include", "`extra` is not in")

    def test_keeps_llvm_and_cuda_in_their_folders(self):
        self.sources({
            "ridge/codegen/llvm/a.cpp": "#include <llvm/IR/Module.h>\n",
            "ridge/codegen/cuda/a.cpp": "#include <cuda.h>\n",
            "ridge/core/a.cpp": '#include "llvm/IR/Module.h"\n#include <nvrtc.h>\n',
            "ridge/runtime/cuda/a.cpp": "#include <cuda_runtime.h>\n",
        }, "codegen/cuda/a.cpp:1: CUDA", "core/a.cpp:1: LLVM", "core/a.cpp:2: CUDA")

    def test_keeps_cpu_and_cuda_apart(self):
        self.sources({
            "ridge/runtime/cpu/a.cpp": '#include "ridge/runtime/cuda/b.h"\n',
            "ridge/runtime/cuda/a.cpp": '#include "ridge/runtime/cpu/b.h"\n',
        }, "never include each other", "never include each other")

    def test_getenv_only_in_knobs(self):
        self.sources({
            "ridge/base/knobs.cpp": 'auto a = std::getenv("A");\n',
            "ridge/base/log.cpp": '// getenv is elsewhere\nauto a = std::getenv("A");\n',
            "tools/ridge/main.cpp": 'auto a = "getenv";\n',
        }, "ridge/base/log.cpp:2: getenv")

    def test_libraries_stay_inside(self):
        self.sources({
            "ridge/base/a.h": "#include <fmt/format.h>\n",
            "ridge/base/a.cpp": "#include <fmt/format.h>\n#include <nlohmann/json.hpp>\n",
        }, "a.cpp:2: <nlohmann/json.hpp> in the library", "a.h:1: fmt in a header")

    def test_build_agrees_with_table(self):
        less = BUILD.replace("ridge_layer(runtime DEPENDS core)", "ridge_layer(runtime DEPENDS base)")
        self.check({"docs/layers.md": TABLE, "CMakeLists.txt": less}, "does not link `core`")
        more = BUILD.replace("runtime DEPENDS core", "runtime DEPENDS core codegen")
        self.check({"docs/layers.md": TABLE, "CMakeLists.txt": more}, "links `codegen`, forbidden")
        gone = BUILD.replace("ridge_layer(driver DEPENDS codegen runtime)", "")
        self.check({"docs/layers.md": TABLE, "CMakeLists.txt": gone}, "`driver` has no ridge_layer()")

    def test_table_has_no_cycles(self):
        self.check({"docs/layers.md": TABLE.replace("| checks | - |", "| checks | core |"),
                    "CMakeLists.txt": BUILD}, "`base` may include itself", "`core` may include itself")


if __name__ == "__main__":
    unittest.main()
