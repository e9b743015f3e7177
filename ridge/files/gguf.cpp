#include "ridge/files/gguf.h"

#include "ridge/base/text.h"

namespace ridge::files {

Gguf::Gguf(Ref<MappedFile> file, uint32_t version, std::map<std::string_view, GgufValue> metadata,
           WeightFile weights)
    : file_(std::move(file)),
      version_(version),
      metadata_(std::move(metadata)),
      weights_(std::move(weights)) {}

Gguf Gguf::open(const std::filesystem::path& path, Location where) {
  return located("Gguf::open", where, [&] { return read(MappedFile::open(path)); });
}

const GgufValue& Gguf::value(std::string_view key, Location where) const {
  const auto found = metadata_.find(key);
  if (found != metadata_.end()) return found->second;
  std::vector<std::string_view> keys;
  for (const auto& [name, ignored] : metadata_) keys.push_back(name);
  throw Error({.code = ErrorCode::unknown_name,
               .expected = concat("a key of the metadata of `", file_->name(), "`"),
               .given = concat("`", key, "`"),
               .hint = did_you_mean(key, keys),
               .where = where});
}

namespace {

// Reads the value of a key; an error about its type says which key it was.
template <class Result>
Result typed(const Gguf& gguf, std::string_view key, Location where,
             Result (GgufValue::*read)() const) {
  const GgufValue& value = gguf.value(key, where);
  try {
    return (value.*read)();
  } catch (const Error& error) {
    throw Error({.code = error.code(),
                 .expected = concat(error.expected(), " at `", key, "`"),
                 .given = concat(error.given(), " in `", gguf.weights().name(), "`"),
                 .where = where});
  }
}

}  // namespace

bool Gguf::flag(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::flag);
}
int64_t Gguf::integer(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::integer);
}
double Gguf::real(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::real);
}
std::string_view Gguf::text(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::text);
}
std::vector<bool> Gguf::flags(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::flags);
}
std::vector<int64_t> Gguf::integers(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::integers);
}
std::vector<double> Gguf::reals(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::reals);
}
std::vector<std::string_view> Gguf::texts(std::string_view key, Location where) const {
  return typed(*this, key, where, &GgufValue::texts);
}

bool Gguf::flag_or(std::string_view key, bool otherwise, Location where) const {
  return has(key) ? flag(key, where) : otherwise;
}
int64_t Gguf::integer_or(std::string_view key, int64_t otherwise, Location where) const {
  return has(key) ? integer(key, where) : otherwise;
}
double Gguf::real_or(std::string_view key, double otherwise, Location where) const {
  return has(key) ? real(key, where) : otherwise;
}
std::string_view Gguf::text_or(std::string_view key, std::string_view otherwise,
                               Location where) const {
  return has(key) ? text(key, where) : otherwise;
}

}  // namespace ridge::files
