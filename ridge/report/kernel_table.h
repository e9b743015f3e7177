// The kernels of a program as a table for people.
//
//   to_text(rows)
//
//   name                ops         layer or lines    bytes  flops  ...
//   linear_3f2a91c0     matmul add  block.0.mlp.up   147968  67584
//   fused_add_5c0e7712  add mul*2   train.cpp:12,14   65536   8192
//   all 2                                            213504  75776
//
//   ...  floor, us  predicted  measured  of reached  bound     regime
//              2.1        3.0       3.9        74 %  fma       compute
//              0.6        2.4       2.9        41 %  overhead  overhead
//              2.7        5.4       6.8        60 %
//
// Kernels stand slowest first, by the mean of their launches, if any was timed; else in the order
// they run, without what needs a time. Bound names the resource that binds the kernel, and the
// percentage is how much of the measured time it would need at the best rate that it was measured to
// reach. The last row is one run of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/report/kernel_row.h"

namespace ridge::report {

// Was any of them launched while timing was on?
bool is_timed(const std::vector<KernelRow>& rows);

// `limit` rows are shown, 0 for all; one more sums up those left out.
std::string to_text(const std::vector<KernelRow>& rows, size_t limit = 0);

// Whose figures the prices of this machine's kernels rest on: measured ones, or a stand-in's.
// `gpu_name`: what the GPU they run on calls itself; empty on a CPU.
std::string figures_text(const cost::Sheet& sheet, std::string_view gpu_name = {});

}  // namespace ridge::report
