#include "ridge/expr/text.h"

#include <vector>

#include "ridge/base/text.h"
#include "ridge/expr/precedence.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {
namespace {

std::string real_text(double value) {
  std::string text = ridge::to_text(value);
  const bool reads_as_integer = text.find_first_not_of("-0123456789") == std::string::npos;
  return reads_as_integer ? text + ".0" : text;
}

// A name that would read back as something else is quoted.
std::string symbol_text(const std::string& name) {
  if (is_plain_name(name)) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// The text of a node up to its arguments; all of it for a leaf.
std::string head_text(const Node& node) {
  switch (node.kind) {
    case Kind::constant:
      if (node.type == Type::real) return real_text(node.real);
      if (node.type == Type::boolean) return node.integer != 0 ? "true" : "false";
      return ridge::to_text(node.integer);
    case Kind::symbol: return symbol_text(node.symbol->name());
    case Kind::axis: return concat("i", node.index);
    case Kind::input:
    case Kind::load: return concat("x", node.index);
    case Kind::param: return concat("p", node.index);
    case Kind::call: return std::string(info(node.function).name);
    case Kind::cast: return std::string(name(node.type));
  }
  return "?";
}

// Either a text as it is, or a node still to be written where a looser operator needs parentheses.
struct Piece {
  std::string_view text;
  const Node* node = nullptr;
  int least_precedence = 0;
};

std::vector<Piece> infix_pieces(const Node& node) {
  const int own = precedence(node.function);
  const std::string_view symbol = info(node.function).symbol;
  if (node.args.size() == 1) return {{symbol}, {"", node.args[0].get(), own}};
  // Operators of one level group to the left; comparisons do not group at all.
  const int left = own == kComparison ? own + 1 : own;
  return {
      {"", node.args[0].get(), left}, {" "}, {symbol}, {" "}, {"", node.args[1].get(), own + 1}};
}

std::vector<Piece> list_pieces(const Node& node) {
  const bool is_load = node.kind == Kind::load;
  std::vector<Piece> pieces = {{is_load ? "[" : "("}};
  for (const Expr& arg : node.args) {
    if (pieces.size() > 1) pieces.push_back({", "});
    pieces.push_back({"", arg.get()});
  }
  pieces.push_back({is_load ? "]" : ")"});
  return pieces;
}

}  // namespace

std::string to_text(const Expr& e) { return to_text(e, nullptr); }

// Pieces wait on a stack of our own, the next one on top: long chains would exhaust the machine's.
std::string to_text(const Expr& e, const std::function<std::string(const Node&)>& word) {
  std::string out;
  std::vector<Piece> waiting = {{"", e.get()}};
  while (!waiting.empty()) {
    const Piece piece = waiting.back();
    waiting.pop_back();
    if (piece.node == nullptr) {
      out += piece.text;
      continue;
    }
    const Node& node = *piece.node;
    std::vector<Piece> pieces;
    if (node.kind == Kind::call && !info(node.function).symbol.empty()) {
      pieces = infix_pieces(node);
      if (precedence(node.function) < piece.least_precedence) {
        out += "(";
        pieces.push_back({")"});
      }
    } else {
      const bool may_have_own_word = word && node.kind != Kind::constant && node.kind <= Kind::load;
      const std::string own_word = may_have_own_word ? word(node) : "";
      out += own_word.empty() ? head_text(node) : own_word;
      if (node.kind >= Kind::load) pieces = list_pieces(node);
    }
    waiting.insert(waiting.end(), pieces.rbegin(), pieces.rend());
  }
  return out;
}

}  // namespace ridge::expr
