// Schemas: the signature of an op as one line of text.
//
//   sum(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor
//   sort(Tensor x, Int dim=-1) -> (Tensor values, Tensor indices)
//   reshape(Tensor(a) x, Size[] shape) -> Tensor(a)      the result is a view of x
//   add_(Tensor(a!) x, Tensor y) -> Tensor(a!)           x is written and returned
//
// Types: Tensor, Tensor? (may be left out), Tensor[], Int, Float, Bool, DType, Device, Int[],
// Size[]; `?` is allowed on any of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/dispatch/arg.h"

namespace ridge::dispatch {

struct Alias {
  char set = 0;           // 0: aliases nothing
  bool is_write = false;  // the `!` mark
};

struct Parameter {
  std::string name;
  ArgKind kind = ArgKind::tensor;
  bool is_optional = false;
  Alias alias{};
  bool has_default = false;
  Value default_value{};
};

struct Result {
  std::string name;  // "result" unless given
  Alias alias{};
};

struct Schema {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Result> results;

  // Position of a parameter; Error{unknown_name} if there is none of that name.
  size_t index_of(std::string_view parameter) const;
  std::string to_text() const;
};

Schema parse_schema(std::string_view text);  // Error{parse} with the column

// Checks number and kinds of arguments; Error{value} names the parameter, expected and given.
void check_arguments(const Schema& schema, std::span<const Arg> args);

}  // namespace ridge::dispatch
