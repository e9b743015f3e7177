// Which kernels NVRTC compiles in one text.
//
//   programs_of({20000, 3000, 2800, 400}, 16)   ->   {0}, {1, 2, 3}
//
// In: how long the texts of kernels are, and on how many threads they are compiled. Out: their numbers,
// in the order in which to begin them; each is in one program. The front end of NVRTC serves one thread
// at a time, and 20 ms of it are the same for every text (NVRTC 13.0 on a Xeon of 2021):
// 41 kernels of a training step, each by itself, wait for it a whole second on any number of cores. So
// kernels share texts, the fewer the longer they are, and those begun last are short.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::linker {

std::vector<std::vector<size_t>> programs_of(std::span<const size_t> text_bytes, int threads);

// One text with all of the kernels, each in a namespace of its own with the functions it brings along,
// so that its code is what it would be by itself. The names of the kernels must differ.
std::string joined_text(std::span<const std::string_view> texts);

}  // namespace ridge::linker
