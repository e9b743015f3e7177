// LoRA: a model whose weights stay as they are, and small changes of some of its Linear layers, which
// are what is trained.
//
//   nn::Lora adapted(llama, {.rank = 8, .layers = {"query", "value"}}, generator);
//   Tensor logits = adapted.model()(ids);            the model with its changes
//   nn::AdamW optimizer(adapted, {...});             trains "adapters.layers.0.attention.query.down", ...
//   Llama merged = adapted.merged();                 new weights, without adapters
//
// The base is visited as a buffer (Note [Buffers]): it has no gradient, and optimizers pass over it. The
// changes alone are `adapters`: save, load and exchange that member. They start as zero (up is zero), so
// that the first step starts from the model as it was.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ridge/nn/for_each_layer.h"
#include "ridge/nn/layers.h"

namespace ridge::nn {

struct LoraOptions {
  int64_t rank = 8;
  double alpha = 16;                  // changes are scaled by alpha / rank
  std::vector<std::string> layers{};  // Linear layers whose path ends in one of these; none: all
};

using Adapters = std::map<std::string, LowRank>;  // by the path of the layer

namespace detail {

// Error{value} for a rank below 1, Error{unknown_name} for a name of the options that no layer has.
void check_lora(const LoraOptions& options, const std::vector<std::string>& paths, Location where);
bool is_chosen(const LoraOptions& options, const std::string& path);
LowRank start_of_change(const Linear& layer, const LoraOptions& options, Generator& generator,
                        Location where);
Tensor merged_weight(const Linear& layer, const LowRank& change, Location where);

}  // namespace detail

template <class Model>
struct Lora {
  Model base;
  Adapters adapters;

  Lora(Model model, const LoraOptions& options, Generator& generator,
       Location where = Location::current())
      : base(std::move(model)) {
    std::vector<std::string> paths;
    for_each_layer<Linear>(base, [&](const std::string& path, Linear& layer) {
      if (layer.weight.defined()) paths.push_back(path);  // a tied head has none of its own
    });
    detail::check_lora(options, paths, where);
    for_each_layer<Linear>(base, [&](const std::string& path, Linear& layer) {
      if (!layer.weight.defined() || !detail::is_chosen(options, path)) return;
      adapters.emplace(path, detail::start_of_change(layer, options, generator, where));
    });
  }

  // The base with its changes, to be called: handles, nothing is copied.
  Model model() const {
    return changed([](Linear& layer, const LowRank& change) { layer.adapter = change; });
  }
  // The base with its changes added to its weights.
  Model merged(Location where = Location::current()) const {
    return changed([&](Linear& layer, const LowRank& change) {
      layer.weight = detail::merged_weight(layer, change, where);
      layer.format.reset();
    });
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit(buffer("base"), self.base);
    visit("adapters", self.adapters);
  }

 private:
  template <class Change>
  Model changed(Change&& change) const {
    Model copy = base;
    for_each_layer<Linear>(copy, [&](const std::string& path, Linear& layer) {
      const auto found = adapters.find(path);
      if (found != adapters.end()) change(layer, found->second);
    });
    return copy;
  }
};

}  // namespace ridge::nn
