// The inverse of to_text: one statement a line, bodies between braces.
#include <algorithm>
#include <array>
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/line_reader.h"
#include "ridge/loop/loop.h"
#include "ridge/loop/statement_text.h"

namespace ridge::loop {
namespace {

constexpr int kDeepest = 200;  // bodies inside bodies; a limit, not a stack overflow

constexpr std::array kPlaces = {Place::serial,    Place::cpu_thread,        Place::vector,
                                Place::gpu_block, Place::gpu_cluster_block, Place::gpu_thread};
constexpr std::array kScopes = {Scope::warp, Scope::block, Scope::cluster};
constexpr std::array kCombines = {Combine::sum, Combine::prod, Combine::max,
                                  Combine::min, Combine::any,  Combine::all};
constexpr std::array kAccesses = {Access::in, Access::out, Access::in_out};

class Parser {
 public:
  explicit Parser(std::string_view text) : reader_(text) {
    context_.symbol = [this](std::string_view name) { return named(name); };
    context_.element = [this](std::string_view name, std::vector<Expr> position) {
      return element(name, std::move(position));
    };
  }

  Kernel parse() {
    bool has_line = reader_.next_line();
    for (; has_line && reader_.accept("#"); has_line = reader_.next_line()) {
      const std::string_view note = reader_.rest_of_line();
      kernel_.notes.emplace_back(note.starts_with(' ') ? note.substr(1) : note);
    }
    head();
    kernel_.body = body();
    if (reader_.next_line()) reader_.fail("the end");
    return std::move(kernel_);
  }

 private:
  // Sizes come behind the buffers whose numbers of elements they make up, so they are read first.
  void head() {
    reader_.expect("kernel");
    kernel_.name = reader_.name();
    reader_.expect("(");
    reader_.look_ahead(';', [this] {
      do {
        kernel_.sizes.push_back(reader_.name());
      } while (reader_.accept(","));
      reader_.expect(")");
    });
    if (!kernel_.sizes.empty()) {
      if (!reader_.accept(";")) buffers();
    } else if (!reader_.accept(")")) {
      buffers();
    }
    if (!kernel_.sizes.empty()) skip_sizes();
    if (reader_.accept("grain")) kernel_.grain = expression();
    if (reader_.accept("min_blocks_per_sm")) {
      kernel_.min_blocks_per_sm = number("how many blocks share an SM");
    }
    reader_.expect("{");
    end_of_line();
  }
  void buffers() {
    do {
      kernel_.buffers.push_back(buffer());
      kernel_.buffers.back().access = one_of<Access>(kAccesses, "in, out or in_out");
    } while (reader_.accept(","));
    reader_.expect(kernel_.sizes.empty() ? ")" : ";");
  }
  void skip_sizes() {
    do {
      reader_.name();
    } while (reader_.accept(","));
    reader_.expect(")");
  }
  Buffer buffer() {
    Buffer buffer{.name = reader_.name(), .dtype = f32};
    reader_.expect(":");
    buffer.dtype = dtype();
    if (reader_.accept("[")) {
      buffer.elements = expression();
      reader_.expect("]");
    }
    return buffer;
  }

  Body body() {
    if (++depth_ > kDeepest) reader_.fail(concat("at most ", kDeepest, " levels of nesting"));
    Body statements;
    while (true) {
      if (!reader_.next_line()) reader_.fail("`}`");
      if (reader_.accept("}")) break;
      if (reader_.accept("#")) continue;
      if (depth_ == 1 && reader_.accept("shared")) {
        own_buffer(Space::shared);
      } else if (depth_ == 1 && reader_.accept("local")) {
        own_buffer(Space::local);
      } else {
        statements.push_back(statement());
      }
    }
    end_of_line();
    --depth_;
    return statements;
  }
  void own_buffer(Space space) {
    Buffer own = buffer();
    own.access = Access::in_out;
    own.space = space;
    kernel_.buffers.push_back(std::move(own));
    end_of_line();
  }

  Statement statement() {
    if (reader_.accept("for")) return {loop()};
    if (reader_.accept("if")) return {branch()};
    if (reader_.accept("let")) return {let()};
    if (reader_.accept("var")) return {var()};
    if (reader_.accept("contract")) return {contract()};
    if (reader_.accept("barrier")) {
      end_of_line();
      return {Barrier{}};
    }
    if (reader_.accept("async_copy")) return {async_copy()};
    if (reader_.accept("wait_copies")) return {wait_copies()};
    if (reader_.accept("bulk_copy")) return {bulk_copy()};
    for (const Scope scope : kScopes) {
      if (reader_.accept(concat(loop::name(scope), "_reduce"))) return {collective_reduce(scope)};
    }
    return reader_.at_numbered('v') ? assign_or_reduce() : Statement{store()};
  }

