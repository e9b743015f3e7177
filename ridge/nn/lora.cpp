#include "ridge/nn/lora.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/dequantize.h"
#include "ridge/ops/matmul.h"

namespace ridge::nn::detail {

namespace {

bool ends_in(const std::string& path, const std::string& name) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

}  // namespace

void check_lora(const LoraOptions& options, const std::vector<std::string>& paths, Location where) {
  RIDGE_CHECK(options.rank > 0 && options.alpha > 0, .code = ErrorCode::value, .op = "Lora",
              .expected = "a rank of at least 1 and a positive alpha",
              .given = concat(options.rank, " and ", options.alpha), .where = where);
  for (const std::string& name : options.layers) {
    const bool is_known =
        std::ranges::any_of(paths, [&](const std::string& path) { return ends_in(path, name); });
    RIDGE_CHECK(is_known, .code = ErrorCode::unknown_name, .op = "Lora",
                .expected = concat("the end of the path of a Linear layer, such as ",
                                   paths.empty() ? "none: the model has no such layer" : paths[0]),
                .given = name, .where = where);
  }
}

bool is_chosen(const LoraOptions& options, const std::string& path) {
  if (options.layers.empty()) return true;
  return std::ranges::any_of(options.layers,
                             [&](const std::string& name) { return ends_in(path, name); });
}

LowRank start_of_change(const Linear& layer, const LoraOptions& options, Generator& generator,
                        Location where) {
  const int64_t out = layer.weight.size(0).value(), in = layer.in_width();
  const DType dtype = is_floating(layer.weight.dtype()) ? layer.weight.dtype() : kDefaultFloat;
  // The same numbers on every device, beside the weight wherever the generator is.
  const Tensor down = uniform_by_fan_in({options.rank, in}, in, generator, dtype, where);
  return {.down = to_device(down, layer.weight.device(), where),
          .up = zeros({out, options.rank}, dtype, layer.weight.device(), where),
          .scale = options.alpha / static_cast<double>(options.rank)};
}

Tensor merged_weight(const Linear& layer, const LowRank& change, Location where) {
  const Tensor product = matmul({change.up, where}, change.down);
  const Tensor weight =
      layer.format ? dequantize({layer.weight, where}, *layer.format) : layer.weight;
  return add({weight, where}, mul({product, where}, change.scale));
}

}  // namespace ridge::nn::detail
