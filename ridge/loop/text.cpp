#include "ridge/base/text.h"

#include <algorithm>
#include <array>

#include "ridge/expr/text.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/tile_text.h"

namespace ridge::loop {
namespace {

// What begins a statement, and constants.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"true", "false", "inf", "nan", "for", "if", "let", "var", "contract", "barrier", "shared",
     "local", "async_copy", "wait_copies", "bulk_copy", "warp_reduce", "block_reduce",
     "cluster_reduce"});

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// i0 and v12 are axes and values.
bool is_numbered(std::string_view word) {
  return word.size() > 1 && (word[0] == 'i' || word[0] == 'v') &&
         std::ranges::all_of(word.substr(1), is_digit);
}

bool is_plain(std::string_view word) {
  return !word.empty() && is_letter(word[0]) && !is_numbered(word) &&
         std::ranges::all_of(word,
                             [](char c) { return is_letter(c) || is_digit(c) || c == '.'; }) &&
         std::ranges::find(kReserved, word) == kReserved.end();
}

template <class Item>
bool is_index_of(int index, const std::vector<Item>& items) {
  return index >= 0 && std::cmp_less(index, items.size());
}

std::string buffer_name(const Kernel& kernel, int buffer) {
  if (!is_index_of(buffer, kernel.buffers)) return concat("buffer", buffer);
  return quoted_if_needed(kernel.buffers[static_cast<size_t>(buffer)].name);
}

std::string param_word(const Kernel& kernel, int param) {
  if (is_index_of(param, kernel.sizes)) {
    return quoted_if_needed(kernel.sizes[static_cast<size_t>(param)]);
  }
  const int tile_size = param - static_cast<int>(kernel.sizes.size());
  if (!is_index_of(tile_size, kernel.tile_sizes)) return "";
  return quoted_if_needed(kernel.tile_sizes[static_cast<size_t>(tile_size)]);
}

std::string leaf_word(const Kernel& kernel, const expr::Node& leaf) {
  switch (leaf.kind) {
    case expr::Kind::load: return buffer_name(kernel, leaf.index);
    case expr::Kind::input: return concat("v", leaf.index);
    case expr::Kind::param: return param_word(kernel, leaf.index);
    case expr::Kind::constant:
    case expr::Kind::symbol:
    case expr::Kind::axis:
    case expr::Kind::call:
    case expr::Kind::cast: return "";
  }
  return "";
}

class Writer {
 public:
  explicit Writer(const Kernel& kernel) : kernel_(kernel) {}

  std::string head(const Loop& loop) const {
    const std::string place =
        loop.place == Place::serial ? "" : concat(" @", loop::name(loop.place));
    return concat("for i", loop.axis, " in ", text(loop.extent), place, " {");
  }
  std::string head(const If& branch) const {
    const std::string probability = branch.inverse_probability == 1
                                        ? ""
                                        : concat(" probability 1/", branch.inverse_probability);
    return concat("if ", text(branch.condition), probability, " {");
  }
  std::string head(const Let& let) const {
    const std::string rounds = let.rounds ? concat(" as ", ridge::name(*let.rounds)) : "";
    return concat("let v", let.value, ": ", dtype_text(let.value), " = ", text(let.expression),
                  arithmetic_text(let.value, let.arithmetic), rounds, ridge::to_text(let.forms));
  }
  std::string head(const Var& var) const {
    return concat("var v", var.value, ": ", dtype_text(var.value), " = ", text(var.initial));
  }
  std::string head(const Assign& assign) const {
    return concat("v", assign.value, " = ", text(assign.expression),
                  arithmetic_text(assign.value, assign.arithmetic));
  }
  std::string head(const Reduce& reduce) const {
    return concat("v", reduce.value, " ", loop::name(reduce.combine), "= v", reduce.operand,
                  reduce.factor < 0 ? "" : concat(" * v", reduce.factor));
  }
  std::string head(const Store& store) const {
    return concat(buffer_name(kernel_, store.buffer), "[", text(store.index), "] = v", store.value);
  }
  std::string head(const Contract& c) const {
    return concat("contract v", c.value, ": ", ridge::name(c.accumulator), " over i", c.m, " in ",
                  text(c.m_extent), ", i", c.n, " in ", text(c.n_extent), ", sum i", c.k, " in ",
                  text(c.k_extent), " of ", text(c.lhs), ", ", text(c.rhs), " {");
  }
  std::string head(const Barrier&) const { return "barrier"; }
  std::string head(const CollectiveReduce& reduce) const {
    const std::string width = reduce.threads == 0 ? "" : concat(" width ", reduce.threads);
    return concat(loop::name(reduce.scope), "_reduce ", loop::name(reduce.combine), " v",
                  reduce.value, width);
  }
  std::string head(const AsyncCopy& copy) const {
    return concat("async_copy ", buffer_name(kernel_, copy.buffer), "[", text(copy.index),
                  "] = ", buffer_name(kernel_, copy.from), "[", text(copy.from_index), "]");
  }
  std::string head(const WaitCopies& wait) const { return concat("wait_copies ", wait.pending); }
  std::string head(const BulkCopy& copy) const {
    return concat("bulk_copy ", buffer_name(kernel_, copy.buffer), " = ",
                  buffer_name(kernel_, copy.from), "[", text(copy.first), "] for ",
                  text(copy.count));
  }

  std::string kernel_text() {
    for (const std::string& note : kernel_.notes) out_.line(note.empty() ? "#" : "# " + note);
    out_.line(signature());
    {
      const auto indent = out_.indent();
      for (const Buffer& buffer : kernel_.buffers) {
        if (buffer.space == Space::global) continue;
        out_.line(buffer.space == Space::shared ? "shared " : "local ", buffer_text(buffer));
      }
      for (const std::string& line : declaration_texts(kernel_)) out_.line(line);
      write(kernel_.body);
    }
    out_.line("}");
    return std::move(out_).str();
  }