  Loop loop() {
    Loop loop{.axis = axis(), .extent = in_extent(), .body = {}};
    if (reader_.accept("@")) loop.place = one_of<Place>(kPlaces, "the place of a loop");
    reader_.expect("{");
    end_of_line();
    loop.body = body();
    return loop;
  }
  If branch() {
    If branch{.condition = expression(), .then = {}};
    if (reader_.accept("probability")) {
      reader_.expect("1");
      reader_.expect("/");
      branch.inverse_probability = number("of how many threads one takes the branch");
    }
    reader_.expect("{");
    end_of_line();
    branch.then = body();
    return branch;
  }
  Precision precision() {
    if (reader_.accept("exponent")) return Precision::exponent;
    reader_.expect("half");
    return Precision::half;
  }
  Let let() {
    const int value = defined_value();
    reader_.expect("=");
    Let let{.value = value, .arithmetic = f32, .expression = expression()};
    let.arithmetic = arithmetic(value);
    if (reader_.accept("as")) let.rounds = dtype();
    if (reader_.accept("for")) let.forms.precision = precision();
    let.forms.is_near = reader_.accept("near");
    value_name(value);
    return let;
  }
  Var var() {
    const int value = defined_value();
    reader_.expect("=");
    Var var{.value = value, .initial = expression()};
    value_name(value);
    return var;
  }
  Statement assign_or_reduce() {
    const int value = known_value();
    Statement statement;
    if (reader_.accept("=")) {
      Assign assign{.value = value, .arithmetic = f32, .expression = expression()};
      assign.arithmetic = arithmetic(value);
      statement.kind = std::move(assign);
    } else {
      const auto combine = one_of<Combine>(kCombines, "`=` or a way to combine");
      reader_.expect("=");
      Reduce reduce{value, combine, known_value()};
      if (reader_.accept("*")) reduce.factor = known_value();
      statement.kind = reduce;
    }
    end_of_line();
    return statement;
  }
  CollectiveReduce collective_reduce(Scope scope) {
    const auto combine = one_of<Combine>(kCombines, "a way to combine");
    CollectiveReduce reduce{.value = known_value(), .combine = combine, .scope = scope};
    if (reader_.accept("width")) reduce.threads = number("a number of threads");
    end_of_line();
    return reduce;
  }
  AsyncCopy async_copy() {
    AsyncCopy copy{};
    copy.buffer = known_buffer("a buffer");
    copy.index = position();
    reader_.expect("=");
    copy.from = known_buffer("a buffer");
    copy.from_index = position();
    end_of_line();
    return copy;
  }
  WaitCopies wait_copies() {
    const WaitCopies wait{number("how many groups may be in flight")};
    end_of_line();
    return wait;
  }
  BulkCopy bulk_copy() {
    BulkCopy copy{};
    copy.buffer = known_buffer("a buffer");
    reader_.expect("=");
    copy.from = known_buffer("a buffer");
    copy.first = position();
    reader_.expect("for");
    copy.count = expression();
    end_of_line();
    return copy;
  }
  int known_buffer(const char* expected) {
    const std::string name = reader_.name();
    const int buffer = find_buffer(name);
    if (buffer < 0) reader_.fail(concat(expected, "; `", name, "` is none"));
    return buffer;
  }
  Expr position() {
    reader_.expect("[");
    Expr index = expression();
    reader_.expect("]");
    return index;
  }
  Store store() {
    const std::string name = reader_.name();
    const int buffer = find_buffer(name);
    if (buffer < 0) reader_.fail(concat("a statement; `", name, "` is no buffer either"));
    Store store{.buffer = buffer, .index = position(), .value = 0};
    reader_.expect("=");
    store.value = known_value();
    end_of_line();
    return store;
  }
  Contract contract() {
    Contract c{};
    c.value = defined_value();
    c.accumulator = value_info(c.value).dtype;
    reader_.expect("over");
    c.m = axis();
    c.m_extent = in_extent();
    reader_.expect(",");
    c.n = axis();
    c.n_extent = in_extent();
    reader_.expect(",");
    reader_.expect("sum");
    c.k = axis();
    c.k_extent = in_extent();
    reader_.expect("of");
    c.lhs = expression();
    reader_.expect(",");
    c.rhs = expression();
    reader_.expect("{");
    value_name(c.value);
    c.body = body();
    return c;
  }

