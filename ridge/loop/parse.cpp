// The inverse of to_text: one statement a line, bodies between braces.
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/kernel_reader.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/tile_parse.h"

namespace ridge::loop {
namespace {

constexpr int kDeepest = 200;  // bodies inside bodies; a limit, not a stack overflow

constexpr std::array kPlaces = {Place::serial,    Place::cpu_thread,        Place::vector,
                                Place::gpu_block, Place::gpu_cluster_block, Place::gpu_thread};
constexpr std::array kScopes = {Scope::warp, Scope::block, Scope::cluster};
constexpr std::array kAccesses = {Access::in, Access::out, Access::in_out};

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

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
    reader_.look_ahead(';', [this] { sizes(kernel_.sizes, kernel_.tile_sizes); });
    const bool has_sizes = !kernel_.sizes.empty() || !kernel_.tile_sizes.empty();
    const std::string_view end = has_sizes ? ";" : ")";
    if (!reader_.accept(end)) buffers(end);
    if (has_sizes) {
      std::vector<std::string> known, known_of_tiles;
      sizes(known, known_of_tiles);
    }
    if (reader_.accept("threads")) kernel_.threads = in_.number("the threads of a block");
    if (reader_.accept("grain")) kernel_.grain = in_.expression();
    if (reader_.accept("min_blocks_per_sm")) {
      kernel_.min_blocks_per_sm = in_.number("how many blocks share an SM");
    }
    reader_.expect("{");
    in_.end_of_line();
  }
  // n, m; tn, tm)
  void sizes(std::vector<std::string>& sizes, std::vector<std::string>& tile_sizes) {
    if (!reader_.accept(";")) {
      names(sizes);
      if (!reader_.accept(";")) return reader_.expect(")");
    }
    names(tile_sizes);
    reader_.expect(")");
  }
  void names(std::vector<std::string>& names) {
    do {
      names.push_back(reader_.name());
    } while (reader_.accept(","));
  }
  void buffers(std::string_view end) {
    do {
      kernel_.buffers.push_back(buffer());
      kernel_.buffers.back().access = in_.one_of<Access>(kAccesses, "in, out or in_out");
    } while (reader_.accept(","));
    reader_.expect(end);
  }
  Buffer buffer() {
    Buffer buffer{.name = reader_.name(), .dtype = f32};
    reader_.expect(":");
    buffer.dtype = in_.dtype();
    if (reader_.accept("[")) {
      buffer.elements = in_.expression();
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
      } else if (depth_ == 1 && parse_declaration(in_)) {
        continue;
      } else {
        statements.push_back(statement());
      }
    }
    in_.end_of_line();
    --depth_;
    return statements;
  }
  void own_buffer(Space space) {
    Buffer own = buffer();
    own.access = Access::in_out;
    own.space = space;
    kernel_.buffers.push_back(std::move(own));
    in_.end_of_line();
  }

  Statement statement() {
    if (reader_.accept("for")) return loop();
    if (reader_.accept("if")) return {branch()};
    if (reader_.accept("let")) return {let()};
    if (reader_.accept("var")) return {var()};
    if (reader_.accept("contract")) return {contract()};
    if (reader_.accept("barrier")) {
      in_.end_of_line();
      return {Barrier{}};
    }
    if (reader_.accept("async_copy")) return {async_copy()};
    if (reader_.accept("wait_copies")) return {wait_copies()};
    if (reader_.accept("bulk_copy")) return {bulk_copy()};
    for (const Scope scope : kScopes) {
      if (reader_.accept(concat(loop::name(scope), "_reduce"))) return {collective_reduce(scope)};
    }
    if (std::optional<Statement> over_tiles =
            parse_tile_statement(in_, [this] { return body(); })) {
      return *std::move(over_tiles);
    }
    return reader_.at_numbered('v') ? assign_or_reduce() : Statement{store()};
  }

  Statement loop() {
    const int axis = in_.axis();
    if (reader_.accept(",")) return {parse_tile_loop(in_, axis, [this] { return body(); })};
    Loop loop{.axis = axis, .extent = in_.in_extent(), .body = {}};
    if (reader_.accept("@")) loop.place = in_.one_of<Place>(kPlaces, "the place of a loop");
    reader_.expect("{");
    in_.end_of_line();
    loop.body = body();
    return {std::move(loop)};
  }
  If branch() {
    If branch{.condition = in_.expression(), .then = {}};
    if (reader_.accept("probability")) {
      reader_.expect("1");
      reader_.expect("/");
      branch.inverse_probability = in_.number("of how many threads one takes the branch");
    }
    reader_.expect("{");
    in_.end_of_line();
    branch.then = body();
    return branch;
  }
  Precision precision() {
    if (reader_.accept("exponent")) return Precision::exponent;
    reader_.expect("half");
    return Precision::half;
  }
  Let let() {
    const int value = in_.defined_value();
    reader_.expect("=");
    Let let{.value = value, .arithmetic = f32, .expression = in_.expression()};
    let.arithmetic = in_.arithmetic(value);
    if (reader_.accept("as")) let.rounds = in_.dtype();
    if (reader_.accept("for")) let.forms.precision = precision();
    let.forms.is_near = reader_.accept("near");
    in_.value_name(value);
    return let;
  }
  Var var() {
    const int value = in_.defined_value();
    reader_.expect("=");
    Var var{.value = value, .initial = in_.expression()};
    in_.value_name(value);
    return var;
  }
  Statement assign_or_reduce() {
    const int value = in_.known_value();
    Statement statement;
    if (reader_.accept("=")) {
      Assign assign{.value = value, .arithmetic = f32, .expression = in_.expression()};
      assign.arithmetic = in_.arithmetic(value);
      statement.kind = std::move(assign);
    } else {
      const auto combine = in_.combine("`=` or a way to combine");
      reader_.expect("=");
      Reduce reduce{value, combine, in_.known_value()};
      if (reader_.accept("*")) reduce.factor = in_.known_value();
      statement.kind = reduce;
    }
    in_.end_of_line();
    return statement;
  }
  CollectiveReduce collective_reduce(Scope scope) {
    const auto combine = in_.combine("a way to combine");
    CollectiveReduce reduce{.value = in_.known_value(), .combine = combine, .scope = scope};
    if (reader_.accept("width")) reduce.threads = in_.number("a number of threads");
    in_.end_of_line();
    return reduce;
  }
  AsyncCopy async_copy() {
    AsyncCopy copy{};
    copy.buffer = in_.known_buffer("a buffer");
    copy.index = in_.position();
    reader_.expect("=");
    copy.from = in_.known_buffer("a buffer");
    copy.from_index = in_.position();
    in_.end_of_line();
    return copy;
  }
  WaitCopies wait_copies() {
    const WaitCopies wait{in_.number("how many groups may be in flight")};
    in_.end_of_line();
    return wait;
  }
  BulkCopy bulk_copy() {
    BulkCopy copy{};
    copy.buffer = in_.known_buffer("a buffer");
    reader_.expect("=");
    copy.from = in_.known_buffer("a buffer");
    copy.first = in_.position();
    reader_.expect("for");
    copy.count = in_.expression();
    in_.end_of_line();
    return copy;
  }
  Store store() {
    const std::string name = reader_.name();
    const int buffer = in_.find_buffer(name);
    if (buffer < 0) reader_.fail(concat("a statement; `", name, "` is no buffer either"));
    Store store{.buffer = buffer, .index = in_.position(), .value = 0};
    reader_.expect("=");
    store.value = in_.known_value();
    in_.end_of_line();
    return store;
  }
  Contract contract() {
    Contract c{};
    c.value = in_.defined_value();
    c.accumulator = in_.value_info(c.value).dtype;
    reader_.expect("over");
    c.m = in_.axis();
    c.m_extent = in_.in_extent();
    reader_.expect(",");
    c.n = in_.axis();
    c.n_extent = in_.in_extent();
    reader_.expect(",");
    reader_.expect("sum");
    c.k = in_.axis();
    c.k_extent = in_.in_extent();
    reader_.expect("of");
    c.lhs = in_.expression();
    reader_.expect(",");
    c.rhs = in_.expression();
    reader_.expect("{");
    in_.value_name(c.value);
    c.body = body();
    return c;
  }

  KernelReader in_;
  LineReader& reader_ = in_.lines;
  Kernel& kernel_ = in_.kernel;
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
