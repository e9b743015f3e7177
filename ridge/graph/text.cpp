// Printing. The grammar is in parse.cpp's words:
//
//   graph NAME<SYMBOL in [LOW, HIGH] = HINT, ...>(%N: TYPE strides [N, ...] "NAME", ...) {
//     %N = constant ELEMENTS : TYPE
//     %N, ... = OP(ARGUMENT, ...) : TYPE alias %N, ... token N PHASE checkpoint N   // line, layer
//       graph NAME(...) { ... }   the bodies of a node of control flow, over numbers of their own
//     return %N, ...
//     update %N = %N
//   }
//
// Tensor arguments stand without the name of their parameter as long as only tensors came before.
#include "ridge/base/text.h"

#include <map>
#include <set>
#include <utility>

#include "ridge/dispatch/arg.h"
#include "ridge/expr/precedence.h"
#include "ridge/expr/text.h"
#include "ridge/graph/constant_text.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/symbols.h"

namespace ridge::graph {
namespace {

constexpr size_t kCommentColumn = 56;

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    // A line end would end the comment or the line that this stands in.
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + '"';
}

bool is_word(std::string_view text) {
  return expr::is_plain_name(text) && text.find('.') == text.npos;
}

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) { name_symbols(); }

  std::string print() {
    writer_.line("graph ", name(graph_.name), symbols(), "(",
                 join(graph_.inputs, ", ", [this](ValueId id) { return input(id); }), ") {");
    {
      const auto indent = writer_.indent();
      for (size_t i = 0; i < graph_.values.size(); ++i) constant({static_cast<int32_t>(i)});
      for (const Node& node : graph_.nodes) print(node);
      writer_.line(graph_.outputs.empty() ? "return" : "return ", list(graph_.outputs));
      for (const Update& u : graph_.updates) {
        writer_.line("update ", value(u.input), " = ", value(u.value));
      }
    }
    writer_.line("}");
    return std::move(writer_).str();
  }

  std::string type(const Type& t) const {
    std::string text = concat(ridge::name(t.dtype), shape(t.shape));
    if (t.is_weak) text += " weak";
    if (t.device != kCpu) text += " " + ridge::to_text(t.device);
    return text;
  }

 private:
  static std::string name(const std::string& text) {
    return is_word(text) ? text : in_quotes(text);
  }

  void name_symbols() {
    std::set<std::string> taken;
    for (const auto& symbol : symbols_of(graph_)) {
      const bool is_usable = is_word(symbol->name());
      const std::string stem = is_usable ? symbol->name() : concat("s", symbols_.size());
      std::string word = stem;
      for (int i = 2; !taken.insert(word).second; ++i) word = concat(stem, "_", i);
      words_[symbol->id()] = word;
      symbols_.push_back(symbol);
    }
  }

  std::string symbols() const {
    if (symbols_.empty()) return "";
    return "<" +
           join(symbols_, ", ",
                [this](const Ref<const expr::Symbol>& s) {
                  std::string text = concat(words_.at(s->id()), " in ", to_text(s->range()));
                  if (s->hint()) text += concat(" = ", s->hint()->value);
                  return text;
                }) +
           ">";
  }

  static std::string value(ValueId id) { return concat("%", id.index); }
  static std::string list(const ValueIds& ids) { return join(ids, ", ", value); }
  std::string size(const Size& s) const {
    if (!s.is_symbolic()) return s.to_text();
    return expr::to_text(s.expression(), [this](const expr::Node& node) {
      return node.kind == expr::Kind::symbol ? words_.at(node.symbol->id()) : std::string();
    });
  }
  std::string shape(const Shape& s) const {
    return "[" + join(s, ", ", [this](const Size& item) { return size(item); }) + "]";
  }

  std::string input(ValueId id) const {
    const Value& v = graph_[id];
    std::string text = concat(value(id), ": ", type(v.type));
    if (v.strides) text += " strides " + shape(*v.strides);
    if (!v.name.empty()) text += " " + in_quotes(v.name);
    return text;
  }

  void constant(ValueId id) {
    const Value& v = graph_[id];
    if (!v.constant.defined()) return;
    writer_.line(value(id), " = constant ", constant_text(v.constant), " : ", type(v.type));
  }

  std::string argument(const Argument& arg) const {
    if (const auto* id = std::get_if<ValueId>(&arg)) return value(*id);
    if (const auto* ids = std::get_if<ValueIds>(&arg)) return "[" + list(*ids) + "]";
    if (const auto* sizes = std::get_if<Shape>(&arg)) return shape(*sizes);
    return std::visit(
        [](const auto& held) -> std::string {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, ValueId> || std::is_same_v<Held, ValueIds> ||
                        std::is_same_v<Held, Shape> || std::is_same_v<Held, Body>) {
            return {};
          } else if constexpr (std::is_same_v<Held, std::monostate>) {
            return "none";
          } else {
            return dispatch::to_text(dispatch::Arg(held));
          }
        },
        arg);
  }

  std::string arguments(const Node& node) const {
    std::string text;
    bool is_plain_so_far = true;
    const auto& parameters = node.op->schema().parameters;
    for (size_t i = 0; i < node.args.size(); ++i) {
      if (std::holds_alternative<Body>(node.args[i])) break;  // they follow the line
      is_plain_so_far = is_plain_so_far && (std::holds_alternative<ValueId>(node.args[i]) ||
                                            std::holds_alternative<ValueIds>(node.args[i]));
      if (i > 0) text += ", ";
      if (!is_plain_so_far && i < parameters.size()) text += parameters[i].name + "=";
      text += argument(node.args[i]);
    }
    return text;
  }

  std::string result(ValueId id) const {
    const Value& v = graph_[id];
    return v.alias ? concat(type(v.type), " alias ", value(*v.alias)) : type(v.type);
  }

  void print(const Node& node) {
    std::string text =
        concat(list(node.results), " = ", node.op->name(), "(", arguments(node),
               ") : ", join(node.results, ", ", [this](ValueId id) { return result(id); }));
    if (node.token > 0) text += concat(" token ", node.token);
    if (node.phase == Phase::saved) text += " saved";
    if (node.phase == Phase::optimizer) text += " optimizer";
    if (node.phase == Phase::backward) text += " backward";
    if (node.phase == Phase::recomputed) text += " recomputed";
    if (node.region > 0) text += concat(" checkpoint ", node.region);
    text += ridge::to_text(node.forms.value_or(FunctionForms{}));
    if (node.rounds) text += " rounded";
    const bool has_line = node.where.line() > 0;
    if (has_line || !node.scope.empty()) {
      text.append(std::max(text.size() + 2, kCommentColumn) - text.size(), ' ');
      text += "//";
      if (has_line) text += " " + ridge::to_text(node.where);
      if (!node.scope.empty()) text += " " + node.scope;
    }
    writer_.line(text);
    for (const Argument& arg : node.args) {
      if (const auto* body = std::get_if<Body>(&arg)) print(**body);
    }
  }

  // Symbols are those of the graph around it, by the same words.
  void print(const Graph& body) {
    const auto indent = writer_.indent();
    Printer inner(body);
    inner.symbols_.clear();
    inner.words_ = words_;
    std::string text = inner.print();
    for (size_t start = 0; start < text.size();) {
      const size_t end = text.find('\n', start);
      writer_.line(text.substr(start, end - start));
      start = end + 1;
    }
  }

  const Graph& graph_;
  TextWriter writer_;
  std::vector<Ref<const expr::Symbol>> symbols_;
  std::map<uint64_t, std::string> words_;  // of symbols, by id
};

}  // namespace

std::string to_text(const Type& type) {
  std::string text = concat(name(type.dtype), to_text(type.shape));
  if (type.is_weak) text += " weak";
  if (type.device != kCpu) text += " " + to_text(type.device);
  return text;
}

std::string to_text(const Graph& graph) { return Printer(graph).print(); }

}  // namespace ridge::graph
