// From the names of a file to the tensors of a struct: a table for each model.
//
//   const LoadTable table = {
//       .prefixes = {"transformer."},
//       .rules = {{"wte.weight", {"embedding.weight"}},
//                 {"h.{}.attn.c_attn.weight", {"layers.{}.attention.query.weight", ..., ...}, transpose},
//                 {"h.{}.attn.bias", {}}}};
//   load(gpt2, table, files::open_weights("model.safetensors"));
//
// "{}" stands for the number of a layer, "*" at the end for anything. Several fields split the tensor evenly along their first
// dimension; a rule without fields ignores what it matches. Several rules may lead to one field, as files
// of different ages name it; only one of them may be in a file.
//
// The model comes in with tensors of the right shapes, which may be without elements (kMeta), and goes out
// with those of the file. Names are compared first: every missing, unexpected and misshapen one is in one
// Error{value}, and nothing is loaded then.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ridge/core/visit_tensors.h"
#include "ridge/files/weights.h"
#include "ridge/nn/for_each_layer.h"
#include "ridge/nn/layers.h"

namespace ridge::models {

enum class Change : uint8_t {
  none,
  transpose,  // stored as [in, out]
  flatten,    // all dimensions but the first as one, or as the field has them
};

struct Rule {
  std::string pattern;
  std::vector<std::string> fields;  // paths as visit_tensors has them
  Change change = Change::none;
};

struct LoadTable {
  std::vector<std::string> prefixes;  // of which names may have one
  std::vector<Rule> rules;
};

struct LoadOptions {
  DType dtype = kDefaultFloat;  // of all tensors; what is stored so is mapped, not copied
  Device device = kCpu;
  bool keeps_blocks = true;  // quantized weights of Linear and Embedding layers stay quantized
};

// A tensor of the model, by its path.
struct Field {
  std::string path;
  Tensor* tensor;
  std::optional<BlockFormat>* format = nullptr;  // of a layer that takes blocks
};

void load_fields(std::vector<Field> fields, const LoadTable& table, const files::WeightFile& file,
                 const LoadOptions& options, Location where);

template <class Model>
void load(Model& model, const LoadTable& table, const files::WeightFile& file,
          const LoadOptions& options = {}, Location where = Location::current()) {
  std::map<const Tensor*, std::optional<BlockFormat>*> formats;
  const auto add_format = [&](const std::string&, auto& layer) {
    formats[&layer.weight] = &layer.format;
  };
  nn::for_each_layer<nn::Linear>(model, add_format);
  nn::for_each_layer<nn::Embedding>(model, add_format);
  std::vector<Field> fields;
  for_each_parameter(model, [&](const std::string& path, Tensor& tensor) {
    const auto found = formats.find(&tensor);
    fields.push_back({path, &tensor, found == formats.end() ? nullptr : found->second});
  });
  load_fields(std::move(fields), table, file, options, where);
}

}  // namespace ridge::models
