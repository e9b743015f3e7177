#include "recorded_arrays.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ridge::testing {
namespace {

DType dtype_named(const std::string& name) {
  for (const DType dtype : {f32, f64, i32}) {
    if (ridge::name(dtype) == name) return dtype;
  }
  throw std::runtime_error("an array of " + name);
}

}  // namespace

std::map<std::string, Tensor> read_arrays(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::pair<std::string, Tensor>> arrays;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    std::istringstream words(line);
    std::string dtype, name;
    words >> dtype >> name;
    Shape shape;
    for (int64_t size = 0; words >> size;) shape.push_back(size);
    arrays.emplace_back(name, Tensor::empty(shape, dtype_named(dtype), kCpu));
  }
  for (auto& [name, tensor] : arrays) {
    const auto bytes = tensor.numel().value() * tensor.dtype().bits / 8;
    file.read(static_cast<char*>(tensor.storage().data()), bytes);
    if (!file) throw std::runtime_error(path + " ends inside of " + name);
  }
  return {arrays.begin(), arrays.end()};
}

}  // namespace ridge::testing
