// What the mapping of a product depends on, read off its unmapped kernel.
//
//   kernel product(a: bf16[m * k] in, b: bf16[n * k] in, out: bf16[m * n] out; m, n, k; tm, tn, tk) { ... }
//   and 16384, 3072, 768
//     ->  16384 x 3072 x 768 of bf16, both operands contiguous along k, rows aligned to 128 bytes
//
// Sizes are an example; alignments hold for all sizes, as far as the strides show them: a stride that is a
// param alone may be odd. Buffers start at multiples of 128 bytes, or at least where bulk copies can.
#pragma once

#include <span>

#include "ridge/base/decision.h"
#include "ridge/loop/loop.h"
#include "ridge/mapping/work.h"

namespace ridge::mapping {

struct DescribedProduct {
  Decision decision;  // no: the kernel is no product that can be mapped
  ProductWork work{};
};

// `sizes` are the kernel's params, `owners` say who decides the pitch of each of its global buffers.
DescribedProduct describe_product(const loop::Kernel& unmapped, std::span<const int64_t> sizes,
                                  std::span<const PitchOwner> owners = {});

}  // namespace ridge::mapping
