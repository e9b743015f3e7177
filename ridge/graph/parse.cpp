// Recursive descent over what text.cpp writes.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/expr/symbol.h"
#include "ridge/expr/text.h"
#include "ridge/graph/constant_text.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/infer.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/text_cursor.h"
#include "ridge/ops/control.h"

namespace ridge::graph {
namespace {

using dispatch::ArgKind;
using dispatch::Parameter;

constexpr int kDeepestBody = 64;  // bodies inside bodies; a limit, not a stack overflow

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Graph parse() {
    if (!cursor_.accept_word("graph")) cursor_.fail("`graph`");
    read_graph();
    if (!cursor_.at_end()) cursor_.fail("the end");
    return std::move(graph_);
  }

  // Of a node of the graph that was parsed.
  int64_t line_of(size_t node) const { return lines_[node]; }

 private:
  // All of it but the first word.
  void read_graph() {
    graph_.name = cursor_.peek() == '"' ? cursor_.quoted("a name") : cursor_.word("a name");
    if (cursor_.accept("<")) symbols();
    cursor_.expect("(");
    if (!cursor_.accept(")")) {
      do input();
      while (cursor_.accept(","));
      cursor_.expect(")");
    }
    cursor_.expect("{");
    while (cursor_.peek() == '%') statement();
    if (!cursor_.accept_word("return")) cursor_.fail("a node or `return`");
    if (cursor_.peek() == '%') graph_.outputs = value_list();
    while (cursor_.accept_word("update")) update();
    cursor_.expect("}");
  }

  // A body has values of its own, and the symbols of the graph around it.
  Body body() {
    if (++depth_ > kDeepestBody) cursor_.fail(concat("at most ", kDeepestBody, " bodies around"));
    Graph outer = std::exchange(graph_, {});
    auto outer_values = std::exchange(values_, {});
    auto outer_lines = std::exchange(lines_, {});
    read_graph();
    --depth_;
    values_ = std::move(outer_values);
    lines_ = std::move(outer_lines);
    return std::make_shared<const Graph>(std::exchange(graph_, std::move(outer)));
  }

  void symbols() {
    do {
      const std::string name = cursor_.word("the name of a symbol");
      if (!cursor_.accept_word("in")) cursor_.fail("`in`");
      cursor_.expect("[");
      expr::Interval range;
      range.low = bound();
      cursor_.expect(",");
      range.high = bound();
      cursor_.expect("]");
      std::optional<int64_t> hint;
      if (cursor_.accept("=")) hint = cursor_.integer("a hint");
      const bool is_new = cursor_.here([&] {
        return symbols_.emplace(name, symbolic_size(name, range, hint).expression()).second;
      });
      if (!is_new) cursor_.fail(concat("another name than ", name));
    } while (cursor_.accept(","));
    cursor_.expect(">");
  }

  int64_t bound() {
    if (cursor_.accept("-inf")) return std::numeric_limits<int64_t>::min();
    if (cursor_.accept("inf")) return std::numeric_limits<int64_t>::max();
    return cursor_.integer("a bound");
  }

  // %12, as it is called in the text.
  int64_t number() {
    cursor_.expect("%");
    return cursor_.integer("the number of a value");
  }

  ValueId value() {
    const int64_t called = number();
    const auto found = values_.find(called);
    if (found == values_.end())
      cursor_.fail(concat("a value known here, but %", called, " is not"));
    return found->second;
  }

  ValueIds value_list() {
    ValueIds ids;
    do ids.push_back(value());
    while (cursor_.accept(","));
    return ids;
  }

  std::optional<FunctionForms> forms() {
    FunctionForms forms;
    if (cursor_.accept_word("for")) {
      forms.precision = cursor_.accept_word("exponent") ? Precision::exponent : Precision::half;
      if (forms.precision == Precision::half && !cursor_.accept_word("half")) {
        cursor_.fail("`exponent` or `half`");
      }
    }
    forms.is_near = cursor_.accept_word("near");
    return forms == FunctionForms{} ? std::nullopt : std::optional(forms);
  }

  void define(int64_t called, ValueId id) {
    if (!values_.emplace(called, id).second) {
      cursor_.fail(concat("a new value, but there is a %", called));
    }
  }

  Size size() {
    cursor_.peek();
    return cursor_.here([&] {
      size_t length = 0;
      const expr::ParseContext context{.symbol = [this](std::string_view name) {
        const auto found = symbols_.find(std::string(name));
        return found != symbols_.end() ? found->second : expr::Expr();
      }};
      const Size size(expr::parse_size_prefix(cursor_.line_left(), length, context));
      cursor_.advance(length);
      return size;
    });
  }

