#include "ridge/schedule/gpu_on_chip_buffers.h"

namespace ridge::schedule {
namespace {

constexpr int kStandIn = 1 << 20;  // beyond any number of global buffers

class OwnNumbers {
 public:
  explicit OwnNumbers(int first) : first_(first) {}

  void settle(loop::Body& body) const {
    for (loop::Statement& statement : body) {
      std::visit([&](auto& kind) { settle_kind(kind); }, statement.kind);
    }
  }

 private:
  int settled(int buffer) const { return buffer < kStandIn ? buffer : first_ + buffer - kStandIn; }
  void settle(expr::Expr& e) const {
    e = expr::transform(e, [&](const expr::Expr& node) -> expr::Expr {
      if (node->kind != expr::Kind::load || node->index < kStandIn) return node;
      return expr::load(settled(node->index), node->type, {node->args.begin(), node->args.end()});
    });
  }

  void settle_kind(loop::Loop& loop) const { settle(loop.body); }
  void settle_kind(loop::If& branch) const {
    settle(branch.condition);
    settle(branch.then);
  }
  void settle_kind(loop::Let& let) const { settle(let.expression); }
  void settle_kind(loop::Var& var) const { settle(var.initial); }
  void settle_kind(loop::Assign& assign) const { settle(assign.expression); }
  void settle_kind(loop::Store& store) const {
    store.buffer = settled(store.buffer);
    settle(store.index);
  }
  void settle_kind(loop::Contract& contract) const { settle(contract.body); }
  void settle_kind(loop::Reduce&) const {}
  void settle_kind(loop::Barrier&) const {}
  void settle_kind(loop::CollectiveReduce&) const {}
  void settle_kind(loop::Stage& stage) const {
    stage.buffer = settled(stage.buffer);
    settle(stage.index);
    settle(stage.from_index);
  }
  void settle_kind(loop::Await&) const {}
  void settle_kind(loop::Fetch& fetch) const {
    fetch.buffer = settled(fetch.buffer);
    fetch.from = settled(fetch.from);
    settle(fetch.first);
    settle(fetch.count);
  }

  int first_;
};

}  // namespace

int OnChipBuffers::add(std::string name, DType dtype, int64_t elements, loop::Space space) {
  buffers_.push_back(
      {std::move(name), dtype, loop::Access::in_out, space, expr::constant(elements)});
  return kStandIn + static_cast<int>(buffers_.size()) - 1;
}

void OnChipBuffers::settle(loop::Kernel& kernel) const {
  OwnNumbers(static_cast<int>(kernel.buffers.size())).settle(kernel.body);
  kernel.buffers.insert(kernel.buffers.end(), buffers_.begin(), buffers_.end());
}

}  // namespace ridge::schedule
