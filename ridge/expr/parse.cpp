// Recursive descent with operator precedence: the inverse of to_text.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/text.h"
#include "ridge/expr/precedence.h"
#include "ridge/expr/text.h"

namespace ridge::expr {
namespace {

constexpr int kMaxDepth = 1000;  // parentheses inside parentheses; a limit, not a stack overflow
// Operands of one size: sums are brought into one form as they grow, which takes quadratic time.
constexpr int kMostSizeOperands = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_char(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

// The text, or of a long one what stands around a place.
std::string part_around(std::string_view text, size_t at) {
  constexpr size_t kMostShown = 200;
  if (text.size() <= kMostShown) return std::string(text);
  const size_t begin = at - std::min(at, kMostShown / 2);
  return concat(begin > 0 ? "..." : "", text.substr(begin, kMostShown), "...");
}

struct Operator {
  std::string_view symbol;
  Function function;
  bool swaps = false;  // a > b is b < a
};

// Longer symbols before those they start with.
constexpr auto kOperators = std::to_array<Operator>({
    {"||", Function::logical_or},
    {"&&", Function::logical_and},
    {"==", Function::equal},
    {"!=", Function::not_equal},
    {"<=", Function::less_equal},
    {">=", Function::less_equal, true},
    {"<", Function::less},
    {">", Function::less, true},
    {"+", Function::add},
    {"-", Function::sub},
    {"//", Function::floor_div},
    {"*", Function::mul},
    {"/", Function::div},
    {"%", Function::mod},
});

class Parser {
 public:
  Parser(std::string_view text, const ParseContext& context,
         int most_operands = std::numeric_limits<int>::max())
      : text_(text), context_(context), operands_left_(most_operands) {}

  Expr parse() {
    Expr e = expression(1);
    if (at_ < text_.size()) fail("an operator or the end");
    return e;
  }

  Expr parse_prefix(size_t& at) {
    at_ = at;
    Expr e = expression(1);
    at = at_;
    return e;
  }

 private:
  [[noreturn]] void fail(std::string expected) const {
    throw_error({.code = ErrorCode::parse,
                 .expected = std::move(expected),
                 .given = concat("`", part_around(text_, at_), "`, column ", at_ + 1)});
  }

  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(concat("`", token, "`"));
  }

  const Operator* peek_operator() {
    skip_space();
    for (const Operator& candidate : kOperators) {
      if (text_.substr(at_).starts_with(candidate.symbol)) return &candidate;
    }
    return nullptr;
  }

  Expr expression(int least_precedence) {
    if (++depth_ > kMaxDepth) fail(concat("at most ", kMaxDepth, " levels of nesting"));
    Expr left = operand();
    bool is_compared = false;  // a < b < c is refused: it reads as what it does not mean
    while (const Operator* next = peek_operator()) {
      const int level = precedence(next->function);
      if (level < least_precedence || (level == kComparison && is_compared)) break;
      at_ += next->symbol.size();
      Expr right = expression(level + 1);
      if (next->swaps) std::swap(left, right);
      left = call(next->function, {std::move(left), std::move(right)});
      is_compared |= level == kComparison;
    }
    --depth_;
    return left;
  }

  Expr operand() {
    if (operands_left_-- == 0) fail("a shorter expression");
    const char c = peek();
    if (is_digit(c)) return number();
    if (c == '-') {
      // The sign belongs to a number: -9223372036854775808 has no positive counterpart.
      if (at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) return number();
      ++at_;
      return -expression(kPrefix);
    }
    if (accept("!")) return !expression(kPrefix);
    if (accept("(")) {
      Expr inner = expression(1);
      expect(")");
      return inner;
    }
    if (c == '"') return named(quoted_name());
    if (is_letter(c)) return word();
    fail("an operand");
  }

  Expr number() {
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    int64_t integer = 0;
    const auto as_integer = std::from_chars(begin, end, integer);
    double real = 0;
    const auto as_real = std::from_chars(begin, end, real);
    const bool is_integer = as_real.ptr == as_integer.ptr;
    if ((is_integer ? as_integer.ec : as_real.ec) != std::errc()) fail("a number in range");
    at_ += static_cast<size_t>(as_real.ptr - begin);
    return is_integer ? constant(integer) : constant(real);
  }

  Expr word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "true" || word == "false") return constant(word == "true");
    if (word == "inf") return constant(std::numeric_limits<double>::infinity());
    if (word == "nan") return constant(std::numeric_limits<double>::quiet_NaN());
    if (is_indexed_name(word)) return indexed(word);
    if (accept("(")) return function(word, list(")"));
    return named(word);
  }

