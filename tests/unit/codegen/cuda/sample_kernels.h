// Kernels in the GPU mapping, as text: what a scheduler may make, one feature at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::codegen {

struct Sample {
  std::string_view name;  // of the kernel
  std::array<int64_t, 2> sizes;
  std::string_view text;
  bool fits_32_bits = true;
  bool streaming_loads = false;
};

// By family: sample_maps.cpp and so on.
std::span<const Sample> map_samples();
std::span<const Sample> arithmetic_samples();
std::span<const Sample> move_samples();
std::span<const Sample> reduction_samples();
std::span<const Sample> register_row_samples();

// All of them.
std::span<const Sample> samples();

}  // namespace ridge::codegen
