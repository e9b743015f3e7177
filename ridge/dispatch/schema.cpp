#include "ridge/dispatch/schema.h"

#include <cctype>
#include <charconv>

#include "ridge/base/text.h"

namespace ridge::dispatch {

namespace {

// A cursor over the text of one schema; every failure shows the text and the column.
class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : text_(text) {}

  Schema parse() {
    Schema schema;
    schema.name = word("an op name");
    expect("(");
    if (!accept(")")) {
      do schema.parameters.push_back(parameter());
      while (accept(","));
      expect(")");
    }
    expect("->");
    if (accept("(")) {
      do schema.results.push_back(result());
      while (accept(","));
      expect(")");
    } else {
      schema.results.push_back(result());
    }
    skip_space();
    if (position_ != text_.size()) fail("the end of the schema");
    return schema;
  }

 private:
  Parameter parameter() {
    Parameter p;
    p.kind = type(p.alias);
    if (accept("?")) p.is_optional = true;
    p.name = word("a parameter name");
    if (accept("=")) {
      p.has_default = true;
      p.default_value = literal(p.kind);
    } else if (p.is_optional) {
      p.has_default = true;
    }
    return p;
  }

  Result result() {
    Result r;
    if (type(r.alias) != ArgKind::tensor) fail("results of type Tensor");
    skip_space();
    const bool is_named = position_ < text_.size() && std::isalpha(byte()) != 0;
    r.name = is_named ? word("a result name") : "result";
    return r;
  }

  ArgKind type(Alias& alias) {
    const std::string base = word("a type");
    if (base == "Tensor") {
      if (accept("(")) {
        alias.set = word("an alias set")[0];
        alias.is_write = accept("!");
        expect(")");
      }
      return accept("[]") ? ArgKind::tensors : ArgKind::tensor;
    }
    if (base == "Int") return accept("[]") ? ArgKind::ints : ArgKind::integer;
    if (base == "Size") {
      expect("[]");
      return ArgKind::sizes;
    }
    if (base == "Float") return ArgKind::real;
    if (base == "Bool") return ArgKind::flag;
    if (base == "DType") return ArgKind::dtype;
    if (base == "Device") return ArgKind::device;
    fail("a type (Tensor, Tensor[], Int, Int[], Size[], Float, Bool, DType, Device)");
  }

  Value literal(ArgKind kind) {
    if (accept("none")) return std::monostate{};
    if (kind == ArgKind::flag) {
      if (accept("true")) return true;
      expect("false");
      return false;
    }
    if (kind == ArgKind::integer) return integer();
    if (kind == ArgKind::real) return real();
    if (kind == ArgKind::dtype) {
      const auto found = find_dtype(word("a dtype"));
      if (!found) fail("a dtype");
      return *found;
    }
    if (kind == ArgKind::device) {
      expect("cpu");
      return kCpu;
    }
    if (kind == ArgKind::ints || kind == ArgKind::sizes) {
      Ints items;
      expect("[");
      if (!accept("]")) {
        do items.push_back(integer());
        while (accept(","));
        expect("]");
      }
      if (kind == ArgKind::ints) return items;
      return Shape(items.begin(), items.end());
    }
    fail("a parameter type that can have a default");
  }

  int64_t integer() { return number<int64_t>("a whole number"); }
  double real() { return number<double>("a number"); }

  template <class T>
  T number(const char* what) {
    skip_space();
    T value{};
    const char* first = text_.data() + position_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(what);
    position_ += static_cast<size_t>(end - first);
    return value;
  }

  std::string word(const char* what) {
    skip_space();
    const size_t start = position_;
    while (position_ < text_.size() && (std::isalnum(byte()) != 0 || text_[position_] == '_')) {
      ++position_;
    }
    if (position_ == start) fail(what);
    return std::string(text_.substr(start, position_ - start));
  }

  bool accept(std::string_view token) {
    skip_space();
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail("'" + std::string(token) + "'");
  }
  void skip_space() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  unsigned char byte() const { return static_cast<unsigned char>(text_[position_]); }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(
        {.code = ErrorCode::parse,
         .op = "schema",
         .expected = expected,
         .given = "\"" + std::string(text_) + "\" at column " + std::to_string(position_ + 1)});
  }

  std::string_view text_;
  size_t position_ = 0;
};

std::string alias_text(const Alias& alias) {
  if (alias.set == 0) return "";
  return std::string("(") + alias.set + (alias.is_write ? "!" : "") + ")";
}

// "Tensor(a)[]": the alias mark stands behind the element type.
std::string type_text(ArgKind kind, const Alias& alias) {
  if (kind == ArgKind::tensor) return "Tensor" + alias_text(alias);
  if (kind == ArgKind::tensors) return "Tensor" + alias_text(alias) + "[]";
  return std::string(name(kind));
}

}  // namespace

Schema parse_schema(std::string_view text) { return SchemaParser(text).parse(); }

size_t Schema::index_of(std::string_view parameter) const {
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == parameter) return i;
  }
  throw Error({.code = ErrorCode::unknown_name,
               .op = name,
               .expected = "a parameter of " + to_text(),
               .given = std::string(parameter)});
}

std::string Schema::to_text() const {
  std::string text = name + "(";
  for (const Parameter& p : parameters) {
    if (text.back() != '(') text += ", ";
    text += type_text(p.kind, p.alias) + (p.is_optional ? "? " : " ") + p.name;
    const bool is_plain_optional =
        p.is_optional && std::holds_alternative<std::monostate>(p.default_value);
    if (p.has_default && !is_plain_optional) {
      text += "=" + dispatch::to_text(borrow(p.default_value));
    }
  }
  text += ") -> ";
  const bool is_list = results.size() != 1;
  if (is_list) text += "(";
  for (size_t i = 0; i < results.size(); ++i) {
    if (i > 0) text += ", ";
    text += type_text(ArgKind::tensor, results[i].alias);
    if (results[i].name != "result") text += " " + results[i].name;
  }
  return is_list ? text + ")" : text;
}

void check_arguments(const Schema& schema, std::span<const Arg> args) {
  RIDGE_CHECK(args.size() == schema.parameters.size(), .code = ErrorCode::value, .op = schema.name,
              .expected = std::to_string(schema.parameters.size()) + " arguments, as in " +
                          schema.to_text(),
              .given = std::to_string(args.size()));
  for (size_t i = 0; i < args.size(); ++i) {
    const Parameter& p = schema.parameters[i];
    if (args[i].kind == p.kind || (args[i].kind == ArgKind::none && p.is_optional)) continue;
    const bool is_missing_tensor = args[i].kind == ArgKind::none && p.kind == ArgKind::tensor;
    throw Error({.code = is_missing_tensor ? ErrorCode::state : ErrorCode::value,
                 .op = schema.name,
                 .expected = "a " + std::string(name(p.kind)) + " for `" + p.name + "`",
                 .given = is_missing_tensor ? "an undefined or moved-from tensor"
                                            : std::string(name(args[i].kind))});
  }
}

}  // namespace ridge::dispatch
