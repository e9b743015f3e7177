// Contractions as schedule writes them, in all orders of their operands, as text.
#pragma once

#include <string>

#include "ridge/base/text.h"

namespace ridge::mapping {

struct ContractText {
  bool is_lhs_along_k = true, is_rhs_along_k = true;
  bool has_batch = false;
  std::string epilogue = "          out[AT] = v0\n";  // AT: the element of the result
  std::string result = "bf16";
  std::string head{};  // further buffers in front of the result

  std::string text() const {
    const std::string row = "(64 * i4 + i0)", column = "(64 * i5 + i1)";
    const std::string in_batch = has_batch ? " + m * k * i3" : "";
    const std::string lhs =
        is_lhs_along_k ? concat("k * ", row, " + i2") : concat("m * i2 + ", row);
    const std::string rhs =
        is_rhs_along_k ? concat("k * ", column, " + i2") : concat("n * i2 + ", column);
    const std::string at = concat("n * ", row, " + ", column, has_batch ? " + m * n * i3" : "");
    std::string body = epilogue;
    for (size_t i = body.find("AT"); i != std::string::npos; i = body.find("AT")) {
      body.replace(i, 2, at);
    }
    const std::string b = has_batch ? "b * " : "";
    return concat(
        "kernel product(x: bf16[", b, "m * k] in, y: bf16[n * k] in, ", head, "out: ", result, "[",
        b, "m * n] out; b, m, n, k) {\n", has_batch ? "  for i3 in b @gpu_block {\n" : "",
        "    for i4 in (m + 63) // 64 @gpu_block {\n      for i5 in (n + 63) // 64 @gpu_block {\n"
        "        contract v0: f32 over i0 in min(64, m - 64 * i4), i1 in min(64, n - 64 "
        "* i5), sum i2 in k of x[",
        lhs, in_batch, "], y[", rhs, "] {\n", body, "        }\n      }\n    }\n",
        has_batch ? "  }\n" : "", "}\n");
  }
};

}  // namespace ridge::mapping
