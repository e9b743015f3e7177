#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_loads.h"

namespace ridge::schedule {
namespace {

class PipelineLoads {
 public:
  PipelineLoads(Emitter& emitter, OnChipBuffers& own, const PipelinedRows& rows)
      : emitter_(emitter), own_(own), rows_(rows) {
    along_ = axes_in(rows.part) | axis_mask({rows.thread, rows.lane});
    for (const PeeledLoop& peeled : rows.peeled_loops) along_ |= axis_mask({peeled.step});
  }

  loop::Body run(loop::Body& body) {
    for (size_t i = 0; i < rows_.peeled_loops.size(); ++i) fills_.emplace_back();
    scan(body, -1);
    loop::Body copies;
    for (const SharedRun& run : runs_) copies.push_back({run.copy});
    body.insert(body.begin(), std::make_move_iterator(copies.begin()),
                std::make_move_iterator(copies.end()));
    loop::Body before;
    for (size_t i = 0; i < fills_.size(); ++i) {
      if (!fills_[i].empty()) {
        before.push_back(rows_.around(rows_.peeled_loops[i], std::move(fills_[i])));
      }
    }
    return before;
  }

 private:
  struct SharedRun {
    Expr index;  // of a number of the row; null for what lies along it
    loop::BulkCopy copy;
  };
  struct RegisterCopy {
    int from;
    Expr offset;  // of the array, from its first element to that of the row's first column
    int buffer;
    std::vector<bool> is_filled;  // by peeled loop
  };

