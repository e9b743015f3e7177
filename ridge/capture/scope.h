// Names the layer of a model that the ops of a block of code belong to.
//
//   for (size_t i = 0; i < blocks.size(); ++i) {
//     const LayerScope layer = scope("block", i);
//     x = blocks[i](x);          // nodes of "block.3", "block.3.attention", ...
//   }
//
// Scopes nest. They name nodes of the graph being captured, and cost a look at the thread where
// nothing is.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

namespace graph {
class Recorder;
}

class LayerScope {
 public:
  explicit LayerScope(std::string_view name);
  LayerScope(std::string_view name, size_t number);
  ~LayerScope();
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  void enter(std::string_view name);

  graph::Recorder* recorder_;
  std::string outer_;
};

[[nodiscard]] inline LayerScope scope(std::string_view name) { return LayerScope(name); }
// "block.3", put together where something is being captured and nowhere else.
[[nodiscard]] inline LayerScope scope(std::string_view name, size_t number) {
  return LayerScope(name, number);
}

}  // namespace ridge
