#include "ridge/schedule/gpu_row_registers.h"

#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"
#include "ridge/schedule/node_definition.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int kMinBits = 16;  // bytes by themselves would take a register each

class RegisterRowKeeper {
 public:
  RegisterRowKeeper(Emitter& emitter, const RegisterRows& rows) : emitter_(emitter), rows_(rows) {}

  loop::Body run(loop::Body& body) {
    std::vector<std::vector<RowLoad>> resident =
        repeated_loads(emitter_, body, rows_.peeled_loops, kMinBits);
    drop_lane_invariant(resident);
    choose(resident);
    if (resident.front().empty()) return {};
    const std::vector<int> buffers = add_buffers(resident.front(), "_row");
    loop::Body before, copies;
    if (rows_.row_loop.axis >= 0) {
      copies = row_loop(resident, buffers, before);
    } else {
      copies = all_peeled_loops(resident, [&](const RowLoad& load, size_t k, size_t peeled) {
        return Copy{load_of(load), buffers[k], position(peeled)};
      });
    }
    for (size_t i = 0; i < resident.size(); ++i) {
      for (size_t k = 0; k < resident[i].size(); ++k) redirect(resident[i][k], buffers[k], i);
    }
    body.insert(body.begin(), std::make_move_iterator(copies.begin()),
                std::make_move_iterator(copies.end()));
    return before;
  }

