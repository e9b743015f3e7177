// What `ridge bench` times: small programs by family, in a cache and beyond it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/ridge.h"

namespace ridge::command {

using Tensors = std::vector<Tensor>;

struct BenchInput {
  Shape shape;
  DType dtype = f32;
  int64_t below = 0;  // integers from 0 to below this one
};

struct BenchCase {
  std::string name;  // cpu.<family>.<what>.<sizes>
  std::vector<BenchInput> inputs;
  std::function<Tensors(const Tensors&)> function;
  bool has_chains = true;  // else products around a softmax are kernels of their own

  std::string family() const;
};

const std::vector<BenchCase>& cpu_cases();
Tensors make_inputs(const BenchCase& bench_case);  // random, the same each time

void add_pointwise_cases(std::vector<BenchCase>& cases);
void add_reduction_cases(std::vector<BenchCase>& cases);
void add_product_cases(std::vector<BenchCase>& cases);
void add_movement_cases(std::vector<BenchCase>& cases);
void add_attention_cases(std::vector<BenchCase>& cases);
void add_block_cases(std::vector<BenchCase>& cases);

}  // namespace ridge::command
