// The training step of the demo on a model small enough to be compiled again and again.
#pragma once

#include "tests/fault/fault.h"
#include "tools/ridge/demo_step.h"

namespace ridge::fault {

// As VisionTransformer, of one narrow block over images that are cut already.
struct SmallTransformer {
  static constexpr int64_t kTokens = 4, kPixels = 6, kWidth = 8, kHeads = 2, kHidden = 16;

  nn::Linear embedding;
  Tensor position;
  nn::TransformerBlock block;
  nn::Linear head;

  explicit SmallTransformer(Generator& generator)
      : embedding(kPixels, kWidth, generator),
        position(normal({kTokens, kWidth}, generator)),
        block(kWidth, kHeads, generator, kHidden),
        head(kWidth, 3, generator) {}
  Tensor operator()(const Tensor& images) const {
    return head(mean(block(embedding(images) + position), {1}));
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("embedding", self.embedding);
    visit("position", self.position);
    visit("block", self.block);
    visit("head", self.head);
  }
};

using Optimizer = nn::AdamW<SmallTransformer>;

// What the step is given, and what it leaves there.
struct Training {
  SmallTransformer model;
  Optimizer optimizer;
  Tensor images, labels;

  static Training start() {
    Generator generator(1);
    SmallTransformer model(generator);
    Optimizer optimizer(model);
    const Tensor images =
        normal({2, SmallTransformer::kTokens, SmallTransformer::kPixels}, generator);
    return {model, optimizer, images, Tensor::of<int64_t>({2, 1}, {2})};
  }
  Training copy() const { return command::copy_of(*this); }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("model", self.model);
    visit("optimizer", self.optimizer);
    visit("images", self.images);
    visit("labels", self.labels);
  }
};

inline auto compiled_step() {
  return compile(&command::train_step<SmallTransformer>, {.name = "train_step"});
}

// What it leaves and returns.
template <class Step>
std::string result_of(const Step& step, Training& training) {
  const auto [loss, correct] =
      step(training.model, training.optimizer, training.images, training.labels);
  return bytes_of(training) + bytes_of(loss) + bytes_of(correct);
}

}  // namespace ridge::fault
