// Json: what a JSON text of somebody else says, read whole.
//
//   const Json config = Json::parse(read_file("config.json"), "config.json");
//   config.integer("hidden_size");                       576
//   config.text("model_type");                           "llama"
//   config["architectures"].elements()[0].text();        "LlamaForCausalLM"
//   if (const Json* added = config.find("added_tokens")) ...
//
// Strict: one value, UTF-8, no comments, no trailing commas, no lone surrogates, at most 64
// brackets inside each other (json_reader.h). What is not is one Error{parse} with the line. An object keeps the order of
// the text; of keys that are there twice the last is found. A value takes 48 bytes and a member of an
// object 80, whatever it is: a text of n bytes takes at most 40 n in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ridge {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  enum class Kind { null, flag, integer, real, text, array, object };

  // `name` is for errors.
  static Json parse(std::string_view text, std::string_view name);

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  bool is_null() const { return kind() == Kind::null; }
  bool is_object() const { return kind() == Kind::object; }

  // The value itself. Error{parse} if it is of another kind; real() takes integers too.
  bool flag() const;
  int64_t integer() const;
  double real() const;
  const std::string& text() const;
  const Array& elements() const;
  const Object& members() const;

  // A member of an object: nothing, or Error{parse}, if it is missing.
  const Json* find(std::string_view key) const;
  const Json& operator[](std::string_view key) const;
  // The same of one kind; the error names the key.
  bool flag(std::string_view key) const;
  int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;
  const std::string& text(std::string_view key) const;
  // The default also stands for null.
  bool flag_or(std::string_view key, bool otherwise) const;
  int64_t integer_or(std::string_view key, int64_t otherwise) const;
  std::string text_or(std::string_view key, std::string_view otherwise) const;

 private:
  friend class JsonParser;
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object>;

  Value value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

std::string_view name(Json::Kind kind);  // "a number", "an object"

}  // namespace ridge
