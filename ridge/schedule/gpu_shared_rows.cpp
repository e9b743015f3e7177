#include "ridge/schedule/gpu_shared_rows.h"

#include <algorithm>
#include <cstdlib>

#include "ridge/base/text.h"

namespace ridge::schedule {
namespace {

constexpr int kMinSharedBits = 8;
constexpr int kMinRegisterBits = 16;

class RowSharer {
 public:
  RowSharer(Emitter& emitter, const SharedRows& shared)
      : emitter_(emitter), rows_in_shared_(shared) {}

  loop::Body run(loop::Body& body) {
    auto loads = repeated_loads(emitter_, body, peeled_loops(), kMinSharedBits);
    for (auto& of_peeled_loop : loads) {
      std::erase_if(of_peeled_loop, [&](const RowLoad& load) { return !has_rows(load.index); });
    }
    choose(loads, elements(), rows_in_shared_.most_bytes);
    loop::Body first;
    if (loads.front().empty()) return first;
    const auto buffers = add_buffers(loads.front(), loop::Space::shared, elements(), "_row");
    const Expr row = expr::axis(row_loop()), next = row + row_buffers();
    loop::Body later, refills;
    for (size_t i = 0; i < loads.size(); ++i) {
      first.push_back(of_row(Expr(0), Expr(0), loads[i], buffers, i));
      if (row_buffers() > 1) later.push_back(of_row(Expr(1), Expr(1), loads[i], buffers, i));
      refills.push_back(of_row(next, row, loads[i], buffers, i));
      for (size_t k = 0; k < loads[i].size(); ++k)
        redirect(loads[i][k], buffers[k], position(i, row));
    }
    for (size_t i = 0; i < refills.size(); ++i)
      add_to_last_pass(body, i, std::move(refills[i]), has(next));
    if (row_buffers() > 1) {
      first.push_back({loop::WaitCopies{row_buffers() - 1}});
      first.push_back({loop::If{has(Expr(1)), std::move(later)}});
    }
    body.insert(body.begin(), {loop::WaitCopies{row_buffers() - 1}});
    keep_row_invariant(body, first);
    return first;
  }

 private:
  int row_loop() const { return rows_in_shared_.rows.row_loop.axis; }
  Expr has(const Expr& row) const {
    return emitter_.simplified(rows_in_shared_.rows.row_loop.has(row));
  }
  bool is_misaligned() const { return rows_in_shared_.max_misalignment > 1; }
  int row_buffers() const {
    return rows_in_shared_.is_double_buffered ? 2 : 1;
  }  // rows from that in whose place it comes
  const std::vector<PeeledLoop>& peeled_loops() const { return rows_in_shared_.rows.peeled_loops; }

  // Does the address grow from row to row, by more than the misalignment?
  bool has_rows(const Expr& index) const {
    const auto at = [&](int64_t row) {
      return emitter_.simplified(expr::transform(index, [&](const Expr& node) -> Expr {
        if (node->kind != expr::Kind::axis) return node;
        return Expr(node->index == row_loop() ? row : 0);
      }));
    };
    const Expr first = at(0), second = at(1);
    return !expr::is_constant(first) || !expr::is_constant(second) ||
           std::abs(second->integer - first->integer) >= rows_in_shared_.max_misalignment;
  }

  int64_t elements() const {
    return rows_in_shared_.is_double_buffered ? 2 * rows_in_shared_.slots : rows_in_shared_.slots;
  }
  int64_t register_elements() const { return register_steps() * rows_in_shared_.rows.width; }

  // As many as there is memory for.
  void choose(std::vector<std::vector<RowLoad>>& all, int64_t elements, int64_t most_bytes) const {
    int64_t bytes = 0;
    size_t count = 0;
    for (const RowLoad& load : all.front()) {
      const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(load.buffer)].dtype;
      bytes += elements * std::max(1, dtype.bits / 8);
      if (bytes > most_bytes) break;
      ++count;
    }
    for (auto& loads : all) loads.resize(count);
  }

