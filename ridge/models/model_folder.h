// A model as Hugging Face keeps it: a folder with config.json and the weights beside it.
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

// Does the file start as a GGUF file does? False for a folder.
bool is_gguf(const std::filesystem::path& path);

}  // namespace ridge::models
