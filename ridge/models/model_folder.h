// A model as Hugging Face keeps it: a folder with config.json and the weights beside it. And a folder
// into which a GGUF file was put.
//
//   find_model("smollm2")            "smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
//   find_model("llama")              "llama", which has a config.json
#pragma once

#include <filesystem>

#include "ridge/files/weights.h"
#include "ridge/models/config.h"

namespace ridge::models {

struct ModelFolder {
  Config config;
  files::WeightFile weights;
};

// model.safetensors, model.safetensors.index.json or pytorch_model.bin, the first that is there.
// Error{io} if none is.
ModelFolder open_folder(const std::filesystem::path& path, Location where = Location::current());

// The GGUF file of a folder that has one and no config.json; any other path as it is. Error{io} where
// several could be meant.
std::filesystem::path find_model(const std::filesystem::path& path,
                                 Location where = Location::current());

// Does the file start as a GGUF file does? False for a folder.
bool is_gguf(const std::filesystem::path& path);

}  // namespace ridge::models
