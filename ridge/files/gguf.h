// GGUF, versions 2 and 3: metadata and tensors of one model, as llama.cpp writes them.
//
//   const files::Gguf gguf = files::Gguf::open("smollm2.gguf");
//   gguf.text("general.architecture");               "llama"
//   gguf.integer("llama.block_count");               30
//   gguf.integer_or("tokenizer.ggml.bos_token_id", 1);
//   gguf.texts("tokenizer.ggml.tokens");             49152 views into the file
//   gguf.weights().stored("blk.0.attn_q.weight");    q4_1[576, 576]: its blocks, not copied
//
// Metadata is kept as it lies in the file and decoded when it is asked for; views are valid as long as
// this object, or a copy of it, lives. Shapes are row-major, the reverse of how the file has them.
// Everything is checked on opening: counts against the size of the file, names for being unique,
// arrays for a depth of at most 4, alignment for being a power of two up to 2^20, tensors for lying
// within the file, apart from each other. What is wrong is one Error{parse}.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "ridge/files/weights.h"

namespace ridge::files {

enum class GgufKind : uint8_t { boolean, integer, real, text, array };

// One value of the metadata. Error{dtype} if it is asked for as something it is not.
class GgufValue {
 public:
  GgufKind kind() const;
  // "u32", "text", "array of i8": for errors and listings.
  std::string type_text() const;

  bool flag() const;
  int64_t integer() const;  // of any width and signedness; Error{value} if it exceeds 2^63 - 1
  double real() const;      // of an integer too
  std::string_view text() const;

  // Of an array.
  uint64_t count() const;
  std::vector<GgufValue> elements() const;
  std::vector<bool> flags() const;
  std::vector<int64_t> integers() const;
  std::vector<double> reals() const;
  std::vector<std::string_view> texts() const;

 private:
  friend class GgufParser;
  uint32_t type_ = 0;           // as the file numbers them
  uint32_t element_type_ = 0;   // of an array
  uint64_t count_ = 0;          // of an array
  const std::byte* data_ = {};  // behind type, element type and count
  uint64_t bytes_ = 0;
};

class Gguf {
 public:
  static Gguf open(const std::filesystem::path& path, Location where = Location::current());
  static Gguf read(const Ref<MappedFile>& file);

  uint32_t version() const { return version_; }
  const WeightFile& weights() const& { return weights_; }
  WeightFile weights() && { return std::move(weights_); }

  const std::map<std::string_view, GgufValue>& metadata() const& { return metadata_; }
  bool has(std::string_view key) const { return metadata_.contains(key); }
  // Error{unknown_name}, with the nearest key, if there is none.
  const GgufValue& value(std::string_view key, Location where = Location::current()) const;

  // The same for values of one kind; an error names the key and the caller's line.
  bool flag(std::string_view key, Location where = Location::current()) const;
  int64_t integer(std::string_view key, Location where = Location::current()) const;
  double real(std::string_view key, Location where = Location::current()) const;
  std::string_view text(std::string_view key, Location where = Location::current()) const;
  std::vector<bool> flags(std::string_view key, Location where = Location::current()) const;
  std::vector<int64_t> integers(std::string_view key, Location where = Location::current()) const;
  std::vector<double> reals(std::string_view key, Location where = Location::current()) const;
  std::vector<std::string_view> texts(std::string_view key,
                                      Location where = Location::current()) const;
  // With what to take where there is no such key; one of another kind is still an Error.
  bool flag_or(std::string_view key, bool otherwise, Location where = Location::current()) const;
  int64_t integer_or(std::string_view key, int64_t otherwise,
                     Location where = Location::current()) const;
  double real_or(std::string_view key, double otherwise,
                 Location where = Location::current()) const;
  std::string_view text_or(std::string_view key, std::string_view otherwise,
                           Location where = Location::current()) const;

 private:
  friend class GgufParser;
  Gguf(Ref<MappedFile> file, uint32_t version, std::map<std::string_view, GgufValue> metadata,
       WeightFile weights);

  Ref<MappedFile> file_;
  uint32_t version_;
  std::map<std::string_view, GgufValue> metadata_;
  WeightFile weights_;
};

}  // namespace ridge::files
