// The vision transformer: patches of an image as tokens, a class token in front.
//
//   models::Vit vit = models::open_vit("vit-base-patch16-224");      a folder of Hugging Face's
//   Tensor logits = vit(images);                                     [batch, 3, 224, 224] -> [batch, 1000]
//
// torchvision's files have no config: give the sizes, and load by `vit_torchvision_table`.
#pragma once

#include <filesystem>

#include "ridge/models/config.h"
#include "ridge/models/loader.h"
#include "ridge/nn/grouped_attention.h"

namespace ridge::models {

struct VitConfig {
  int64_t image = 224;  // height and width
  int64_t patch = 16;
  int64_t channels = 3;
  int64_t width = 768;
  int64_t hidden = 3072;
  int64_t layers = 12;
  int64_t heads = 12;
  int64_t classes = 1000;  // 0: without a head, the state of the class token is the result
  double norm_eps = 1e-6;  // torchvision's; Hugging Face's default is 1e-12

  static VitConfig read(const Config& config, Location where = Location::current());
};

struct VitLayer {
  nn::LayerNorm attention_norm;
  nn::GroupedQueryAttention attention;
  nn::LayerNorm mlp_norm;
  nn::Linear up;
  nn::Linear down;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("attention_norm", self.attention_norm);
    visit("attention", self.attention);
    visit("mlp_norm", self.mlp_norm);
    visit("up", self.up);
    visit("down", self.down);
  }
};

struct Vit {
  nn::Linear
      patches;  // [width, channels * patch * patch]: a convolution whose patches do not overlap
  Tensor class_token;  // [1, 1, width]
  Tensor positions;    // [1, 1 + patches, width]
  std::vector<VitLayer> layers;
  nn::LayerNorm norm;
  nn::Linear head;
  int64_t patch = 16;

  Vit() = default;
  explicit Vit(
      const VitConfig& config);  // tensors without elements: load, or randomize (skeleton.h)
  // Error{shape} unless images are [batch, channels, image, image].
  Tensor operator()(const At& images) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("patches", self.patches);
    visit("class_token", self.class_token);
    visit("positions", self.positions);
    visit("layers", self.layers);
    visit("norm", self.norm);
    visit("head", self.head);
    visit("patch", self.patch);
  }
};

LoadTable vit_table();  // names of Hugging Face, of files and of transformers 5
LoadTable vit_torchvision_table();
Vit open_vit(const std::filesystem::path& folder, const LoadOptions& options = {},
             Location where = Location::current());

}  // namespace ridge::models
