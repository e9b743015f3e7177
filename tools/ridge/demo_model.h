// The models of the demo, and the one objective both are trained by.
//
//   VisionTransformer model(generator);
//   model(images);                                   // [batch, side, side] -> logits [batch, 10]
//   auto [loss, correct] = objective(model, images, labels);
//
// Nothing here knows whether it runs at once or is being captured: the compiled step and the eager
// one call the same functions.
#pragma once

#include <utility>
#include <vector>

#include "ridge/nn/layers.h"

namespace ridge::command {

// Cuts an image into squares, embeds each as a token, and lets the tokens attend to each other.
struct VisionTransformer {
  nn::Linear embedding;
  Tensor position;  // [tokens, width], added to the embedded squares
  std::vector<nn::TransformerBlock> blocks;
  nn::LayerNorm norm;
  nn::Linear head;

  explicit VisionTransformer(Generator& generator);
  Tensor operator()(const Tensor& images) const;
  Tensor embed(const Tensor& images) const;  // to [batch, tokens, width]

  static void visit_tensors(auto& self, auto&& visit) {
    visit("embedding", self.embedding);
    visit("position", self.position);
    visit("blocks", self.blocks);
    visit("norm", self.norm);
    visit("head", self.head);
  }
};

// A weight for each pixel and class: what the data set must be too hard for.
struct PixelClassifier {
  nn::Linear head;

  explicit PixelClassifier(Generator& generator);
  Tensor operator()(const Tensor& images) const;

  static void visit_tensors(auto& self, auto&& visit) { visit("head", self.head); }
};

// How many images the logits put into their class.
Tensor count_correct(const Tensor& logits, const Tensor& labels);
std::pair<Tensor, Tensor> loss_and_correct(const Tensor& logits, const Tensor& labels);

template <class Model>
std::pair<Tensor, Tensor> objective(const Model& model, const Tensor& images,
                                    const Tensor& labels) {
  return loss_and_correct(model(images), labels);
}

}  // namespace ridge::command