 private:
  std::string text(const Expr& e) const { return expression_text(kernel_, e); }
  std::string dtype_text(int value) const {
    if (!is_index_of(value, kernel_.values)) return "?";
    return std::string(ridge::name(kernel_.values[static_cast<size_t>(value)].dtype));
  }
  std::string arithmetic_text(int value, DType arithmetic) const {
    const bool is_usual =
        is_index_of(value, kernel_.values) &&
        arithmetic == usual_arithmetic(kernel_.values[static_cast<size_t>(value)].dtype);
    return is_usual ? "" : concat(" in ", ridge::name(arithmetic));
  }
  std::string buffer_text(const Buffer& buffer) const {
    const std::string elements =
        buffer.elements.get() == nullptr ? "" : concat("[", text(buffer.elements), "]");
    return concat(quoted_if_needed(buffer.name), ": ", ridge::name(buffer.dtype), elements);
  }

  std::string signature() const {
    std::vector<std::string> arguments;
    for (const Buffer& buffer : kernel_.buffers) {
      if (buffer.space != Space::global) continue;
      arguments.push_back(concat(buffer_text(buffer), " ", loop::name(buffer.access)));
    }
    std::string out = concat("kernel ", quoted_if_needed(kernel_.name), "(", join(arguments, ", "));
    if (!kernel_.sizes.empty()) out += concat("; ", join(kernel_.sizes, ", ", quoted_if_needed));
    if (!kernel_.tile_sizes.empty()) {
      out += concat(kernel_.sizes.empty() ? "; ; " : "; ",
                    join(kernel_.tile_sizes, ", ", quoted_if_needed));
    }
    out += ")";
    if (kernel_.threads > 0) out += concat(" threads ", kernel_.threads);
    if (kernel_.grain.get() != nullptr) out += concat(" grain ", text(kernel_.grain));
    if (kernel_.min_blocks_per_sm > 0) {
      out += concat(" min_blocks_per_sm ", kernel_.min_blocks_per_sm);
    }
    return out + " {";
  }

  void write(const Body& body) {
    for (const Statement& statement : body) {
      const std::string head = with_name(head_text(kernel_, statement), defined_value(statement));
      const Body* const inner = body_of(statement);
      if (inner == nullptr) {
        out_.line(head);
      } else {
        write_block(head, *inner);
      }
    }
  }
  void write_block(const std::string& head, const Body& body) {
    out_.line(head);
    {
      const auto indent = out_.indent();
      write(body);
    }
    out_.line("}");
  }
  static int defined_value(const Statement& statement) {
    if (const auto* const let = as<Let>(statement)) return let->value;
    if (const auto* const var = as<Var>(statement)) return var->value;
    if (const auto* const contract = as<Contract>(statement)) return contract->value;
    if (const auto* const read = as<ReadElement>(statement)) return read->value;
    return -1;
  }
  // The name of the value that a statement defines stands behind it.
  std::string with_name(std::string head, int value) const {
    if (!is_index_of(value, kernel_.values)) return head;
    const std::string& name = kernel_.values[static_cast<size_t>(value)].name;
    return name.empty() ? head : concat(head, "  # ", name);
  }

  const Kernel& kernel_;
  TextWriter out_;
};

}  // namespace

size_t Kernel::argument_count() const {
  return static_cast<size_t>(std::ranges::count(buffers, Space::global, &Buffer::space));
}

bool Kernel::has_tiles() const {
  bool has = !tiles.empty() || !rings.empty() || !views.empty() || threads > 0;
  for_each_statement(body, [&](const Statement& s) { has |= is_tile_statement(s); });
  return has;
}

std::string to_text(const Kernel& kernel) { return Writer(kernel).kernel_text(); }

std::string expression_text(const Kernel& kernel, const Expr& e) {
  if (e.get() == nullptr) return "?";
  return expr::to_text(e, [&](const expr::Node& leaf) { return leaf_word(kernel, leaf); });
}

std::string head_text(const Kernel& kernel, const Statement& statement) {
  const Writer writer(kernel);
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (TileStatement<Kind>) {
          return tile_head_text(kernel, statement);
        } else {
          return writer.head(kind);
        }
      },
      statement.kind);
}

DType usual_arithmetic(DType value) { return value == f64 ? f64 : f32; }

std::string quoted_if_needed(std::string_view name) {
  if (is_plain(name)) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string_view name(Place place) {
  switch (place) {
    case Place::serial: return "serial";
    case Place::cpu_thread: return "cpu_thread";
    case Place::vector: return "vector";
    case Place::gpu_block: return "gpu_block";
    case Place::gpu_cluster_block: return "gpu_cluster_block";
    case Place::gpu_thread: return "gpu_thread";
  }
  return "?";
}

std::string_view name(Scope scope) {
  switch (scope) {
    case Scope::warp: return "warp";
    case Scope::block: return "block";
    case Scope::cluster: return "cluster";
  }
  return "?";
}

std::string_view name(Combine combine) {
  switch (combine) {
    case Combine::sum: return "sum";
    case Combine::prod: return "prod";
    case Combine::max: return "max";
    case Combine::min: return "min";
    case Combine::any: return "any";
    case Combine::all: return "all";
  }
  return "?";
}

std::string_view name(Access access) {
  switch (access) {
    case Access::in: return "in";
    case Access::out: return "out";
    case Access::in_out: return "in_out";
  }
  return "?";
}

}  // namespace ridge::loop
