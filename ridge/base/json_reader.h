// JsonReader: JSON text as a walk, without a tree of it in memory.
//
//   JsonReader json(R"({"shape": [2, 3], "note": "x"})", "model.safetensors");
//   json.object([&](const std::string& key) {
//     if (key == "shape") json.array([&] { shape.push_back(json.integer()); });
//     else json.skip();
//   });
//   json.end();
//
// Each callback must read exactly one value. Text must be UTF-8, nested at most 64 deep; numbers,
// escapes and surrogates are as RFC 8259 has them. Anything else is Error{parse} with its line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ridge/base/function_ref.h"

namespace ridge {

enum class JsonKind : uint8_t { object, array, text, number, flag, null };

class JsonReader {
 public:
  JsonReader(std::string_view text, std::string_view file);

  JsonKind kind();  // of the value that comes next
  void object(FunctionRef<void(const std::string& key)> member);
  void array(FunctionRef<void()> element);
  std::string text();
  std::string_view number();  // its characters
  double real();
  int64_t integer();  // without fraction or exponent, and fits
  bool boolean();
  void null();
  void skip();  // one value of any kind
  void end();   // nothing but white space may be left

  // Error{parse}: "expected X, given Y in line N of `file`".
  [[noreturn]] void refuse(std::string_view expected, std::string_view given) const;

 private:
  char peek();  // behind white space; 0 at the end
  void expect(char c);
  void expect_word(std::string_view word);
  void list(char open, char close, FunctionRef<void()> element);
  void escape(std::string& out);
  uint32_t four_digits();

  std::string_view text_;
  std::string file_;
  size_t position_ = 0;
  int depth_ = 0;
};

// The text as a JSON string, in quotes; it must be UTF-8.
std::string json_text(std::string_view text);

}  // namespace ridge