  void scan(loop::Body& body, int peeled) {
    for (loop::Statement& statement : body) {
      if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
        const auto at = std::ranges::find(rows_.peeled_loops, loop->axis, &PeeledLoop::step);
        const bool is_peeled_loop = at != rows_.peeled_loops.end();
        scan(loop->body,
             is_peeled_loop ? static_cast<int>(at - rows_.peeled_loops.begin()) : peeled);
      } else if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
        scan(branch->then, peeled);
      } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
        if (let->expression->kind == expr::Kind::load) look_at(*let, peeled);
      }
    }
  }

  const loop::Buffer& buffer(int number) const {
    return emitter_.kernel().buffers[static_cast<size_t>(number)];
  }

  void look_at(loop::Let& let, int peeled) {
    const Expr load = let.expression;
    const auto number = static_cast<size_t>(load->index);
    const Expr index = load->args[0];
    // Sums in registers have numbers behind those of all memory.
    if (number >= emitter_.kernel().buffers.size()) return;
    if (buffer(load->index).access != loop::Access::in || !is_known(index)) return;
    const uint64_t axes = axes_in(index);
    const bool has_rows = (axes >> rows_.row_loop & 1) != 0;
    if ((axes & along_) == 0) {
      if (has_rows) let.expression = of_row(load->index, index, load->type);
    } else if (has_rows) {
      let.expression = along(load, peeled);
    } else if (peeled >= 0) {
      let.expression = copy(let, peeled);
    }
  }
  static bool is_known(const Expr& index) {
    bool result = true;
    expr::walk(index, [&](const Expr& node) {
      result &= node->kind != expr::Kind::input && node->kind != expr::Kind::load;
    });
    return result;
  }

  int64_t vector_of(int number) const {
    return kWideBytes / std::max(1, buffer(number).dtype.bits / 8);
  }

  // One number, by way of the 16 bytes that hold it.
  Expr of_row(int from, const Expr& index, expr::Type type) {
    const int64_t width = vector_of(from);
    const Expr at = emitter_.simplified(expr::mod(index, Expr(width)));
    for (const SharedRun& known : runs_) {
      const bool is_same = static_cast<bool>(known.index) && known.copy.from == from &&
                           expr::same(known.index, index);
      if (is_same) return expr::load(known.copy.buffer, type, {at});
    }
    const auto before = std::ranges::count_if(runs_, [&](const SharedRun& known) {
      return static_cast<bool>(known.index) && known.copy.from == from;
    });
    const std::string number = before == 0 ? "" : concat(before + 1);
    const int to = own_.add(concat(buffer(from).name, "_head", number), buffer(from).dtype, width);
    const Expr first = expr::floor_div(index, Expr(width)) * width;
    runs_.push_back({index, {to, from, emitter_.simplified(first), emitter_.simplified(at + 1)}});
    return expr::load(to, type, {at});
  }

  // The part of a row that the block has.
  Expr along(const Expr& load, int peeled) {
    const int64_t part = rows_.slice * rows_.width;
    const Expr first = emitter_.simplified(rows_.start + rows_.part * part);
    const Expr at = emitter_.simplified(load->args[0] - first);
    RIDGE_INTERNAL_CHECK(peeled >= 0 && expr::same(at, place(peeled, rows_.threads)),
                         "an array that does not lie along the rows that stream");
    for (const SharedRun& known : runs_) {
      if (static_cast<bool>(known.index) || known.copy.from != load->index) continue;
      return expr::load(known.copy.buffer, load->type, {at});
    }
    const int to =
        own_.add(concat(buffer(load->index).name, "_row"), buffer(load->index).dtype, part);
    const Expr left = rows_.misalignment + rows_.length - rows_.part * part;
    const Expr count = emitter_.simplified(expr::min(left, Expr(part)));
    runs_.push_back({{}, {to, load->index, first, count}});
    return expr::load(to, load->type, {at});
  }
  // Of a thread's element among those of all threads of its block, or among its own.
  Expr place(int peeled, int64_t threads) const {
    const PeeledLoop& at = rows_.peeled_loops[static_cast<size_t>(peeled)];
    Expr vector = (expr::axis(at.step) + at.first) * threads;
    if (threads > 1) vector = vector + expr::axis(rows_.thread);
    return emitter_.simplified(vector * rows_.width + expr::axis(rows_.lane));
  }

  Expr copy(const loop::Let& let, int peeled) {
    const Expr load = let.expression;
    const Expr column = place(peeled, rows_.threads) + rows_.part * (rows_.slice * rows_.width) -
                        rows_.misalignment;
    const Expr offset = emitter_.simplified(load->args[0] - column);
    if ((axes_in(offset) & along_) != 0) return load;
    auto found = std::ranges::find_if(register_copies_, [&](const RegisterCopy& copy) {
      return copy.from == load->index && expr::same(copy.offset, offset);
    });
    if (found == register_copies_.end()) {
      const auto before = std::ranges::count(register_copies_, load->index, &RegisterCopy::from);
      const std::string number = before == 0 ? "" : concat(before + 1);
      const int to =
          own_.add(concat(buffer(load->index).name, "_registers", number),
                   buffer(load->index).dtype, rows_.steps * rows_.width, loop::Space::local);
      register_copies_.push_back(
          {load->index, offset, to, std::vector<bool>(rows_.peeled_loops.size())});
      found = register_copies_.end() - 1;
    }
    const Expr at = place(peeled, 1);
    if (!found->is_filled[static_cast<size_t>(peeled)]) {
      found->is_filled[static_cast<size_t>(peeled)] = true;
      const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
      const int value = emitter_.new_value(info.name, info.dtype);
      loop::Body& fill = fills_[static_cast<size_t>(peeled)];
      fill.push_back({loop::Let{value, let.arithmetic, load}});
      fill.push_back({loop::Store{found->buffer, at, value}});
    }
    return expr::load(found->buffer, load->type, {at});
  }

  Emitter& emitter_;
  OnChipBuffers& own_;
  const PipelinedRows& rows_;
  uint64_t along_ = 0;
  std::vector<SharedRun> runs_;
  std::vector<RegisterCopy> register_copies_;
  std::vector<loop::Body> fills_;  // by peeled loop
};

}  // namespace

loop::Body pipeline_loads(Emitter& emitter, OnChipBuffers& own, loop::Body& body,
                          const PipelinedRows& rows) {
  return PipelineLoads(emitter, own, rows).run(body);
}

}  // namespace ridge::schedule
