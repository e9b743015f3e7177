#include <array>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/expr/function.h"

namespace ridge::codegen::cuda {
namespace {

// Words of C++ and CUDA that a user may have given to a value. Our own functions are all in the
// namespace `ridge`.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"alignas",   "alignof",  "and",      "asm",       "auto",
     "bool",      "break",    "case",     "catch",     "char",
     "class",     "concept",  "const",    "continue",  "default",
     "delete",    "do",       "double",   "else",      "enum",
     "explicit",  "export",   "extern",   "false",     "float",
     "for",       "friend",   "goto",     "if",        "inline",
     "int",       "long",     "mutable",  "namespace", "new",
     "not",       "operator", "or",       "private",   "public",
     "protected", "register", "requires", "return",    "ridge",
     "short",     "signed",   "sizeof",   "static",    "status",
     "struct",    "switch",   "template", "this",      "throw",
     "true",      "try",      "typedef",  "typename",  "union",
     "unsigned",  "using",    "virtual",  "void",      "volatile",
     "while",     "xor",      "warpSize", "threadIdx", "blockIdx",
     "blockDim",  "gridDim",  "rint",     "rintf",     "fabs",
     "fabsf",     "assert",   "wrong",    "pipeline",  "pipeline_shared"});

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string as_identifier(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const char next = is_letter_or_digit(c) ? c : '_';
    // Two underscores in a row, or one in front, belong to the compiler.
    if (next == '_' && (word.empty() || word.back() == '_')) continue;
    word += next;
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  if (word.empty() || (word[0] >= '0' && word[0] <= '9')) word.insert(0, "n");
  return word;
}

Names::Names() : taken_(kReserved.begin(), kReserved.end()) {
  // The functions of CUDA that we call have the names of ours, and a suffix for floats.
  for (int i = 0; i < expr::kFunctionCount; ++i) {
    const std::string_view function = info(static_cast<expr::Function>(i)).name;
    taken_.emplace(function);
    taken_.insert(concat(function, "f"));
  }
}

std::string Names::add(std::string_view wanted) {
  const std::string stem = as_identifier(wanted);
  std::string word = stem;
  for (int number = 2; !taken_.insert(word).second; ++number) word = concat(stem, "_", number);
  return word;
}

}  // namespace ridge::codegen::cuda
