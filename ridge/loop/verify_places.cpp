// Where loops of each place may stand, and what the lanes of a vector loop may share.
#include <map>
#include <set>

#include "ridge/base/text.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {
namespace {

constexpr int kWarpLanes = 32;

class PlaceVerifier {
 public:
  explicit PlaceVerifier(const Kernel& kernel)
      : kernel_(kernel), region_of_(kernel.values.size(), 0) {}

  void run() { body(threads(kernel_.body)); }

 private:
  // What the lanes of the vector loop around have in common.
  struct Region {
    int axis;
    std::map<int, Combine> reduced;  // vars from outside
    std::map<int, const Statement*> read;
  };

  // Follows the nest of parallel loops to the body of one task or GPU thread.
  const Body& threads(const Body& body) const {
    const auto* loop = body.size() == 1 ? std::get_if<Loop>(&body[0].kind) : nullptr;
    if (loop == nullptr || !is_parallel(loop->place)) return body;
    const Statement& statement = body[0];
    if (mentions(loop->extent, expr::Kind::axis)) {
      refuse(kernel_, statement, "an extent over params, so that threads can be counted");
    }
    if (loop->place == Place::lane && !is_constant(loop->extent, kWarpLanes)) {
      refuse(kernel_, statement, "a lane loop of extent 32");
    }
    if (loop->body.size() == 1) {
      const auto* const inner = std::get_if<Loop>(&loop->body[0].kind);
      if (inner != nullptr && is_parallel(inner->place)) check_order(*loop, loop->body[0]);
    }
    return threads(loop->body);
  }
  void check_order(const Loop& outer, const Statement& inner) const {
    const Place place = std::get<Loop>(inner.kind).place;
    const bool is_in_order = (outer.place == Place::thread) == (place == Place::thread) &&
                             outer.place <= place && outer.place != Place::lane;
    if (!is_in_order) refuse(kernel_, inner, "loops in the order grid, block, lane, or threads");
  }

  void body(const Body& statements) {
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      std::visit([&](const auto& kind) { verify_kind(kind); }, statement.kind);
      current_ = outer;
    }
  }
  void check(bool condition, const char* expected) const {
    if (!condition) refuse(kernel_, *current_, expected);
  }

  void verify_kind(const Loop& loop) {
    check(!is_parallel(loop.place), "thread, grid, block and lane loops outermost, one in another");
    check_uniform(loop.extent);
    if (loop.place == Place::serial) return body(loop.body);
    check(!is_gpu_kernel(kernel_), "vector loops in CPU kernels only");
    vector_region(loop.axis, loop.body);
  }
  void verify_kind(const If& branch) {
    reads(branch.condition);
    body(branch.then);
  }
  void verify_kind(const Let& let) {
    reads(let.expression);
    define(let.value);
  }
  void verify_kind(const Var& var) {
    reads(var.initial);
    define(var.value);
  }
  void verify_kind(const Assign& assign) {
    reads(assign.expression);
    check(is_inside(assign.value), "no assign in a vector loop to a var from outside");
  }
  void verify_kind(const Reduce& reduce) {
    read(reduce.operand);
    if (is_inside(reduce.value)) return;
    const auto [at, is_new] = region_->reduced.emplace(reduce.value, reduce.combine);
    check(is_new || at->second == reduce.combine, "one way to combine into a var");
  }
  void verify_kind(const Store& store) {
    reads(store.index);
    read(store.value);
  }
  void verify_kind(const Contract& contract) {
    for (const Expr* extent : {&contract.m_extent, &contract.n_extent, &contract.k_extent}) {
      check_uniform(*extent);
    }
    reads(contract.lhs);
    reads(contract.rhs);
    vector_region(contract.n, contract.body, contract.value);
  }
  void verify_kind(const Barrier&) const {}

  void vector_region(int axis, const Body& statements, std::optional<int> own_value = {}) {
    check(region_ == nullptr, "no vector loop inside another");
    Region region{axis, {}, {}};
    region_ = &region;
    ++region_count_;
    if (own_value) define(*own_value);
    body(statements);
    region_ = nullptr;
    for (const auto& [value, statement] : region.read) {
      if (!region.reduced.contains(value)) continue;
      refuse(kernel_, *statement,
             concat("no read of v", value, " in the vector loop that reduces into it"));
    }
  }
  void check_uniform(const Expr& extent) const {
    check(region_ == nullptr || !mentions_axis(extent, region_->axis),
          "loops inside a vector loop that are uniform over its lanes");
  }

  int here() const { return region_ == nullptr ? 0 : region_count_; }
  void define(int value) { region_of_[static_cast<size_t>(value)] = here(); }
  bool is_inside(int value) const { return region_of_[static_cast<size_t>(value)] == here(); }
  void read(int value) {
    if (region_ != nullptr) region_->read.emplace(value, current_);
  }
  void reads(const Expr& e) {
    walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::input) read(node->index);
    });
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  Region* region_ = nullptr;    // of the vector loop around
  int region_count_ = 0;        // vector loops so far
  std::vector<int> region_of_;  // of each value: the vector loop that defines it, from 1
};

}  // namespace

void verify_places(const Kernel& kernel) { PlaceVerifier(kernel).run(); }

}  // namespace ridge::loop