  std::vector<int> add_buffers(const std::vector<RowLoad>& loads, loop::Space space,
                               int64_t elements, std::string_view suffix) {
    std::vector<int> numbers;
    for (const RowLoad& load : loads) {
      auto& buffers = emitter_.kernel().buffers;
      const loop::Buffer from = buffers[static_cast<size_t>(load.buffer)];
      const auto before = std::ranges::count(loads.data(), &load, load.buffer, &RowLoad::buffer);
      numbers.push_back(static_cast<int>(buffers.size()));
      buffers.push_back({concat(from.name, suffix, before == 0 ? "" : concat(before + 1)),
                         from.dtype, loop::Access::in_out, space, Expr(elements)});
    }
    return numbers;
  }

  // In front of the row loop, where `first` is, or in it, at its first trip and at the first odd row. What is misaligned
  // is put together from twice as many registers, for which there is room if it happens in the row loop.
  void keep_row_invariant(loop::Body& body, loop::Body& first) {
    auto loads = row_invariant_loads(emitter_, body, peeled_loops(), kMinRegisterBits, row_loop(),
                                     rows_in_shared_.rows.row_loop.even_row_trips);
    choose(loads, register_elements(), rows_in_shared_.invariant_bytes);
    if (loads.front().empty()) return;
    const auto registers =
        add_buffers(loads.front(), loop::Space::local, register_elements(), "_registers");
    std::vector<int> ends;
    if (has_ends()) {
      const int64_t elements = rows_in_shared_.end_chunks * rows_in_shared_.rows.width;
      ends = add_buffers(loads.front(), loop::Space::shared, elements, "_ends");
    }
    const int64_t even_row_trips = rows_in_shared_.rows.row_loop.even_row_trips;
    const bool comes_first = even_row_trips == 0 && !is_misaligned();
    loop::Body fill;
    for (size_t i = 0; i < loads.size(); ++i) {
      fill.push_back(filled(loads[i], is_end(i) ? ends : registers,
                            is_end(i) ? end_at(i) : register_at(i), i));
      if (even_row_trips == 0) move_to_row(fill.back(), Expr(0));
    }
    if (comes_first) {
      first.insert(first.end(), std::make_move_iterator(fill.begin()),
                   std::make_move_iterator(fill.end()));
    } else {
      const Expr row = expr::axis(row_loop());
      const Expr starts =
          expr::equal(even_row_trips > 0 ? expr::mod(row, Expr(even_row_trips)) : row, Expr(0));
      body.insert(body.begin(), {loop::If{emitter_.simplified(starts), std::move(fill)}});
    }
  }
  loop::Statement filled(std::vector<RowLoad>& loads, const std::vector<int>& buffers,
                         const Expr& place, size_t peeled) {
    loop::Body copies;
    for (size_t k = 0; k < buffers.size(); ++k) {
      const loop::Let& let = *loads[k].lets.front();
      const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
      const int value = emitter_.new_value(info.name, info.dtype);
      copies.push_back({loop::Let{value, let.arithmetic, let.expression}});
      copies.push_back({loop::Store{buffers[k], place, value}});
      redirect(loads[k], buffers[k], place);
    }
    return rows_in_shared_.rows.around(peeled_loops()[peeled], std::move(copies));
  }

