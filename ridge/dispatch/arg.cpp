#include "ridge/dispatch/arg.h"

#include "ridge/expr/text.h"

namespace ridge::dispatch {

namespace {
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
}  // namespace

std::string_view name(ArgKind kind) {
  switch (kind) {
    case ArgKind::none: return "None";
    case ArgKind::tensor: return "Tensor";
    case ArgKind::tensors: return "Tensor[]";
    case ArgKind::integer: return "Int";
    case ArgKind::real: return "Float";
    case ArgKind::flag: return "Bool";
    case ArgKind::dtype: return "DType";
    case ArgKind::device: return "Device";
    case ArgKind::ints: return "Int[]";
    case ArgKind::sizes: return "Size[]";
  }
  return "?";
}

Value to_value(const Arg& arg) {
  switch (arg.kind) {
    case ArgKind::none: return std::monostate{};
    case ArgKind::tensor: return *arg.tensor;
    case ArgKind::tensors: return Tensors(arg.tensors().begin(), arg.tensors().end());
    case ArgKind::integer: return arg.integer;
    case ArgKind::real: return arg.real;
    case ArgKind::flag: return arg.flag;
    case ArgKind::dtype: return arg.dtype;
    case ArgKind::device: return arg.device;
    case ArgKind::ints: return Ints(arg.ints().begin(), arg.ints().end());
    case ArgKind::sizes: return Shape(arg.sizes().begin(), arg.sizes().end());
  }
  return std::monostate{};
}

Arg borrow(const Value& value) {
  return std::visit(
      Overloaded{[](std::monostate) { return Arg(); }, [](const auto& held) { return Arg(held); }},
      value);
}

std::vector<Arg> borrow(const std::vector<Value>& values) {
  std::vector<Arg> args;
  args.reserve(values.size());
  for (const Value& value : values) args.push_back(borrow(value));
  return args;
}

std::string to_text(const Arg& arg) {
  switch (arg.kind) {
    case ArgKind::none: return "none";
    case ArgKind::tensor: return describe(*arg.tensor);
    case ArgKind::tensors: {
      std::string text = "[";
      for (const Tensor& t : arg.tensors()) {
        if (text.size() > 1) text += ", ";
        text += t.defined() ? describe(t) : "undefined";
      }
      return text + "]";
    }
    case ArgKind::integer: return std::to_string(arg.integer);
    case ArgKind::real: return expr::to_text(expr::constant(arg.real));
    case ArgKind::flag: return arg.flag ? "true" : "false";
    case ArgKind::dtype: return std::string(name(arg.dtype));
    case ArgKind::device: return ridge::to_text(arg.device);
    case ArgKind::ints: return ridge::to_text(arg.ints());
    case ArgKind::sizes: return ridge::to_text(Shape(arg.sizes().begin(), arg.sizes().end()));
  }
  return "?";
}

}  // namespace ridge::dispatch
