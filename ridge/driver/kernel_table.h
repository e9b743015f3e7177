// The kernels of a program as a table for people.
//
//   to_text(program.rows())
//
//   name                ops           layer or lines     bytes  flops  time, us   GB/s  GFLOP/s
//   linear_3f2a91c0     matmul add    block.0.mlp.up    147968  67584      12.5   11.8      5.4
//   fused_add_5c0e7712  add mul*2     train.cpp:12,14    65536   8192       6.1   10.7      1.3
//   all 2                                               213504  75776      18.6   11.5      4.1
//
// Kernels that were timed stand slowest first, with the mean of their launches; others in the order
// they run, without the last three columns. The last row is one run of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::driver {

struct KernelRow {
  std::string name;
  std::vector<std::string> ops;     // without views, unless there is nothing else
  std::vector<std::string> scopes;  // layers the ops were called in: "block.0.attention"
  std::vector<std::string> lines;   // of the user's program
  int64_t bytes = 0;                // to and from memory, in one launch
  int64_t flops = 0;
  int64_t launches = 0;  // while timing was on
  double total_us = 0;   // of those launches
};

// Was any of them launched while timing was on?
bool is_timed(const std::vector<KernelRow>& rows);

// `limit` rows are shown, 0 for all; one more sums up those left out.
std::string to_text(const std::vector<KernelRow>& rows, size_t limit = 0);

}  // namespace ridge::driver