  // Peeled loops in shared memory, where only the longest one is in registers.
  bool has_ends() const { return rows_in_shared_.end_chunks > 0; }
  bool is_end(size_t peeled) const { return has_ends() && peeled != longest(); }
  size_t longest() const {
    const auto at = std::ranges::max_element(
        peeled_loops(), {}, [](const PeeledLoop& peeled) { return peeled.count.value_or(0); });
    return static_cast<size_t>(at - peeled_loops().begin());
  }
  int64_t register_steps() const {
    return has_ends() ? *peeled_loops()[longest()].count : rows_in_shared_.rows.steps;
  }
  Expr register_at(size_t peeled) const {
    const PeeledLoop& at = peeled_loops()[peeled];
    const int64_t first = has_ends() ? 0 : at.first;
    return element((expr::axis(at.step) + first) * rows_in_shared_.rows.width);
  }
  Expr end_at(size_t peeled) const {
    const PeeledLoop& at = peeled_loops()[peeled];
    const int64_t before = peeled > longest() ? register_steps() : 0;
    const Expr step = expr::axis(at.step) + (at.first - before);
    return element((step * rows_in_shared_.threads + expr::axis(rows_in_shared_.thread)) *
                   rows_in_shared_.rows.width);
  }
  // The one of a lane, from the first of its neighbors.
  Expr element(const Expr& first) const {
    return emitter_.simplified(
        rows_in_shared_.rows.lane >= 0 ? first + expr::axis(rows_in_shared_.rows.lane) : first);
  }

  // Of a thread's elements in an iteration of the row loop.
  Expr position(size_t peeled, const Expr& row) const {
    const PeeledLoop& at = peeled_loops()[peeled];
    const Expr step = expr::axis(at.step) + at.first;
    Expr index = (step * rows_in_shared_.threads + expr::axis(rows_in_shared_.thread)) *
                 rows_in_shared_.rows.width;
    if (rows_in_shared_.is_double_buffered)
      index = index + expr::mod(row, Expr(2)) * rows_in_shared_.slots;
    return element(index);
  }

  // Copies a row to the buffer of a row that is done.
  loop::Statement of_row(const Expr& row, const Expr& done, const std::vector<RowLoad>& loads,
                         const std::vector<int>& buffers, size_t peeled) const {
    loop::Body body;
    for (size_t i = 0; i < loads.size(); ++i) {
      body.push_back({loop::AsyncCopy{buffers[i], position(peeled, done), loads[i].buffer,
                                      at_row(loads[i].index, row)}});
    }
    loop::Statement steps = rows_in_shared_.rows.around(peeled_loops()[peeled], std::move(body));
    move_to_row(steps, row);
    return steps;
  }

  // At the end of each of its steps.
  void add_to_last_pass(loop::Body& body, size_t peeled, loop::Statement steps,
                        const Expr& condition) const {
    loop::Body& step = std::get<loop::Loop>(steps.kind).body;
    loop::Loop* const last = last_pass(body, peeled_loops()[peeled].step);
    last->body.push_back({loop::If{condition, std::move(step)}});
  }
  static loop::Loop* last_pass(loop::Body& body, int step) {
    loop::Loop* found = nullptr;
    for (loop::Statement& statement : body) {
      loop::Loop* inner = nullptr;
      if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
        inner = last_pass(branch->then, step);
      } else if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
        inner = loop->axis == step ? loop : last_pass(loop->body, step);
      }
      if (inner != nullptr) found = inner;
    }
    return found;
  }

  Expr at_row(const Expr& e, const Expr& row) const {
    return emitter_.simplified(expr::transform(e, [&](const Expr& node) -> Expr {
      return node->kind == expr::Kind::axis && node->index == row_loop() ? row : node;
    }));
  }
  // The conditions of another row.
  void move_to_row(loop::Statement& statement, const Expr& row) const {
    if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
      for (loop::Statement& inner : loop->body) move_to_row(inner, row);
    } else if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
      branch->condition = at_row(branch->condition, row);
      for (loop::Statement& inner : branch->then) move_to_row(inner, row);
    }
  }

  static void redirect(const RowLoad& load, int buffer, const Expr& position) {
    for (loop::Let* const let : load.lets) {
      let->expression = expr::load(buffer, let->expression->type, {position});
    }
  }

  Emitter& emitter_;
  const SharedRows& rows_in_shared_;
};

}  // namespace

loop::Body share_rows(Emitter& emitter, loop::Body& body, const SharedRows& shared) {
  return RowSharer(emitter, shared).run(body);
}

}  // namespace ridge::schedule