  Shape shape() {
    Shape sizes;
    cursor_.expect("[");
    if (cursor_.accept("]")) return sizes;
    do sizes.push_back(size());
    while (cursor_.accept(","));
    cursor_.expect("]");
    return sizes;
  }

  DType dtype() {
    const auto found = find_dtype(cursor_.word("a dtype"));
    if (!found) cursor_.fail("a dtype before this");
    return *found;
  }

  std::optional<Device> device() {
    for (int kind = 0; kind < kDeviceKindCount; ++kind) {
      Device device{static_cast<DeviceKind>(kind), 0};
      std::string stem = ridge::to_text(device);
      stem = stem.substr(0, stem.find(':'));
      if (!cursor_.accept_word(stem)) continue;
      if (cursor_.accept(":")) {
        const int64_t index = cursor_.integer("the index of a device");
        if (index < 0 || index > std::numeric_limits<int8_t>::max()) cursor_.fail("a device index");
        device.index = static_cast<int8_t>(index);
      }
      return device;
    }
    return std::nullopt;
  }

  Type type() {
    Type type;
    type.dtype = dtype();
    type.shape = shape();
    type.is_weak = cursor_.accept_word("weak");
    if (const auto on = device()) type.device = *on;
    return type;
  }

  void input() {
    const int64_t called = number();
    cursor_.expect(":");
    Type given = type();
    std::optional<Shape> strides;
    if (cursor_.accept_word("strides")) strides = shape();
    std::string name = cursor_.peek() == '"' ? cursor_.quoted("a name") : std::string();
    const ValueId id = graph_.add_input(std::move(given), std::move(name));
    graph_[id].strides = std::move(strides);
    define(called, id);
  }

  void statement() {
    std::vector<int64_t> results;
    do results.push_back(number());
    while (cursor_.accept(","));
    cursor_.expect("=");
    if (cursor_.accept_word("constant")) return constant(results);
    node(results);
  }

  void constant(const std::vector<int64_t>& results) {
    if (results.size() != 1) cursor_.fail("one value for a constant");
    cursor_.peek();
    const std::string_view line = cursor_.line_left();
    const size_t end = std::min(line.find(" :"), line.size());
    const std::string_view elements = line.substr(0, end);
    cursor_.advance(end);
    cursor_.expect(":");
    const Type given = type();
    cursor_.here([&] {
      Tensor tensor = parse_constant(elements, given.dtype, given.shape);
      tensor.impl().is_weak = given.is_weak;
      define(results[0], graph_.add_constant(std::move(tensor)));
      if (given.device != kCpu) cursor_.fail("a constant on the CPU");
      return 0;
    });
  }

  const dispatch::Operator& op() {
    const std::string name = cursor_.word("an op");
    return *cursor_.here([&] { return &dispatch::OperatorTable::instance().at(name); });
  }

  void node(const std::vector<int64_t>& results) {
    lines_.push_back(cursor_.line());
    const dispatch::Operator& called = op();
    std::vector<Argument> args = arguments(called);
    cursor_.expect(":");
    std::vector<Type> types;
    std::vector<std::optional<ValueId>> aliases;
    do {
      types.push_back(type());
      aliases.push_back(cursor_.accept_word("alias") ? std::optional(value()) : std::nullopt);
    } while (cursor_.accept(","));
    const size_t expected = called.schema().results.size();
    const bool is_fixed = ops::control_of(called) == ops::Control::none;
    if (types.size() != results.size() || (is_fixed && results.size() != expected)) {
      cursor_.fail(concat(expected, " results of ", called.name()));
    }
    const int32_t position = graph_.add_node(called, std::move(args), std::move(types), Location());
    Node& added = graph_.nodes[static_cast<size_t>(position)];
    if (cursor_.accept_word("token")) {
      const int64_t token = cursor_.integer("a token");
      if (token < 1 || token > std::numeric_limits<int32_t>::max()) cursor_.fail("a token >= 1");
      added.token = static_cast<int32_t>(token);
    }
    if (cursor_.accept_word("saved")) added.phase = Phase::saved;
    if (cursor_.accept_word("optimizer")) added.phase = Phase::optimizer;
    if (cursor_.accept_word("backward")) added.phase = Phase::backward;
    if (cursor_.accept_word("recomputed")) added.phase = Phase::recomputed;
    if (cursor_.accept_word("checkpoint")) {
      const int64_t region = cursor_.integer("the number of a checkpoint");
      if (region < 1 || region > std::numeric_limits<uint8_t>::max()) {
        cursor_.fail("a checkpoint from 1 to 255");
      }
      added.region = static_cast<uint8_t>(region);
    }
    added.forms = forms();
    if (cursor_.accept_word("rounded")) added.rounds = true;
    for (size_t i = 0; i < results.size(); ++i) {
      define(results[i], added.results[i]);
      graph_[added.results[i]].alias = aliases[i];
    }
    while (!is_fixed && cursor_.accept_word("graph")) {
      Body read = body();  // moves the list of nodes
      graph_.nodes[static_cast<size_t>(position)].args.emplace_back(std::move(read));
    }
  }

