#include "ridge/base/json.h"

#include <algorithm>
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"

namespace ridge {

class JsonParser {
 public:
  JsonParser(std::string_view text, std::string_view name) : reader_(text, name) {}

  Json parse() {
    Json json = value();
    reader_.end();
    return json;
  }

 private:
  Json value() {
    Json json;
    switch (reader_.kind()) {
      case JsonKind::object: {
        Json::Object members;
        reader_.object([&](const std::string& key) { members.push_back({key, value()}); });
        json.value_ = std::move(members);
        break;
      }
      case JsonKind::array: {
        Json::Array elements;
        reader_.array([&] { elements.push_back(value()); });
        json.value_ = std::move(elements);
        break;
      }
      case JsonKind::text: json.value_ = reader_.text(); break;
      case JsonKind::number: json.value_ = number(); break;
      case JsonKind::flag: json.value_ = reader_.boolean(); break;
      case JsonKind::null: reader_.null(); break;
    }
    return json;
  }

  // An integer where it is written as one and fits.
  Json::Value number() {
    const std::string_view digits = reader_.number();
    const char *const from = digits.data(), *const to = from + digits.size();
    int64_t whole = 0;
    if (const auto read = std::from_chars(from, to, whole);
        read.ec == std::errc() && read.ptr == to) {
      return whole;
    }
    double real = 0;
    if (std::from_chars(from, to, real).ec != std::errc()) {
      reader_.refuse("a number that a double can hold", digits);
    }
    return real;
  }

  JsonReader reader_;
};

namespace {

[[noreturn]] void refuse_kind(std::string_view expected, Json::Kind given) {
  throw_error({.code = ErrorCode::parse,
               .op = "json",
               .expected = std::string(expected),
               .given = std::string(name(given))});
}

// The member, whose value an error is about.
template <class Get>
decltype(auto) member(const Json& json, std::string_view key, Get get) {
  const Json& value = json[key];
  try {
    return get(value);
  } catch (const Error& error) {
    throw_error({.code = ErrorCode::parse,
                 .op = "json",
                 .expected = concat("`", key, "` to be ", error.expected()),
                 .given = error.given()});
  }
}

}  // namespace

std::string_view name(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null: return "null";
    case Json::Kind::flag: return "true or false";
    case Json::Kind::integer: return "an integer";
    case Json::Kind::real: return "a number";
    case Json::Kind::text: return "a text";
    case Json::Kind::array: return "an array";
    case Json::Kind::object: return "an object";
  }
  return "";
}

Json Json::parse(std::string_view text, std::string_view name) {
  return JsonParser(text, name).parse();
}

bool Json::flag() const {
  if (const bool* value = std::get_if<bool>(&value_)) return *value;
  refuse_kind("true or false", kind());
}

int64_t Json::integer() const {
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return *value;
  refuse_kind("an integer", kind());
}

double Json::real() const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  refuse_kind("a number", kind());
}

const std::string& Json::text() const {
  if (const std::string* value = std::get_if<std::string>(&value_)) return *value;
  refuse_kind("a text", kind());
}

const Json::Array& Json::elements() const {
  if (const Array* value = std::get_if<Array>(&value_)) return *value;
  refuse_kind("an array", kind());
}

const Json::Object& Json::members() const {
  if (const Object* value = std::get_if<Object>(&value_)) return *value;
  refuse_kind("an object", kind());
}

const Json* Json::find(std::string_view key) const {
  const Object& all = members();
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const Member& member) { return member.key == key; });
  return found == all.rend() ? nullptr : &found->value;
}

const Json& Json::operator[](std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  throw_error({.code = ErrorCode::parse,
               .op = "json",
               .expected = concat("a member `", key, "`"),
               .given = concat("an object with ", members().size(), " others")});
}

bool Json::flag(std::string_view key) const {
  return member(*this, key, [](const Json& json) { return json.flag(); });
}
int64_t Json::integer(std::string_view key) const {
  return member(*this, key, [](const Json& json) { return json.integer(); });
}
double Json::real(std::string_view key) const {
  return member(*this, key, [](const Json& json) { return json.real(); });
}
const std::string& Json::text(std::string_view key) const {
  return member(*this, key, [](const Json& json) -> const std::string& { return json.text(); });
}

bool Json::flag_or(std::string_view key, bool otherwise) const {
  const Json* found = find(key);
  return found && !found->is_null() ? flag(key) : otherwise;
}
int64_t Json::integer_or(std::string_view key, int64_t otherwise) const {
  const Json* found = find(key);
  return found && !found->is_null() ? integer(key) : otherwise;
}
std::string Json::text_or(std::string_view key, std::string_view otherwise) const {
  const Json* found = find(key);
  return found && !found->is_null() ? text(key) : std::string(otherwise);
}

}  // namespace ridge
