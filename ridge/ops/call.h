// A call of an op, seen by name: what rules, definitions and decompositions are given.
//
// Tensor operands are also numbered across the whole call (lists flattened, an optional tensor that
// was left out keeps its number), which is how bodies, definitions and gradients refer to them.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/dispatch/arg.h"
#include "ridge/dispatch/schema.h"

namespace ridge::ops {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::Schema;
using dispatch::Tensors;
using dispatch::Value;

class Call {
 public:
  Call(const Schema& schema, std::span<const Arg> args);

  const Schema& schema() const { return *schema_; }
  std::span<const Arg> args() const { return args_; }

  bool has(std::string_view parameter) const;
  const Tensor& tensor(std::string_view parameter) const;
  std::span<const Tensor> tensors(std::string_view parameter) const;
  int64_t integer(std::string_view parameter) const;
  double real(std::string_view parameter) const;
  bool flag(std::string_view parameter) const;
  DType dtype(std::string_view parameter) const;
  Device device(std::string_view parameter) const;
  std::span<const int64_t> ints(std::string_view parameter) const;
  Shape sizes(std::string_view parameter) const;

  // Tensor operands by number; null for one that was left out.
  std::span<const Tensor* const> operands() const { return operands_; }
  const Tensor& operand(size_t number) const;
  const Shape& shape(size_t number) const { return operand(number).shape(); }

  [[noreturn]] void fail(ErrorCode code, std::string expected, std::string given) const;

 private:
  const Arg& argument(std::string_view parameter, ArgKind kind) const;

  const Schema* schema_;
  std::span<const Arg> args_;
  SmallVector<const Tensor*, 4> operands_;
};

// The device a call runs on. Plain numbers and other 0-d CPU tensors go with any device; else all
// must agree, or it is an Error{device} that names both.
Device common_device(const Call& call);

// The arguments of a call with some of its tensors cast: for layers that change precision.
//
// Owns the casts, so it must live as long as the arguments are used. Tensors that already have the
// dtype, and those for which `applies` is false, are passed on as they are.
class CastArguments {
 public:
  CastArguments(std::span<const Arg> args, DType dtype, bool (*applies)(const Tensor&));
  std::span<const Arg> args() const { return args_; }

 private:
  std::deque<Tensors> casts_;  // addresses stay
  std::vector<Arg> args_;
};

}  // namespace ridge::ops
