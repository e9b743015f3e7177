// The price of a kernel on a device: the least time it could take, the time it should take, and
// the resource that decides.
//
//   Price p = price(nest_of(kernel, sizes), sheet, {});
//   p.predicted, p.floor, name(p.limiter)    3.1e-6, 2.4e-6, "l2 bandwidth"
//
// A kernel is a sequence of phases, whose times add up. On a CPU a phase is an innermost loop, a
// product or the straight code of a row; on a GPU, whose warps are all somewhere else, it is the
// whole kernel. In a phase sides run beside each other, and it takes as long as the longest of them;
// the resources of one side follow one another, so their times add up:
//
//   CPU  memory (all levels, lookups, translation) | arithmetic (fma, plain, special) | dependent
//        steps; in a product memory and the matrix kernel are one side, as packing comes first
//   GPU  dram | l2 | shared memory and l1 | fma and plain | special | matrix | dependent steps
//
// What is not paid by the byte or the flop is overhead: the launch, handing tasks to threads,
// entering loops. The resource that binds is the largest of the side that decides, where the phases
// that it decides take most of the time. An FMA counts as 2 flops.
//
// Pure: a function of the nest, the sheet and the context. Where the sheet lacks a figure without
// which there is no price, Error{value} names it; others are in `Price::absent`, and what they would
// have priced counts as free.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/nest.h"
#include "ridge/cost/regime.h"
#include "ridge/cost/sheet.h"

namespace ridge::cost {

enum class Resource : uint8_t {
  dram_read,
  dram_write,
  l3,
  l2,
  l1,
  shared,
  lookup,       // elements fetched one by one: gathers and strides
  translation,  // pages that are not in the TLB
  fma,
  alu,  // arithmetic that is no FMA
  special,
  matrix,
  latency,  // steps that wait for the one before: a sum into one register, threads at a barrier
  overhead,
};
inline constexpr size_t kResourceCount = static_cast<size_t>(Resource::overhead) + 1;
std::string_view name(Resource resource);  // "dram read", "special functions", ...

Regime regime_of(Resource resource);

struct Context {
  // Bytes the program around the kernel touches between two launches of it; what fits a cache with
  // them is still there. 0: the kernel runs again and again by itself.
  double resident = 0;
  bool follows = false;  // another kernel of the same program: launched while that one runs
};

struct Price {
  // Seconds that nobody beats: compulsory bytes and flops at the ceilings, or an empty launch. A ceiling
  // is cores or SMs times clock times rate, the datasheet's bandwidth, or without those the best measured.
  double floor = 0;
  double predicted = 0;                   // seconds
  double overhead = 0;                    // seconds of `predicted`
  Resource limiter = Resource::overhead;  // that takes most of the time
  // Seconds that `limiter` takes at the best rate that was ever measured; of memory, for all that is read and written.
  double best_rate_seconds = 0;
  std::array<double, kResourceCount> seconds{};  // each resource by itself, if all else were free
  double flops = 0;
  double compulsory_bytes = 0;  // each distinct element once
  double issued_bytes = 0;      // each load and store
  double transaction_bytes =
      0;                   // by whole sectors of each warp's access, or lines of a first cache
  double moved_bytes = 0;  // to and from memory, in whole lines
  double workers = 1;      // threads or SMs that have work
  std::vector<std::string> absent{};  // figures that were wanted and that the sheet lacks
};

Price price(const KernelNest& nest, const Sheet& sheet, const Context& context = {});

// The price of a product that a library of the device computes.
//
//   out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]
//
// A library has its own kernels, which no nest describes: tiles in whole waves, at the rate that the
// library was measured to reach. It is the price that the roofline calculator gives a matmul
// (roofline/matmul_price.cpp).

struct ProductShape {
  double m = 1, n = 1, k = 1, batch = 1;
  DType operand = f32, result = f32;
  // Every row of every matrix starts at a multiple of 16 bytes: what bulk copies need.
  bool is_aligned = true;
};

// Nothing where the sheet has no rate of such products: `matrix.bf16`, `vector.f32.fma`.
std::optional<Price> price_library_product(const ProductShape& product, const Sheet& sheet,
                                           const Context& context = {});

}  // namespace ridge::cost
