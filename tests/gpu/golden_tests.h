// The tests of the golden set. main.cpp reads the set and adds them.
#pragma once

#include <filesystem>
#include <span>

#include "tests/gpu/golden_set.h"
#include "tests/gpu/resource_table.h"

namespace ridge::golden {

// GoldenCompile: NVRTC takes every kernel for every device we write for, without complaints, and
// sm_90a's take what the table says. With `blessed`, what they take goes there and is not compared.
void add_compile_tests(std::span<const GoldenGraph> set, const std::filesystem::path& table,
                       ResourceTable* blessed);

// GoldenOnHost: the text, run by the CPU, gives what the oracle says.
void add_host_tests(std::span<const GoldenGraph> set);

// GoldenOnGpu: the same on the GPU of this machine, through the runtime.
void add_gpu_tests(std::span<const GoldenGraph> set);

}  // namespace ridge::golden
