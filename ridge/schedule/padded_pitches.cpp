// Rows of values that products read or write, and that are no multiple of 16 bytes long, start further apart:
// 50257 elements of bf16 at a pitch of 50304.
#include <algorithm>

#include "ridge/cost/price.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/library_products.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kAlignedBits = 128;  // what bulk copies and wide loads need of a row

// Elements from a row to the next: whole lines where that costs little memory, else what copies need.
int64_t pitch_of(int64_t columns, DType dtype) {
  const auto rounded = [&](int64_t bytes) {
    const int64_t step = bytes * 8 / dtype.bits;
    return (columns + step - 1) / step * step;
  };
  const int64_t lines = rounded(loop::kCudaLimits.line_bytes);
  return (lines - columns) * kPitchShare <= columns ? lines : rounded(2 * kAlignedBits / 8);
}

class Padding {
 public:
  Padding(const InlinedGraph& program, const cost::Sheet& sheet)
      : program_(program), sheet_(sheet), gains_(program.graph().values.size()) {
    for (size_t i = 0; i < program.graph().nodes.size(); ++i) {
      const auto node = static_cast<int32_t>(i);
      if (!program.is_inlined(node) && program.is_contraction(node)) add_product(node);
    }
  }

  void pad(ValueStrides& strides) const {
    for (size_t i = 0; i < gains_.size(); ++i) {
      const ValueId value{static_cast<int32_t>(i)};
      if (!gains_[i] || strides[i] || !may_be_padded(value)) continue;
      Shape room = program_.graph()[value].type.shape;
      room.back() = pitch_of(*room.back().known(), program_.graph()[value].type.dtype);
      strides[i] = contiguous_strides(room);
    }
  }

 private:
  // All that it reads and writes gains, if it does.
  void add_product(int32_t node) {
    if (!is_worth_it(node)) return;
    const auto note = [&](ValueId value) { gains_[static_cast<size_t>(value.index)] = true; };
    note(program_.result(node));
    for (const Read& read : program_.reads(node)) note(read.value);
  }

  // By the prices of a library, which has both rates; tiles of a mapping gain as much.
  bool is_worth_it(int32_t node) const {
    const ops::Definition& d = program_.node_definition(node).definition;
    const auto rank = static_cast<size_t>(d.output_rank);
    double batch = 1, k = 1;
    for (size_t i = 0; i < d.extents.size(); ++i) {
      const auto extent = static_cast<double>(d.extents[i].hint_or(1));
      if (i >= rank) {
        k *= extent;
      } else if (i + 2 < rank) {
        batch *= extent;
      }
    }
    const auto outer = [&](size_t from_end) {
      return rank < from_end ? 1 : static_cast<double>(d.extents[rank - from_end].hint_or(1));
    };
    const auto seconds = [&](bool is_aligned) {
      const DType dtype = program_.graph()[program_.result(node)].type.dtype;
      return cost::price_library_product({.m = outer(2),
                                          .n = outer(1),
                                          .k = k,
                                          .batch = batch,
                                          .operand = dtype,
                                          .result = dtype,
                                          .is_aligned = is_aligned},
                                         sheet_);
    };
    const auto aligned = seconds(true), odd = seconds(false);
    return aligned && odd && odd->predicted > kPadGain * aligned->predicted;
  }

  bool may_be_padded(ValueId value) const {
    const graph::Value& info = program_.graph()[value];
    if (info.node < 0 || info.constant.defined() || program_.is_live_out(value)) return false;
    const NodeDefinition& node_definition = program_.node_definition(info.node);
    if (node_definition.definition.is_scatter() || !node_definition.written.empty()) return false;
    const Shape& shape = info.type.shape;
    const DType dtype = info.type.dtype;
    if (shape.size() < 2 || !is_floating(dtype) || !shape.back().known()) return false;
    return *shape.back().known() > 1 && *shape.back().known() * dtype.bits % kAlignedBits != 0;
  }

  const InlinedGraph& program_;
  const cost::Sheet& sheet_;
  std::vector<bool> gains_;  // by value
};

}  // namespace

void pad_pitches(const InlinedGraph& program, const cost::Sheet& sheet, ValueStrides& strides) {
  if (sheet.kind == cost::SheetKind::gpu) Padding(program, sheet).pad(strides);
}

}  // namespace ridge::schedule
