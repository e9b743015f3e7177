#include "explain_examples.h"

#include <tuple>

#include "demo_images.h"
#include "demo_step.h"
#include "memory_examples.h"
#include "ridge/base/text.h"
#include "ridge/ridge.h"

namespace ridge::command {
namespace {

constexpr int64_t kExampleWidth = 512, kExampleTokens = 128, kExampleHeads = 8;

template <class Arg>
void move_to(Arg& arg, Device device) {
  for (Tensor* tensor : nn::detail::tensors_of(arg)) {
    if (tensor->defined()) *tensor = to_device(*tensor, device);
  }
}

// Compiles the function for these arguments, which live on the device as long as the example.
template <class F, class... Args>
ReadyExample ready(Device device, const std::string& name, F function, Args... args) {
  (move_to(args, device), ...);
  const auto compiled = compile(std::move(function), {.name = name});
  auto arguments = std::make_shared<std::tuple<Args...>>(std::move(args)...);
  auto run = [compiled, arguments] {
    std::apply([&](auto&... each) { static_cast<void>(compiled(each...)); }, *arguments);
  };
  run();
  return {compiled.programs().back(), std::move(run)};
}

Tensor random(const Shape& shape) {
  Generator generator(1);
  return uniform(shape, generator, -1, 1);
}

Tensor classes_of(int64_t batch) {
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < batch; ++i) labels.push_back(i % kClassCount);
  return Tensor::of<int64_t>(labels, {batch});
}

// What train_mlp trains: pixels to classes, through one hidden layer.
struct Classifier {
  nn::Linear up, down;

  explicit Classifier(Generator& generator)
      : up(kPixelCount, kExampleWidth, generator), down(kExampleWidth, kClassCount, generator) {}
  Tensor operator()(const Tensor& images) const {
    return down(gelu(up(reshape(images, {images.size(0), kPixelCount}))));
  }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};

template <class Model>
ReadyExample make_step(const std::string& name, int64_t batch, Device device) {
  Generator generator(1);
  Model model(generator);
  nn::AdamW<Model> optimizer(model);
  return ready(device, name, &train_step<Model>, std::move(model), std::move(optimizer),
               random({batch, kImageSide, kImageSide}), classes_of(batch));
}

ReadyExample make_softmax(int64_t batch, Device device) {
  return ready(
      device, "softmax", [](const Tensor& x) { return softmax(x, -1); }, random({batch, 1024}));
}

ReadyExample make_layer_norm(int64_t batch, Device device) {
  return ready(
      device, "layer_norm", [](const nn::LayerNorm& norm, const Tensor& x) { return norm(x); },
      nn::LayerNorm(1024), random({batch, 1024}));
}

ReadyExample make_mlp(int64_t batch, Device device) {
  Generator generator(1);
  return ready(
      device, "mlp", [](const nn::Mlp& mlp, const Tensor& x) { return mlp(x); },
      nn::Mlp(kExampleWidth, 4 * kExampleWidth, generator), random({batch, kExampleWidth}));
}

ReadyExample make_attention(int64_t batch, Device device) {
  Generator generator(1);
  return ready(
      device, "attention",
      [](const nn::MultiHeadAttention& attention, const Tensor& x) { return attention(x); },
      nn::MultiHeadAttention(kExampleWidth, kExampleHeads, generator),
      random({batch, kExampleTokens, kExampleWidth}));
}

ReadyExample make_adamw(int64_t batch, Device device) {
  std::vector<Tensor> parameters{random({batch, 1024, 1024})};
  nn::AdamW<std::vector<Tensor>> optimizer(parameters);
  return ready(
      device, "adamw",
      [](std::vector<Tensor>& weights, nn::AdamW<std::vector<Tensor>>& state,
         const std::vector<Tensor>& gradient) { state.update(weights, gradient); },
      std::move(parameters), std::move(optimizer),
      std::vector<Tensor>{random({batch, 1024, 1024})});
}

}  // namespace

const std::vector<Example>& examples() {
  static const std::vector<Example>& list = *new std::vector<Example>{
      // matches: examples are named after what they call
      {"softmax", "softmax along rows of 1024", "rows", 1024, make_softmax},
      {"layer_norm", "layer norm along rows of 1024", "rows", 1024, make_layer_norm},
      {"mlp", "512 to 2048, gelu, back to 512", "rows", 256, make_mlp},
      {"attention", "8 heads over 128 tokens of width 512", "sequences", 4, make_attention},
      {"adamw", "an update of parameters", "million parameters", 4, make_adamw},
      {"train_mlp", "a training step of a classifier with one hidden layer: gradients and AdamW",
       "images", 64,
       [](int64_t batch, Device device) {
         return make_step<Classifier>("train_mlp", batch, device);
       }},
      {"vit_step", "a training step of the demo's vision transformer", "images", 64,
       [](int64_t batch, Device device) {
         return make_step<VisionTransformer>("vit_step", batch, device);
       }}};
  return list;
}

const Example& find_example(const std::string& name) {
  std::vector<std::string> names;
  for (const Example& example : examples()) {
    if (example.name == name) return example;
    names.push_back(example.name);
  }
  for (const MemoryExample& example : memory_examples()) names.push_back(example.name);
  const std::string guess = did_you_mean(name, names);
  throw Error({.code = ErrorCode::unknown_name,
               .op = "explain",
               .expected = "the name of an example",
               .given = concat("`", name, "`"),
               .hint = guess.empty() ? "the examples are " + join(names, ", ") : guess});
}

}  // namespace ridge::command
