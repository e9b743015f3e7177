// All that is asked of one golden kernel over mapped tiles, smallest first, in a process of its own: one that hangs or
// faults takes no other test along.
//
//   ridge_gpu_tests --golden=tests/golden/gpu --tile-kernel=ping_pong_128x192
//   ping_pong_128x192 of 8 x 8 x 8, integers
//   ping_pong_128x192 of 64 x 64 x 64, integers
//   64 of 4096 elements are wrong; ...
//
// Each line is written before what it names is launched, so the last one says what hangs.
#pragma once

#include <string>
#include <vector>

namespace ridge::golden {

// Their names, the simplest first: of those before them the others are variants.
std::vector<std::string> tile_kernels();

// To stdout; an exit code: 0, 1 with what is wrong, 77 with the reason where there is no such device.
int check_tile_kernel(const std::string& name);

// A test for each kernel, which runs this program anew. They run before all other tests, as gtest does with suites of
// this kind of name.
void add_tile_kernel_tests(const std::string& golden_folder);

}  // namespace ridge::golden
