// The sizes of a model, as a config.json or the metadata of a GGUF file has them.
//
//   const models::Config config = models::Config::open("model/config.json");
//   config.integer("num_hidden_layers");                     30
//   config.real_or("rope_scaling.factor", 1);                members of objects by a path
//
// Values are numbers, flags and texts under their keys; null counts as absent, and lists are left out but
// for one of texts, of which the first is kept ("architectures"). An error names the key and the file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "ridge/base/error.h"
#include "ridge/files/gguf.h"

namespace ridge::models {

class Config {
 public:
  using Value = std::variant<double, bool, std::string>;

  // Error{io}, Error{parse}.
  static Config open(const std::filesystem::path& path);
  static Config parse(std::string_view json, std::string name);
  // Keys without the name of the architecture: "block_count", "attention.head_count".
  static Config of(const files::Gguf& gguf);

  const std::string& name() const { return name_; }  // of the file
  bool has(std::string_view key) const { return values_.contains(key); }

  // Error{unknown_name} for a key that is absent, Error{value} for another kind of value.
  int64_t integer(std::string_view key, Location where = Location::current()) const;
  double real(std::string_view key, Location where = Location::current()) const;
  bool flag(std::string_view key, Location where = Location::current()) const;
  std::string text(std::string_view key, Location where = Location::current()) const;
  int64_t integer_or(std::string_view key, int64_t otherwise,
                     Location where = Location::current()) const;
  double real_or(std::string_view key, double otherwise,
                 Location where = Location::current()) const;
  bool flag_or(std::string_view key, bool otherwise, Location where = Location::current()) const;
  std::string text_or(std::string_view key, std::string otherwise,
                      Location where = Location::current()) const;

 private:
  template <class T>
  const T& get(std::string_view key, std::string_view kind, Location where) const;

  std::string name_;
  std::map<std::string, Value, std::less<>> values_;
};

// Sizes above these are a damaged file: a model is made of that many layers before its tensors are looked for.
inline constexpr int64_t kMostLayers = 4096;
inline constexpr int64_t kLargestSize = int64_t{1} << 31;

// Are there from 1 to kMostLayers layers, and is each of the sizes from 1 to kLargestSize?
bool are_possible(int64_t layers, std::initializer_list<int64_t> sizes);

// Error{value}, naming the file, unless the value is one of those a model can be built with.
void check_supported(const Config& config, std::string_view key, std::string_view value,
                     std::initializer_list<std::string_view> supported,
                     Location where = Location::current());

}  // namespace ridge::models
