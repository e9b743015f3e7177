#include "ridge/models/config.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ridge/base/files.h"
#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"

namespace ridge::models {

namespace {

using Values = std::map<std::string, Config::Value, std::less<>>;

void read_object(JsonReader& json, const std::string& prefix, Values& values);

void read_value(JsonReader& json, const std::string& key, Values& values) {
  switch (json.kind()) {
    case JsonKind::object: return read_object(json, key + ".", values);
    case JsonKind::array:
      return json.array([&] {
        const bool is_first_text = json.kind() == JsonKind::text && !values.contains(key);
        if (is_first_text) {
          values.emplace(key, json.text());
        } else {
          json.skip();
        }
      });
    case JsonKind::text: values.insert_or_assign(key, json.text()); return;
    case JsonKind::number: values.insert_or_assign(key, json.real()); return;
    case JsonKind::flag: values.insert_or_assign(key, json.boolean()); return;
    case JsonKind::null: return json.null();
  }
}

void read_object(JsonReader& json, const std::string& prefix, Values& values) {
  json.object([&](const std::string& key) { read_value(json, prefix + key, values); });
}

}  // namespace

Config Config::parse(std::string_view text, std::string name) {
  Config config;
  config.name_ = std::move(name);
  JsonReader json(text, config.name_);
  read_object(json, "", config.values_);
  json.end();
  return config;
}

Config Config::open(const std::filesystem::path& path) {
  const Ref<files::MappedFile> file = files::MappedFile::open(path);
  const auto bytes = file->bytes();
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

Config Config::of(const files::Gguf& gguf) {
  Config config;
  config.name_ = gguf.weights().name();
  const std::string prefix = concat(gguf.text("general.architecture"), ".");
  for (const auto& [key, value] : gguf.metadata()) {
    std::string name(key.starts_with(prefix) ? key.substr(prefix.size()) : key);
    switch (value.kind()) {
      case files::GgufKind::boolean: config.values_.emplace(std::move(name), value.flag()); break;
      case files::GgufKind::integer:
      case files::GgufKind::real: config.values_.emplace(std::move(name), value.real()); break;
      case files::GgufKind::text:
        config.values_.emplace(std::move(name), std::string(value.text()));
        break;
      case files::GgufKind::array: break;
    }
  }
  return config;
}

template <class T>
const T& Config::get(std::string_view key, std::string_view kind, Location where) const {
  const auto found = values_.find(key);
  if (found == values_.end()) {
    std::vector<std::string_view> keys;
    for (const auto& [known, value] : values_) keys.push_back(known);
    const auto near = closest_name(key, keys);
    throw_error({.code = ErrorCode::unknown_name,
                 .op = "config",
                 .expected = concat("the key \"", key, "\" in ", name_),
                 .given = near ? concat("none; \"", *near, "\" is nearest") : "none",
                 .where = where});
  }
  const T* value = std::get_if<T>(&found->second);
  RIDGE_CHECK(value != nullptr, .code = ErrorCode::value, .op = "config",
              .expected = concat(kind, " for \"", key, "\" in ", name_),
              .given = "another kind of value", .where = where);
  return *value;
}

int64_t Config::integer(std::string_view key, Location where) const {
  const double value = get<double>(key, "an integer", where);
  const bool is_whole = value == std::trunc(value) && std::abs(value) < 0x1p53;
  RIDGE_CHECK(is_whole, .code = ErrorCode::value, .op = "config",
              .expected = concat("an integer for \"", key, "\" in ", name_), .given = concat(value),
              .where = where);
  return static_cast<int64_t>(value);
}
double Config::real(std::string_view key, Location where) const {
  return get<double>(key, "a number", where);
}
bool Config::flag(std::string_view key, Location where) const {
  return get<bool>(key, "true or false", where);
}
std::string Config::text(std::string_view key, Location where) const {
  return get<std::string>(key, "a text", where);
}

int64_t Config::integer_or(std::string_view key, int64_t otherwise, Location where) const {
  return has(key) ? integer(key, where) : otherwise;
}
double Config::real_or(std::string_view key, double otherwise, Location where) const {
  return has(key) ? real(key, where) : otherwise;
}
bool Config::flag_or(std::string_view key, bool otherwise, Location where) const {
  return has(key) ? flag(key, where) : otherwise;
}
std::string Config::text_or(std::string_view key, std::string otherwise, Location where) const {
  return has(key) ? text(key, where) : std::move(otherwise);
}

bool are_possible(int64_t layers, std::initializer_list<int64_t> sizes) {
  return layers > 0 && layers <= kMostLayers &&
         std::ranges::all_of(sizes, [](int64_t size) { return size > 0 && size <= kLargestSize; });
}

void check_supported(const Config& config, std::string_view key, std::string_view value,
                     std::initializer_list<std::string_view> supported, Location where) {
  if (std::ranges::find(supported, value) != supported.end()) return;
  std::string list;
  for (const std::string_view each : supported) list += concat(list.empty() ? "" : ", ", each);
  throw_error({.code = ErrorCode::value,
               .op = "config",
               .expected = concat("\"", key, "\" in ", config.name(), " to be one of ", list),
               .given = std::string(value),
               .where = where});
}

}  // namespace ridge::models
