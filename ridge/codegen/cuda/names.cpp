#include "ridge/codegen/cuda/names.h"

#include <array>

#include "ridge/base/text.h"

namespace ridge::codegen::cuda {
namespace {

// Words of C++ and CUDA that a user may have given to a value. Our own functions are all in the
// namespace `ridge`; the functions of CUDA that we call have suffixes nobody uses, or stand here.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"alignas",   "alignof",  "and",       "asm",      "auto",      "bool",     "break",
     "case",      "catch",    "char",      "class",    "const",     "continue", "default",
     "delete",    "do",       "double",    "else",     "enum",      "explicit", "export",
     "extern",    "false",    "float",     "for",      "friend",    "goto",     "if",
     "inline",    "int",      "long",      "mutable",  "namespace", "new",      "not",
     "operator",  "or",       "private",   "public",   "register",  "requires", "return",
     "ridge",     "short",    "signed",    "sizeof",   "static",    "status",   "struct",
     "switch",    "template", "this",      "throw",    "true",      "try",      "typedef",
     "typename",  "union",    "unsigned",  "using",    "virtual",   "void",     "volatile",
     "while",     "xor",      "threadIdx", "blockIdx", "blockDim",  "gridDim",  "concept",
     "protected", "expf",     "logf",      "sqrtf",    "rsqrtf",    "tanhf",    "erff",
     "powf",      "floorf",   "ceilf",     "rintf",    "truncf",    "fabsf",    "exp",
     "log",       "sqrt",     "rsqrt",     "tanh",     "erf",       "pow",      "floor",
     "ceil",      "rint",     "trunc",     "fabs",     "sin",       "cos",      "signbit",
     "assert",    "abs",      "min",       "max",      "warpSize",  "bf16",     "f16"});

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

Names::Names() : taken_(kReserved.begin(), kReserved.end()) {}

std::string Names::add(std::string_view wanted) {
  const std::string stem = as_identifier(wanted);
  std::string word = stem;
  for (int number = 2; !taken_.insert(word).second; ++number) word = concat(stem, "_", number);
  return word;
}

}  // namespace ridge::codegen::cuda
