#include "ridge/cost/roofline/operations.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::cost {

namespace {

std::vector<Operation> make_operations() {
  const std::vector<std::string_view> matmul = {"--weights", "--output", "--tile", "--layout"};
  const std::vector<std::string_view> collective = {"--devices", "--axes", "--open"};
  return {
      {"matmul",
       {{"M", "B"}, {"N", "F"}, {"K", "D"}},
       "X[M,K] W[K,N]",
       "matmul 240x8192x8192 --weights int8 --device tpu-v5e",
       matmul,
       estimate_matmul},
      {"bmm",
       {{"B"}, {"M"}, {"N"}, {"K"}},
       "B matmuls X[B,M,K] W[B,K,N]",
       "bmm 32x512x512x64 --device h200",
       matmul,
       estimate_bmm},
      {"batched-weights",
       {{"B"}, {"D"}, {"F"}},
       "each row has weights of its own: X[B,D] W[B,D,F]",
       "batched-weights 64x4096x4096 --dtype int8 --device tpu-v5e",
       matmul,
       estimate_batched_weights},
      {"dot",
       {{"N"}},
       "inner product of two vectors",
       "dot 1000000 --device h200",
       {"--weights", "--output"},
       estimate_dot},
      {"pointwise",
       {},
       "a chain of operations on each number, which reads --inputs tensors and writes one",
       "pointwise 4096x4096 --dtype f32 --repeat 64 --fma --device a100-40",
       {"--output", "--repeat", "--fma", "--function", "--inputs"},
       estimate_pointwise},
      {"reduce",
       {},
       "a sum or maximum over one axis, or all",
       "reduce 4096x4096 --axis 1 --device h200",
       {"--output", "--axis"},
       estimate_reduce},
      {"attention",
       {{"B"}, {"H"}, {"S"}, {"D"}},
       "B sequences, H heads of size D, S queries: --algorithm flash (the default) or naive",
       "attention B=8,H=32,S=4096,D=128 --causal --device h200",
       {"--algorithm", "--causal", "--keys", "--kv-heads", "--tile"},
       estimate_attention},
      {"convolution",
       {{"N"}, {"C"}, {"H"}, {"W"}, {"K"}, {"R"}, {"S"}},
       "N images of C channels, K filters of RxS",
       "convolution N=32,C=64,H=56,W=56,K=64,R=3,S=3 --padding 1 --device h200",
       {"--weights", "--output", "--tile", "--stride", "--padding"},
       estimate_convolution},
      {"block",
       {{"B"}, {"S"}, {"D"}},
       "the forward pass of a transformer block over [B,S,D]",
       "block B=8,S=4096,D=4096 --causal --device h200",
       {"--weights", "--heads", "--kv-heads", "--hidden", "--gated", "--causal", "--layers"},
       estimate_block},
      {"decode",
       {{"B"}, {"S"}, {"D"}},
       "one token for each of B sequences, S tokens cached",
       "decode B=32,S=4096,D=4096 --kv-heads 8 --hidden 14336 --gated --layers 32 --device h200",
       {"--weights", "--heads", "--kv-heads", "--hidden", "--gated", "--layers", "--vocabulary"},
       estimate_decode},
      {"sharded",
       {{"M", "B"}, {"N", "F"}, {"K", "D"}},
       "a matmul with M, N or K split over devices",
       "sharded B=512,D=16384,F=8192 --split D --devices 2 --device tpu-v5e",
       {"--weights", "--output", "--split", "--devices", "--axes", "--open", "--algorithm"},
       estimate_sharded},
      {"all-gather",
       {},
       "each device ends with the whole array",
       "all-gather 8192x8192 --devices 8 --device h200",
       collective,
       estimate_all_gather},
      {"reduce-scatter",
       {},
       "arrays are added, each device keeps a part",
       "reduce-scatter 8192x8192 --devices 8 --device h200",
       collective,
       estimate_reduce_scatter},
      {"all-reduce",
       {},
       "arrays are added, each device has the sum: --algorithm ring or switch",
       "all-reduce 8192x8192 --devices 8 --device h200",
       {"--devices", "--axes", "--open", "--algorithm"},
       estimate_all_reduce},
      {"all-to-all",
       {},
       "an array split along one axis becomes split along another",
       "all-to-all 8192x8192 --devices 8 --device h200",
       collective,
       estimate_all_to_all},
  };
}

}  // namespace

std::span<const Operation> operations() {
  static const std::vector<Operation>& all = *new std::vector<Operation>(make_operations());
  return all;
}

const Operation& find_operation(std::string_view name) {
  const auto found = std::ranges::find(operations(), name, &Operation::name);
  if (found == operations().end()) {
    std::vector<std::string_view> names;
    for (const Operation& operation : operations()) names.push_back(operation.name);
    throw_error({.code = ErrorCode::unknown_name,
                 .expected = "an operation out of " + join(names, ", "),
                 .given = concat("`", name, "`"),
                 .hint = did_you_mean(name, names)});
  }
  return *found;
}

}  // namespace ridge::cost
