// Quantizing the layers of a model: weights become blocks of few bits, Note [Quantized layers] in layers.h.
//
//   const auto layers = nn::quantize(model, {.format = BlockFormat::q4_1});
//   for (const auto& layer : layers) std::printf("%s %.4f\n", layer.path.c_str(), layer.error);
//
// Linear and Embedding layers are converted, in place; norms, biases and everything else stay as they are.
#pragma once

#include <string>
#include <vector>

#include "ridge/nn/for_each_layer.h"
#include "ridge/nn/layers.h"

namespace ridge::nn {

struct QuantizeOptions {
  BlockFormat format = BlockFormat::q8_0;  // or q4_0, q4_1, f8_e4m3
  std::vector<std::string> layers{};       // those whose path ends in one of these; none: all
};

struct QuantizedLayer {
  std::string path;
  bool is_quantized = true;
  std::string reason{};      // why it was left alone
  double error = 0;          // of the weight: root of the mean square, over that of the weight
  int64_t bytes_before = 0;  // of the weight
  int64_t bytes_after = 0;
};

// Blocks u8 [..., bytes] of the numbers [..., width], by GGUF's own rule of rounding. Error{value} for a format that
// is only read, Error{shape} for rows that are no whole blocks.
Tensor quantized_blocks(const Tensor& weight, BlockFormat format,
                        Location where = Location::current());

namespace detail {

QuantizedLayer quantize_weight(const std::string& path, Tensor& weight,
                               std::optional<BlockFormat>& format, const QuantizeOptions& options,
                               Location where);

}  // namespace detail

template <class Model>
std::vector<QuantizedLayer> quantize(Model& model, const QuantizeOptions& options = {},
                                     Location where = Location::current()) {
  std::vector<QuantizedLayer> result;
  const auto convert = [&](const std::string& path, auto& layer) {
    if (!layer.weight.defined()) return;  // a head that shares another's weight
    result.push_back(detail::quantize_weight(path, layer.weight, layer.format, options, where));
  };
  for_each_layer<Linear>(model, convert);
  for_each_layer<Embedding>(model, convert);
  return result;
}

}  // namespace ridge::nn
