// Arguments of an op: borrowed (`Arg`) during a call, owned (`Value`) where a call is kept.
//
// There is one calling convention. A call builds its arguments as an array of Args on the stack:
// tagged pointers and numbers, nothing counted, nothing allocated. Every kernel takes that array,
// so a kernel written for all ops at once (autograd, autocast, meta, the reference) costs the same
// as one written for a single op, and there is no boxing to convert between two styles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge::dispatch {

enum class ArgKind : uint8_t {
  none,  // an optional argument that was left out
  tensor,
  tensors,
  integer,
  real,
  flag,
  dtype,
  device,
  ints,
  sizes,
};
std::string_view name(ArgKind kind);

using Tensors = std::vector<Tensor>;
using Value = std::variant<std::monostate, Tensor, Tensors, int64_t, double, bool, DType, Device,
                           Ints, Shape>;

struct Arg {
  ArgKind kind = ArgKind::none;
  union {
    const Tensor* tensor;
    int64_t integer;
    double real;
    bool flag;
    DType dtype;
    Device device;
    const void* items;  // of tensors, ints and sizes
  };
  size_t count = 0;

  Arg() : integer(0) {}
  // An undefined tensor is an optional argument left out.
  Arg(const Tensor& t) : kind(t.defined() ? ArgKind::tensor : ArgKind::none), tensor(&t) {}
  Arg(std::span<const Tensor> t) : kind(ArgKind::tensors), items(t.data()), count(t.size()) {}
  Arg(const Tensors& t) : Arg(std::span<const Tensor>(t)) {}
  Arg(int64_t v) : kind(ArgKind::integer), integer(v) {}
  Arg(int v) : Arg(static_cast<int64_t>(v)) {}
  Arg(double v) : kind(ArgKind::real), real(v) {}
  Arg(bool v) : kind(ArgKind::flag), flag(v) {}
  Arg(DType v) : kind(ArgKind::dtype), dtype(v) {}
  Arg(Device v) : kind(ArgKind::device), device(v) {}
  Arg(std::span<const int64_t> v) : kind(ArgKind::ints), items(v.data()), count(v.size()) {}
  Arg(const Ints& v) : Arg(std::span<const int64_t>(v.data(), v.size())) {}
  Arg(std::span<const Size> v) : kind(ArgKind::sizes), items(v.data()), count(v.size()) {}
  Arg(const Shape& v) : Arg(std::span<const Size>(v.data(), v.size())) {}

  std::span<const Tensor> tensors() const { return {static_cast<const Tensor*>(items), count}; }
  std::span<const int64_t> ints() const { return {static_cast<const int64_t*>(items), count}; }
  std::span<const Size> sizes() const { return {static_cast<const Size*>(items), count}; }
};

// Between the two. A borrowed Arg is valid as long as the Value it came from.
Value to_value(const Arg& arg);
Arg borrow(const Value& value);
std::vector<Arg> borrow(const std::vector<Value>& values);
std::string to_text(const Arg& arg);

}  // namespace ridge::dispatch
