#include "demo_model.h"

#include "demo_images.h"
#include "ridge/capture/scope.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/loss.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/view.h"

namespace ridge::command {

namespace {

constexpr int64_t kPatchSide = 4;
constexpr int64_t kPatchesPerSide = kImageSide / kPatchSide;
constexpr int64_t kTokens = kPatchesPerSide * kPatchesPerSide;
constexpr int64_t kWidth = 64;
constexpr int64_t kHidden = 128;
constexpr int64_t kHeads = 4;
constexpr int kDepth = 2;

// [batch, side, side] -> [batch, tokens, pixels of a patch]
Tensor cut_into_patches(const Tensor& images) {
  const Size& batch = images.size(0);
  const Tensor grid =
      reshape(images, {batch, kPatchesPerSide, kPatchSide, kPatchesPerSide, kPatchSide});
  return reshape(permute(grid, {0, 1, 3, 2, 4}), {batch, kTokens, kPatchSide * kPatchSide});
}

}  // namespace

VisionTransformer::VisionTransformer(Generator& generator)
    : embedding(kPatchSide * kPatchSide, kWidth, generator),
      position(nn::clipped_normal({kTokens, kWidth}, 0.1, generator)),
      norm(kWidth),
      head(kWidth, kClassCount, generator) {
  for (int i = 0; i < kDepth; ++i) blocks.emplace_back(kWidth, kHeads, generator, kHidden);
}

Tensor VisionTransformer::operator()(const Tensor& images) const {
  Tensor x = embed(images);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const LayerScope layer = scope("block", i);
    x = blocks[i](x);
  }
  const LayerScope layer = scope("head");
  return head(mean(norm(x), {1}));
}

Tensor VisionTransformer::embed(const Tensor& images) const {
  const LayerScope layer = scope("embedding");
  return embedding(cut_into_patches(images)) + position;
}

PixelClassifier::PixelClassifier(Generator& generator)
    : head(kPixelCount, kClassCount, generator) {}

Tensor PixelClassifier::operator()(const Tensor& images) const { return head(flatten(images, 1)); }

Tensor count_correct(const Tensor& logits, const Tensor& labels) {
  return sum(argmax(logits, 1) == labels);
}

std::pair<Tensor, Tensor> loss_and_correct(const Tensor& logits, const Tensor& labels) {
  const LayerScope layer = scope("loss");
  return {cross_entropy(logits, labels), count_correct(logits, labels)};
}

}  // namespace ridge::command