 private:
  // What all lanes of a vector read is loaded in front of the vector loop, where no lane can be told.
  void drop_lane_invariant(std::vector<std::vector<RowLoad>>& resident) const {
    if (rows_.lane < 0) return;
    const auto reads_by_lane = [&](const RowLoad& load) {
      return (axes_in(load.index) >> rows_.lane & 1) != 0;
    };
    for (size_t k = resident.front().size(); k-- > 0;) {
      const auto is_by_lane = [&](const auto& loads) { return reads_by_lane(loads[k]); };
      if (std::ranges::all_of(resident, is_by_lane)) continue;
      for (auto& loads : resident) loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  // As many as there are registers for.
  void choose(std::vector<std::vector<RowLoad>>& resident) const {
    int64_t bytes = 0;
    size_t count = 0;
    for (const RowLoad& load : resident.front()) {
      const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(load.buffer)].dtype;
      bytes += rows_.steps * rows_.width * dtype.bits / 8;
      if (bytes > kMaxClusterRowBytes) break;
      ++count;
    }
    for (auto& loads : resident) loads.resize(count);
  }

  // One element, to an index of a local buffer, or of a shared one, where it comes by and by.
  struct Copy {
    Expr from{};  // a load
    int to = -1;  // -1: nothing is copied
    Expr at{};
  };
  static Expr load_of(const RowLoad& load) { return load.lets.front()->expression; }
  bool is_of_row(const RowLoad& load) const {
    return (axes_in(load.index) >> rows_.row_loop.axis & 1) != 0;
  }
  // As it is in another iteration of the row loop.
  Expr at_row(const RowLoad& load, const Expr& row) const {
    std::vector<Expr> axes;
    for (int i = 0; i < emitter_.axis_count(); ++i) axes.push_back(expr::axis(i));
    axes[static_cast<size_t>(rows_.row_loop.axis)] = row;
    const Expr index = emitter_.simplified(substitute_axes(load.index, axes));
    return expr::load(load.buffer, load_of(load)->type, {index});
  }

  // The statements of the row loop in front of its passes; `before` gets those that come before it.
  loop::Body row_loop(const std::vector<std::vector<RowLoad>>& resident,
                      const std::vector<int>& buffers, loop::Body& before) {
    std::vector<RowLoad> moving;
    for (const RowLoad& load : resident.front()) {
      if (is_of_row(load)) moving.push_back(load);
    }
    const std::vector<int> added = add_buffers(moving, "_next", prefetch_distance());
    std::vector<int> next(buffers.size(), -1);
    for (size_t k = 0, n = 0; k < buffers.size(); ++k) {
      if (is_of_row(resident.front()[k])) next[k] = added[n++];
    }
    const auto copies_of = [&](const Expr& row) {
      return all_peeled_loops(resident, [&](const RowLoad& load, size_t k, size_t peeled) {
        return next[k] < 0 ? Copy() : Copy{at_row(load, row), next[k], next_at(peeled, row)};
      });
    };
    before = all_peeled_loops(resident, [&](const RowLoad& load, size_t k, size_t peeled) {
      return next[k] < 0 ? Copy{load_of(load), buffers[k], position(peeled)}
                         : Copy{at_row(load, Expr(0)), next[k], next_at(peeled, Expr(0))};
    });
    // Between one row and the next, so that each can be waited for by itself.
    const loop::Statement wait{loop::WaitCopies{static_cast<int>(prefetch_distance()) - 1}};
    for (int64_t row = 1; row < prefetch_distance(); ++row) {
      before.push_back(wait);
      add_row(before, Expr(row), copies_of(Expr(row)));
    }
    const Expr now = expr::axis(rows_.row_loop.axis);
    loop::Body body = all_peeled_loops(resident, [&](const RowLoad& load, size_t k, size_t peeled) {
      if (next[k] < 0) return Copy();
      const Expr from = expr::load(next[k], load_of(load)->type, {next_at(peeled, now)});
      return Copy{from, buffers[k], position(peeled)};
    });
    if (prefetch_distance() > 0) body.insert(body.begin(), wait);
    const Expr following = now + std::max<int64_t>(prefetch_distance(), 1);
    add_row(body, following, copies_of(following));
    return body;
  }
  int64_t prefetch_distance() const { return rows_.row_loop.prefetch_distance; }

  // If there is such a row.
  void add_row(loop::Body& body, const Expr& row, loop::Body copies) const {
    const Expr is_there = emitter_.simplified(rows_.row_loop.has(row));
    if (!expr::is_constant(is_there, 1)) copies = {{loop::If{is_there, std::move(copies)}}};
    std::ranges::move(copies, std::back_inserter(body));
  }

  // `copy` says what is done for each load, if anything.
  template <class Make>
  loop::Body all_peeled_loops(const std::vector<std::vector<RowLoad>>& resident, Make copy) {
    loop::Body result;
    for (size_t i = 0; i < resident.size(); ++i) {
      loop::Body body;
      for (size_t k = 0; k < resident[i].size(); ++k) {
        if (const Copy made = copy(resident[i][k], k, i); made.to >= 0)
          add(body, resident[i][k], made);
      }
      if (!body.empty()) result.push_back(rows_.around(rows_.peeled_loops[i], std::move(body)));
    }
    return result;
  }

  // In shared memory where they hold `shared_rows` of all threads of a block.
  std::vector<int> add_buffers(const std::vector<RowLoad>& loads, std::string_view suffix,
                               int64_t shared_rows = 0) {
    const auto space = shared_rows > 0 ? loop::Space::shared : loop::Space::local;
    const int64_t rows = shared_rows > 0 ? shared_rows * rows_.row_loop.threads : 1;
    std::vector<int> numbers;
    for (const RowLoad& load : loads) {
      auto& buffers = emitter_.kernel().buffers;
      const loop::Buffer& from = buffers[static_cast<size_t>(load.buffer)];
      const auto before = std::ranges::count(loads.data(), &load, load.buffer, &RowLoad::buffer);
      numbers.push_back(static_cast<int>(buffers.size()));
      buffers.push_back({concat(from.name, suffix, before == 0 ? "" : concat(before + 1)),
                         from.dtype, loop::Access::in_out, space,
                         Expr(rows * rows_.steps * rows_.width)});
    }
    return numbers;
  }

  Expr position(size_t peeled) const {
    const PeeledLoop& at = rows_.peeled_loops[peeled];
    Expr index = (expr::axis(at.step) + at.first) * rows_.width;
    if (rows_.lane >= 0) index = index + expr::axis(rows_.lane);
    return emitter_.simplified(index);
  }

  // Where the next rows are: rows of shared memory alternate.
  Expr next_at(size_t peeled, const Expr& row) const {
    if (prefetch_distance() == 0) return position(peeled);
    const PeeledLoop& at = rows_.peeled_loops[peeled];
    const int64_t threads = rows_.row_loop.threads;
    const Expr slot_row = expr::mod(row, Expr(prefetch_distance())) * rows_.steps;
    const Expr step = slot_row + expr::axis(at.step) + at.first;
    Expr index = (step * threads + rows_.row_loop.thread) * rows_.width;
    if (rows_.lane >= 0) index = index + expr::axis(rows_.lane);
    return emitter_.simplified(index);
  }

  void add(loop::Body& body, const RowLoad& load, const Copy& copy) {
    if (emitter_.kernel().buffers[static_cast<size_t>(copy.to)].space == loop::Space::shared) {
      body.push_back({loop::AsyncCopy{copy.to, copy.at, copy.from->index, copy.from->args[0]}});
      return;
    }
    const loop::Let& let = *load.lets.front();
    const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
    const int value = emitter_.new_value(info.name, info.dtype);
    body.push_back({loop::Let{value, let.arithmetic, copy.from}});
    body.push_back({loop::Store{copy.to, copy.at, value}});
  }

  void redirect(const RowLoad& load, int buffer, size_t peeled) {
    for (loop::Let* const let : load.lets) {
      let->expression = expr::load(buffer, let->expression->type, {position(peeled)});
    }
  }

  Emitter& emitter_;
  const RegisterRows& rows_;
};

}  // namespace

loop::Body keep_rows_in_registers(Emitter& emitter, loop::Body& body, const RegisterRows& rows) {
  return RegisterRowKeeper(emitter, rows).run(body);
}

}  // namespace ridge::schedule
