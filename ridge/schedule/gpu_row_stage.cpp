#include "ridge/schedule/gpu_row_stage.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::schedule {
namespace {

constexpr int kLeastStagedBits = 8;

class RowStager {
 public:
  RowStager(Emitter& emitter, const StagedRows& staged) : emitter_(emitter), staged_(staged) {}

  loop::Body run(loop::Body& body) {
    auto loads = repeated_loads(emitter_, body, stretches(), kLeastStagedBits);
    choose(loads);
    loop::Body first;
    if (loads.front().empty()) return first;
    const std::vector<int> buffers = add_buffers(loads.front());
    for (size_t i = 0; i < loads.size(); ++i) {
      first.push_back(staged_.rows.around(stretches()[i], stages(loads[i], buffers, i)));
      move_to_row(first.back(), Expr(0));
      send_for_next(body, i, stages(loads[i], buffers, i));
      for (size_t k = 0; k < loads[i].size(); ++k) redirect(loads[i][k], buffers[k], i);
    }
    body.insert(body.begin(), {loop::Await{}});
    return first;
  }

 private:
  const std::vector<RowStretch>& stretches() const { return staged_.rows.stretches; }

  int64_t bytes_of(const RowLoad& load) const {
    const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(load.buffer)].dtype;
    return staged_.slots * std::max(1, dtype.bits / 8);
  }
  // As many as there is memory for.
  void choose(std::vector<std::vector<RowLoad>>& all) const {
    int64_t bytes = 0;
    size_t count = 0;
    for (const RowLoad& load : all.front()) {
      bytes += bytes_of(load);
      if (bytes > staged_.most_bytes) break;
      ++count;
    }
    for (auto& loads : all) loads.resize(count);
  }

  std::vector<int> add_buffers(const std::vector<RowLoad>& loads) {
    std::vector<int> numbers;
    for (const RowLoad& load : loads) {
      auto& buffers = emitter_.kernel().buffers;
      const loop::Buffer from = buffers[static_cast<size_t>(load.buffer)];
      const auto before = std::ranges::count(loads.data(), &load, load.buffer, &RowLoad::buffer);
      numbers.push_back(static_cast<int>(buffers.size()));
      buffers.push_back({concat(from.name, "_row", before == 0 ? "" : concat(before + 1)),
                         from.dtype, loop::Access::in_out, loop::Space::shared,
                         Expr(staged_.slots)});
    }
    return numbers;
  }

  Expr position(size_t stretch) const {
    const RowStretch& at = stretches()[stretch];
    const Expr step = expr::axis(at.step) + at.first;
    Expr index = (step * staged_.threads + expr::axis(staged_.thread)) * staged_.rows.width;
    if (staged_.rows.lane >= 0) index = index + expr::axis(staged_.rows.lane);
    return emitter_.simplified(index);
  }

  loop::Body stages(const std::vector<RowLoad>& loads, const std::vector<int>& buffers,
                    size_t stretch) const {
    loop::Body body;
    for (size_t i = 0; i < loads.size(); ++i) {
      body.push_back({loop::Stage{buffers[i], position(stretch), loads[i].buffer, loads[i].index}});
    }
    return body;
  }

  // At the end of each step of the last pass over the stretch.
  void send_for_next(loop::Body& body, size_t stretch, loop::Body stages) {
    loop::Loop* const last = last_pass(body, stretches()[stretch].step);
    loop::Statement steps = staged_.rows.around(stretches()[stretch], std::move(stages));
    move_to_row(steps, expr::axis(staged_.walk) + 1);
    loop::Body& step = std::get<loop::Loop>(steps.kind).body;
    last->body.push_back({loop::If{staged_.has_next, std::move(step)}});
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

  // The same of another row.
  void move_to_row(loop::Statement& statement, const Expr& row) const {
    const auto move = [&](Expr& e) {
      e = emitter_.simplified(expr::transform(e, [&](const Expr& node) -> Expr {
        return node->kind == expr::Kind::axis && node->index == staged_.walk ? row : node;
      }));
    };
    if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
      for (loop::Statement& inner : loop->body) move_to_row(inner, row);
    } else if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
      move(branch->condition);
      for (loop::Statement& inner : branch->then) move_to_row(inner, row);
    } else if (auto* const stage = std::get_if<loop::Stage>(&statement.kind)) {
      move(stage->from_index);
    }
  }

  void redirect(const RowLoad& load, int buffer, size_t stretch) const {
    for (loop::Let* const let : load.lets) {
      let->expression = expr::load(buffer, let->expression->type, {position(stretch)});
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
