// LoRA over a model on a GPU, with a generator on the host, as `ridge finetune --device cuda` has them.
#include "ridge/nn/lora.h"

#include <gtest/gtest.h>

#include "ridge/nn/on_device.h"
#include "tests/fake_gpu/sums.h"

namespace ridge::lora_test {
namespace {

TEST(LoraOnGpu, ChangesStandBesideTheirWeights) {
  Generator generator(1);
  const nn::Mlp model = nn::on_device(nn::Mlp(4, 8, generator), kGpu);
  const nn::Lora<nn::Mlp> adapted(model, {.rank = 2}, generator);
  for_each_parameter(adapted, [](const std::string& path, const Tensor& tensor) {
    EXPECT_EQ(tensor.device(), kGpu) << path;
  });
}

}  // namespace
}  // namespace ridge::lora_test
