#include "ridge/ops/cast_arguments.h"

#include "ridge/ops/arithmetic.h"

namespace ridge::ops {

CastArguments::CastArguments(std::span<const Arg> args, DType dtype, bool (*applies)(const Tensor&))
    : args_(args.begin(), args.end()) {
  const auto converted = [&](const Tensor& t) {
    return t.defined() && t.dtype() != dtype && applies(t) ? cast(t, dtype) : t;
  };
  for (Arg& arg : args_) {
    if (arg.kind == ArgKind::tensor) {
      casts_.push_back({converted(*arg.tensor)});
      arg = Arg(casts_.back()[0]);
    } else if (arg.kind == ArgKind::tensors) {
      Tensors list;
      for (const Tensor& t : arg.tensors()) list.push_back(converted(t));
      casts_.push_back(std::move(list));
      arg = Arg(casts_.back());
    }
  }
}

}  // namespace ridge::ops