  std::vector<Argument> arguments(const dispatch::Operator& called) {
    const auto& parameters = called.schema().parameters;
    std::vector<Argument> args(parameters.size());
    std::vector<bool> is_given(parameters.size());
    cursor_.expect("(");
    size_t next = 0;
    while (!cursor_.accept(")")) {
      if (next > 0) cursor_.expect(",");
      const bool is_plain = cursor_.peek() == '%' || cursor_.peek() == '[';
      const size_t at = is_plain ? next : parameter(called);
      if (at >= parameters.size() || is_given[at]) {
        cursor_.fail(concat("arguments as in ", called.schema().to_text()));
      }
      args[at] = argument(parameters[at]);
      is_given[at] = true;
      ++next;
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (is_given[i]) continue;
      if (!parameters[i].has_default) {
        cursor_.fail(concat("a value for `", parameters[i].name, "` before this"));
      }
      args[i] = default_of(parameters[i]);
    }
    return args;
  }

  size_t parameter(const dispatch::Operator& called) {
    const std::string name = cursor_.word("an argument");
    const size_t at = cursor_.here([&] { return called.schema().index_of(name); });
    cursor_.expect("=");
    return at;
  }

  static Argument default_of(const Parameter& parameter) {
    return std::visit(
        [](const auto& held) -> Argument {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, Tensor> || std::is_same_v<Held, dispatch::Tensors>) {
            return std::monostate();
          } else {
            return held;
          }
        },
        parameter.default_value);
  }

  Argument argument(const Parameter& parameter) {
    if (parameter.is_optional && cursor_.accept_word("none")) return std::monostate();
    switch (parameter.kind) {
      case ArgKind::none: break;
      case ArgKind::tensor: return value();
      case ArgKind::tensors: return bracketed_values();
      case ArgKind::integer: return cursor_.integer("a whole number");
      case ArgKind::real: return cursor_.real("a number");
      case ArgKind::flag:
        if (cursor_.accept_word("true")) return true;
        if (cursor_.accept_word("false")) return false;
        cursor_.fail("true or false");
      case ArgKind::dtype: return dtype();
      case ArgKind::device:
        if (const auto on = device()) return *on;
        cursor_.fail("a device");
      case ArgKind::ints: return integers();
      case ArgKind::sizes: return shape();
    }
    cursor_.fail("an argument of another kind");
  }

  ValueIds bracketed_values() {
    cursor_.expect("[");
    if (cursor_.accept("]")) return {};
    ValueIds ids = value_list();
    cursor_.expect("]");
    return ids;
  }

  Ints integers() {
    Ints items;
    cursor_.expect("[");
    if (cursor_.accept("]")) return items;
    do items.push_back(cursor_.integer("a whole number"));
    while (cursor_.accept(","));
    cursor_.expect("]");
    return items;
  }

  void update() {
    const ValueId input = value();
    if (std::ranges::find(graph_.inputs, input) == graph_.inputs.end()) {
      cursor_.fail("an input to update before this");
    }
    cursor_.expect("=");
    graph_.updates.push_back({input, value()});
  }

  TextCursor cursor_;
  Graph graph_;
  std::map<std::string, expr::Expr> symbols_;
  std::map<int64_t, ValueId> values_;
  std::vector<int64_t> lines_;  // of nodes
  int depth_ = 0;
};

}  // namespace

Graph parse(std::string_view text) {
  install_recorder();
  keep_gradient();
  return Parser(text).parse();
}

Graph read(std::string_view text, std::string_view file) {
  install_recorder();
  keep_gradient();
  Parser parser(text);
  Graph graph;
  try {
    graph = parser.parse();
  } catch (const Error& error) {
    throw Error({.code = ErrorCode::parse,
                 .op = std::string(file),
                 .expected = error.expected(),
                 .given = error.given(),
                 .hint = error.hint()});
  }
  verify(graph, {.code = ErrorCode::parse, .place = [&](const Node* node) {
                   if (node == nullptr) return std::string(file);
                   const auto position = static_cast<size_t>(node - graph.nodes.data());
                   return concat(file, ":", parser.line_of(position));
                 }});
  return graph;
}

}  // namespace ridge::graph
