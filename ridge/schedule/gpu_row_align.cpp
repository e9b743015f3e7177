#include "ridge/schedule/gpu_row_align.h"

#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {
namespace {

class RowAligner {
 public:
  RowAligner(const Emitter& emitter, const MisalignedRow& row)
      : emitter_(emitter),
        row_(row),
        row_axes_(axes_in(row.start)),
        start_(expr::floor_div(row.start, Expr(row.multiple)) * row.multiple) {}

  void run(loop::Body& body) const {
    for (loop::Statement& statement : body) {
      if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
        run(loop->body);
      } else if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
        run(branch->then);
      } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
        let->expression = with_loads(let->expression);
      } else if (auto* const store = std::get_if<loop::Store>(&statement.kind)) {
        store->index = aligned(store->index);
      }
    }
  }

 private:
  Expr with_loads(const Expr& e) const {
    return expr::transform(e, [&](const Expr& node) -> Expr {
      if (node->kind != expr::Kind::load) return node;
      return expr::with_args(node, {aligned(node->args[0])});
    });
  }

  // The rest of an address once the start of the row is taken away holds nothing of the row.
  Expr aligned(const Expr& index) const {
    const Expr rest = emitter_.simplified(index + row_.shift - row_.start);
    if ((axes_in(rest) & row_axes_) != 0) return index;
    return emitter_.simplified(start_) + rest;
  }

  const Emitter& emitter_;
  const MisalignedRow& row_;
  uint64_t row_axes_;
  Expr start_;
};

}  // namespace

void align_rows(const Emitter& emitter, loop::Body& body, const MisalignedRow& row) {
  RowAligner(emitter, row).run(body);
}

}  // namespace ridge::schedule
