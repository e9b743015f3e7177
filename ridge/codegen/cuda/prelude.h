// The device functions that generated text calls, each with what it needs in turn.
//
//   prelude_text({"ridge::sine"})     sine, and the polynomials and the reduction it is made of
//
// A kernel carries only those it uses, so that a reader sees all of it in one place and NVRTC needs
// no header. Functions that are PTX instructions stand by themselves: tests compile generated text
// with the host's compiler and define RIDGE_ON_HOST as functions to take their place.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace ridge::codegen::cuda {

struct Snippet {
  std::string_view name;
  std::string_view needs;  // names with spaces between
  bool is_machine;         // holds PTX
  std::string_view text;
};

// In an order where each comes after what it needs.
std::span<const Snippet> element_snippets();
std::span<const Snippet> integer_snippets();
std::span<const Snippet> math_snippets();
std::span<const Snippet> trigonometry_snippets();
std::span<const Snippet> across_snippets();
std::span<const Snippet> row_snippets();
std::span<const Snippet> tensor_snippets();
std::span<const Snippet> stream_snippets();

// The definitions of these functions, in the namespace `ridge`; empty if there are none.
std::string prelude_text(const std::set<std::string>& used);

}  // namespace ridge::codegen::cuda
