#include <algorithm>

#include "ridge/schedule/gpu_split.h"

namespace ridge::schedule {
namespace {

class ReadCounts {
 public:
  explicit ReadCounts(size_t values) : is_read(values) {}

  void add(const loop::Body& body) {
    for (const loop::Statement& statement : body) {
      std::visit([&](const auto& kind) { add_kind(kind); }, statement.kind);
    }
  }
  std::vector<bool> is_read;

 private:
  void mark(int value) { is_read[static_cast<size_t>(value)] = true; }
  void add(const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::input) mark(node->index);
    });
  }
  void add_kind(const loop::Loop& loop) { add(loop.body); }
  void add_kind(const loop::If& branch) {
    add(branch.condition);
    add(branch.then);
  }
  void add_kind(const loop::Let& let) { add(let.expression); }
  void add_kind(const loop::Var& var) { add(var.initial); }
  void add_kind(const loop::Assign& assign) { add(assign.expression); }
  void add_kind(const loop::Reduce& reduce) { mark(reduce.operand); }
  void add_kind(const loop::Store& store) {
    add(store.index);
    mark(store.value);
  }
  void add_kind(const loop::Contract& contract) { add(contract.body); }
  void add_kind(const loop::Barrier&) {}
  void add_kind(const loop::CollectiveReduce&) {}
  void add_kind(const loop::Stage& stage) {
    add(stage.index);
    add(stage.from_index);
  }
  void add_kind(const loop::Await&) {}
  void add_kind(const loop::Fetch& fetch) {
    add(fetch.first);
    add(fetch.count);
  }
};

void drop(loop::Body& body, const std::vector<bool>& is_dropped) {
  std::erase_if(body, [&](const loop::Statement& statement) {
    const auto* const let = std::get_if<loop::Let>(&statement.kind);
    return let != nullptr && is_dropped[static_cast<size_t>(let->value)];
  });
  for (loop::Statement& statement : body) {
    if (auto* loop = std::get_if<loop::Loop>(&statement.kind)) drop(loop->body, is_dropped);
    if (auto* branch = std::get_if<loop::If>(&statement.kind)) drop(branch->then, is_dropped);
  }
}

}  // namespace

void drop_unread(loop::Kernel& kernel, const std::vector<int>& lets) {
  ReadCounts counts(kernel.values.size());
  counts.add(kernel.body);
  std::vector<bool> is_dropped(kernel.values.size());
  for (const int value : lets) {
    is_dropped[static_cast<size_t>(value)] = !counts.is_read[static_cast<size_t>(value)];
  }
  drop(kernel.body, is_dropped);
}

}  // namespace ridge::schedule
