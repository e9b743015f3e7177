#include "ridge/schedule/gpu_row_stage.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::schedule {
namespace {

constexpr int kLeastStagedBits = 8;
constexpr int kLeastHeldBits = 16;

class RowStager {
 public:
  RowStager(Emitter& emitter, const StagedRows& staged) : emitter_(emitter), staged_(staged) {}

  loop::Body run(loop::Body& body) {
    auto loads = repeated_loads(emitter_, body, stretches(), kLeastStagedBits);
    choose(loads, elements(), staged_.most_bytes);
    loop::Body first;
    if (loads.front().empty()) return first;
    const auto buffers = add_buffers(loads.front(), loop::Space::shared, elements());
    loop::Body next;
    for (size_t i = 0; i < loads.size(); ++i) {
      first.push_back(of_row(Expr(0), loads[i], buffers, i));
      next.push_back(of_row(expr::axis(walk()) + 1, loads[i], buffers, i));
      for (size_t k = 0; k < loads[i].size(); ++k)
        redirect(loads[i][k], buffers[k], position(i, expr::axis(walk())));
    }
    if (!staged_.is_double) {
      for (size_t i = 0; i < next.size(); ++i) add_to_last_pass(body, i, std::move(next[i]));
    } else {
      body.insert(body.begin(), {loop::If{has_next(), std::move(next)}});
    }
    body.insert(body.begin(), {loop::Await{}});
    hold_steady(body, first);
    return first;
  }

 private:
  int walk() const { return staged_.rows.walk.axis; }
  Expr has_next() const {
    return emitter_.simplified(staged_.rows.walk.has(expr::axis(walk()) + 1));
  }
  const std::vector<RowStretch>& stretches() const { return staged_.rows.stretches; }

  int64_t elements() const { return staged_.is_double ? 2 * staged_.slots : staged_.slots; }
  int64_t held_elements() const { return staged_.rows.steps * staged_.rows.width; }

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
                               int64_t elements) {
    const std::string_view suffix = space == loop::Space::shared ? "_row" : "_held";
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

  // In front of the walk, where `first` is, or where a half of it begins.
  void hold_steady(loop::Body& body, loop::Body& first) {
    auto loads =
        steady_loads(emitter_, body, stretches(), kLeastHeldBits, walk(), staged_.rows.walk.half);
    choose(loads, held_elements(), staged_.steady_bytes);
    if (loads.front().empty()) return;
    const auto buffers = add_buffers(loads.front(), loop::Space::local, held_elements());
    const int64_t half = staged_.rows.walk.half;
    loop::Body fill;
    for (size_t i = 0; i < loads.size(); ++i) {
      loop::Body copies;
      for (size_t k = 0; k < buffers.size(); ++k) {
        const loop::Let& let = *loads[i][k].lets.front();
        const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
        const int value = emitter_.new_value(info.name, info.dtype);
        copies.push_back({loop::Let{value, let.arithmetic, let.expression}});
        copies.push_back({loop::Store{buffers[k], held_at(i), value}});
        redirect(loads[i][k], buffers[k], held_at(i));
      }
      fill.push_back(staged_.rows.around(stretches()[i], std::move(copies)));
      if (half == 0) move_to_row(fill.back(), Expr(0));
    }
    if (half == 0) {
      first.insert(first.end(), std::make_move_iterator(fill.begin()),
                   std::make_move_iterator(fill.end()));
    } else {
      const Expr starts = expr::equal(expr::mod(expr::axis(walk()), Expr(half)), Expr(0));
      body.insert(body.begin(), {loop::If{emitter_.simplified(starts), std::move(fill)}});
    }
  }
  Expr held_at(size_t stretch) const {
    const RowStretch& at = stretches()[stretch];
    Expr index = (expr::axis(at.step) + at.first) * staged_.rows.width;
    if (staged_.rows.lane >= 0) index = index + expr::axis(staged_.rows.lane);
    return emitter_.simplified(index);
  }

  // Of a thread's elements at a row of the walk.
  Expr position(size_t stretch, const Expr& row) const {
    const RowStretch& at = stretches()[stretch];
    const Expr step = expr::axis(at.step) + at.first;
    Expr index = (step * staged_.threads + expr::axis(staged_.thread)) * staged_.rows.width;
    if (staged_.rows.lane >= 0) index = index + expr::axis(staged_.rows.lane);
    if (staged_.is_double) index = index + expr::mod(row, Expr(2)) * staged_.slots;
    return emitter_.simplified(index);
  }

  loop::Statement of_row(const Expr& row, const std::vector<RowLoad>& loads,
                         const std::vector<int>& buffers, size_t stretch) const {
    loop::Body body;
    for (size_t i = 0; i < loads.size(); ++i) {
      body.push_back({loop::Stage{buffers[i], position(stretch, row), loads[i].buffer,
                                  at_row(loads[i].index, row)}});
    }
    loop::Statement steps = staged_.rows.around(stretches()[stretch], std::move(body));
    move_to_row(steps, row);
    return steps;
  }

  // At the end of each of its steps.
  void add_to_last_pass(loop::Body& body, size_t stretch, loop::Statement steps) const {
    loop::Body& step = std::get<loop::Loop>(steps.kind).body;
    loop::Loop* const last = last_pass(body, stretches()[stretch].step);
    last->body.push_back({loop::If{has_next(), std::move(step)}});
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
      return node->kind == expr::Kind::axis && node->index == walk() ? row : node;
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
  const StagedRows& staged_;
};

}  // namespace

loop::Body stage_rows(Emitter& emitter, loop::Body& body, const StagedRows& staged) {
  return RowStager(emitter, staged).run(body);
}

}  // namespace ridge::schedule
