// The device helpers that generated text calls, each with what it needs in turn.
//
//   prelude_text({"sine"})     sine, and the polynomials and the reduction it is made of
//
// A kernel carries only those it uses, so that a reader sees all of it in one place and NVRTC needs
// no header. They stand in ridge/kernels/cuda. Helpers that are PTX instructions stand by themselves:
// tests compile generated text with the host's compiler and define RIDGE_ON_HOST as functions to take
// their place.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::codegen::cuda {

struct DeviceHelper {
  std::string_view name;
  std::vector<std::string_view> needs;
  bool is_ptx;
  std::string_view text;  // whole lines
};

// All of ridge/kernels/cuda/prelude.cuh, each after those it needs.
std::span<const DeviceHelper> device_helpers();

// The definitions of these helpers, in the namespace `ridge`; empty if there are none.
std::string prelude_text(const std::set<std::string>& used);

}  // namespace ridge::codegen::cuda
