#include "ridge/ops/gradient.h"

namespace ridge::ops {

Saved::Saved(const Schema& schema, std::span<const Arg> args, std::span<const Tensor> outputs,
             std::vector<bool> needed)
    : Call(schema, args), outputs_(outputs), needed_(std::move(needed)) {}

const Tensor& Saved::output(size_t number) const { return outputs_[number]; }

}  // namespace ridge::ops