  Expr indexed(std::string_view word) {
    const bool is_other_name = (word[0] == 'x' && !context_.input_type && context_.symbol) ||
                               (word[0] == 'p' && !context_.param_type && context_.symbol);
    if (is_other_name) return named(word);
    int index = 0;
    const auto end = std::from_chars(word.data() + 1, word.data() + word.size(), index);
    if (end.ec != std::errc()) fail("a smaller index");
    if (word[0] == 'i') return axis(index);
    if (word[0] == 'p') return param(index, type_of(context_.param_type, index));
    const Type type = type_of(context_.input_type, index);
    return accept("[") ? load(index, type, list("]")) : input(index, type);
  }

  Type type_of(const std::function<Type(int)>& types, int index) const {
    if (!types) fail("no inputs or params here");
    return types(index);
  }

  Expr function(std::string_view name, std::vector<Expr> args) {
    for (const Type type : {Type::boolean, Type::integer, Type::real}) {
      if (expr::name(type) == name && args.size() == 1) return cast(std::move(args[0]), type);
    }
    const std::optional<Function> found = find_function(name);
    if (!found) fail(concat("a function, but `", name, "` is none"));
    if (!std::cmp_equal(args.size(), info(*found).arity)) {
      fail(concat(info(*found).arity, " operands of ", name));
    }
    return call(*found, std::move(args));
  }

  std::vector<Expr> list(std::string_view end) {
    std::vector<Expr> items;
    if (accept(end)) return items;
    do {
      items.push_back(expression(1));
    } while (accept(","));
    expect(end);
    return items;
  }

  std::string quoted_name() {
    std::string name;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      name += text_[at_];
    }
    expect("\"");
    return name;
  }

  Expr named(std::string_view name) {
    if (context_.element && accept("[")) {
      const Expr element = context_.element(name, list("]"));
      if (element.get() == nullptr)
        fail(concat("something with elements, but `", name, "` has none"));
      return element;
    }
    const Expr found = context_.symbol ? context_.symbol(name) : Expr();
    if (found.get() == nullptr) fail(concat("a known symbol, but `", name, "` is none"));
    return found;
  }

  std::string_view text_;
  const ParseContext& context_;
  size_t at_ = 0;
  int depth_ = 0;
  int operands_left_;
};

}  // namespace

bool is_indexed_name(std::string_view word) {
  return word.size() > 1 && std::string_view("ixp").find(word[0]) != std::string_view::npos &&
         std::ranges::all_of(word.substr(1), is_digit);
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_word_char) &&
         !is_indexed_name(name) && name != "true" && name != "false" && name != "inf" &&
         name != "nan";
}

Expr parse(std::string_view text, const ParseContext& context) {
  return on_large_stack([&] { return Parser(text, context).parse(); });
}

Expr parse_prefix(std::string_view text, size_t& at, const ParseContext& context) {
  return on_large_stack([&] { return Parser(text, context).parse_prefix(at); });
}

Expr parse_size_prefix(std::string_view text, size_t& at, const ParseContext& context) {
  const size_t begin = at;
  const Expr e =
      on_large_stack([&] { return Parser(text, context, kMostSizeOperands).parse_prefix(at); });
  bool is_size = e->type == Type::integer;
  walk(e, [&](const Expr& part) {
    is_size &=
        part->kind == Kind::constant || part->kind == Kind::symbol || part->kind == Kind::call;
  });
  RIDGE_CHECK(is_size, .code = ErrorCode::parse,
              .expected = "a size, made of whole numbers and symbols",
              .given = concat("`", part_around(text.substr(begin, at - begin), 0), "`"));
  return e;
}

}  // namespace ridge::expr