  int number(const char* expected) {
    const std::string word = reader_.word();
    int number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, failure] = std::from_chars(word.data(), end, number);
    if (failure != std::errc() || stop != end) reader_.fail(expected);
    return number;
  }
  int axis() {
    const int axis = reader_.numbered('i');
    kernel_.axis_count = std::max(kernel_.axis_count, axis + 1);
    return axis;
  }
  Expr in_extent() {
    reader_.expect("in");
    return expression();
  }
  Expr expression() { return reader_.expression(context_); }
  DType dtype() {
    const std::string word = reader_.word();
    const std::optional<DType> found = find_dtype(word);
    if (!found) reader_.fail(concat("a dtype, but `", word, "` is none"));
    return *found;
  }
  DType arithmetic(int value) {
    return reader_.accept("in") ? dtype() : usual_arithmetic(value_info(value).dtype);
  }
  template <class Enum>
  Enum one_of(std::span<const Enum> choices, const char* expected) {
    const std::string word = reader_.word();
    const auto found = std::ranges::find(choices, word, [](Enum e) { return loop::name(e); });
    if (found == choices.end()) reader_.fail(concat(expected, ", but `", word, "` is none"));
    return *found;
  }

  ValueInfo& value_info(int value) { return kernel_.values[static_cast<size_t>(value)]; }
  // v3: f32, where it is defined.
  int defined_value() {
    const int value = reader_.numbered('v');
    reader_.expect(":");
    if (is_known(value)) reader_.fail(concat("one definition of v", value));
    kernel_.values.resize(std::max(kernel_.values.size(), static_cast<size_t>(value) + 1));
    is_known_.resize(kernel_.values.size());
    value_info(value).dtype = dtype();
    is_known_[static_cast<size_t>(value)] = true;
    return value;
  }
  bool is_known(int value) const {
    return std::cmp_less(value, is_known_.size()) && is_known_[static_cast<size_t>(value)];
  }
  int known_value() {
    const int value = reader_.numbered('v');
    if (!is_known(value)) reader_.fail(concat("v", value, " to be defined before"));
    return value;
  }
  void value_name(int value) {
    if (reader_.accept("# ")) value_info(value).name = reader_.rest_of_line();
    end_of_line();
  }
  void end_of_line() {
    if (!reader_.at_line_end() && !reader_.accept("#")) reader_.fail("the end of the line");
  }

  int find_buffer(std::string_view name) const {
    const auto found = std::ranges::find(kernel_.buffers, name, &Buffer::name);
    return found == kernel_.buffers.end() ? -1 : static_cast<int>(found - kernel_.buffers.begin());
  }
  // What a bare word in an expression means: a value or a size. Nothing: the reader refuses.
  Expr named(std::string_view name) const {
    int value = -1;
    if (name.size() > 1 && name[0] == 'v') {
      const char* const end = name.data() + name.size();
      if (std::from_chars(name.data() + 1, end, value).ptr != end) value = -1;
    }
    if (value >= 0 && is_known(value)) {
      return expr::input(value, scalar_type(kernel_.values[static_cast<size_t>(value)].dtype));
    }
    const auto found = std::ranges::find(kernel_.sizes, name);
    if (found == kernel_.sizes.end()) return {};
    return expr::param(static_cast<int>(found - kernel_.sizes.begin()), expr::Type::integer);
  }
  Expr element(std::string_view name, std::vector<Expr> position) const {
    const int buffer = find_buffer(name);
    if (buffer < 0) return {};
    const DType dtype = kernel_.buffers[static_cast<size_t>(buffer)].dtype;
    return expr::load(buffer, scalar_type(dtype), std::move(position));
  }

  LineReader reader_;
  expr::ParseContext context_;
  Kernel kernel_;
  std::vector<bool> is_known_;  // values defined so far
  int depth_ = 0;
};

}  // namespace

Kernel parse(std::string_view text) { return Parser(text).parse(); }

Kernel read(std::string_view text, std::string_view file) {
  try {
    Kernel kernel = parse(text);
    verify(kernel);
    return kernel;
  } catch (const Error& error) {
    throw Error({.code = ErrorCode::parse,
                 .op = std::string(file),
                 .expected = error.expected(),
                 .given = error.given(),
                 .hint = error.hint()});
  }
}

}  // namespace ridge::loop
