#include "ridge/schedule/gpu_row_keep.h"

#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"
#include "ridge/schedule/node_definition.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int kLeastBits = 16;  // bytes by themselves would take a register each

class RowKeeper {
 public:
  RowKeeper(Emitter& emitter, const KeptRows& rows) : emitter_(emitter), rows_(rows) {}

  loop::Body run(loop::Body& body) {
    std::vector<std::vector<RowLoad>> kept =
        repeated_loads(emitter_, body, rows_.stretches, kLeastBits);
    choose(kept);
    if (kept.front().empty()) return {};
    const std::vector<int> buffers = add_buffers(kept.front(), "_row");
    loop::Body before, fetches;
    if (rows_.walk.axis >= 0) {
      fetches = walk(kept, buffers, before);
    } else {
      fetches = all_stretches(kept, [&](const RowLoad& load, size_t k, size_t stretch) {
        return Copy{load_of(load), buffers[k], position(stretch)};
      });
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      for (size_t k = 0; k < kept[i].size(); ++k) redirect(kept[i][k], buffers[k], i);
    }
    body.insert(body.begin(), std::make_move_iterator(fetches.begin()),
                std::make_move_iterator(fetches.end()));
    return before;
  }

 private:
  // As many as there are registers for.
  void choose(std::vector<std::vector<RowLoad>>& kept) const {
    int64_t bytes = 0;
    size_t count = 0;
    for (const RowLoad& load : kept.front()) {
      const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(load.buffer)].dtype;
      bytes += rows_.steps * rows_.width * dtype.bits / 8;
      if (bytes > kMostClusterBytes) break;
      ++count;
    }
    for (auto& loads : kept) loads.resize(count);
  }

  // One element, to an index of a local buffer, or of a shared one, where it comes by and by.
  struct Copy {
    Expr from{};  // a load
    int to = -1;  // -1: nothing is copied
    Expr at{};
  };
  static Expr load_of(const RowLoad& load) { return load.lets.front()->expression; }
  bool is_of_row(const RowLoad& load) const {
    return (axes_in(load.index) >> rows_.walk.axis & 1) != 0;
  }
  // As it is at another row of the walk.
  Expr at_row(const RowLoad& load, const Expr& row) const {
    std::vector<Expr> axes;
    for (int i = 0; i < emitter_.axis_count(); ++i) axes.push_back(expr::axis(i));
    axes[static_cast<size_t>(rows_.walk.axis)] = row;
    const Expr index = emitter_.simplified(substitute_axes(load.index, axes));
    return expr::load(load.buffer, load_of(load)->type, {index});
  }

  // The statements of a walk in front of its passes; `before` gets those that come before it.
  loop::Body walk(const std::vector<std::vector<RowLoad>>& kept, const std::vector<int>& buffers,
                  loop::Body& before) {
    std::vector<RowLoad> moving;
    for (const RowLoad& load : kept.front()) {
      if (is_of_row(load)) moving.push_back(load);
    }
    const std::vector<int> added = add_buffers(moving, "_next", ahead());
    std::vector<int> next(buffers.size(), -1);
    for (size_t k = 0, n = 0; k < buffers.size(); ++k) {
      if (is_of_row(kept.front()[k])) next[k] = added[n++];
    }
    const auto fetched = [&](const Expr& row) {
      return all_stretches(kept, [&](const RowLoad& load, size_t k, size_t stretch) {
        return next[k] < 0 ? Copy() : Copy{at_row(load, row), next[k], next_at(stretch, row)};
      });
    };
    before = all_stretches(kept, [&](const RowLoad& load, size_t k, size_t stretch) {
      return next[k] < 0 ? Copy{load_of(load), buffers[k], position(stretch)}
                         : Copy{at_row(load, Expr(0)), next[k], next_at(stretch, Expr(0))};
    });
    // Between one row and the next, so that each can be awaited by itself.
    const loop::Statement await{loop::Await{static_cast<int>(ahead()) - 1}};
    for (int64_t row = 1; row < ahead(); ++row) {
      before.push_back(await);
      add_row(before, Expr(row), fetched(Expr(row)));
    }
    const Expr now = expr::axis(rows_.walk.axis);
    loop::Body body = all_stretches(kept, [&](const RowLoad& load, size_t k, size_t stretch) {
      if (next[k] < 0) return Copy();
      const Expr from = expr::load(next[k], load_of(load)->type, {next_at(stretch, now)});
      return Copy{from, buffers[k], position(stretch)};
    });
    if (ahead() > 0) body.insert(body.begin(), await);
    const Expr following = now + std::max<int64_t>(ahead(), 1);
    add_row(body, following, fetched(following));
    return body;
  }
  int64_t ahead() const { return rows_.walk.ahead; }

  // If there is such a row.
  void add_row(loop::Body& body, const Expr& row, loop::Body fetches) const {
    const Expr is_there = emitter_.simplified(rows_.walk.has(row));
    if (!expr::is_constant(is_there, 1)) fetches = {{loop::If{is_there, std::move(fetches)}}};
    std::ranges::move(fetches, std::back_inserter(body));
  }

  // `copy` says what is done for each load, if anything.
  template <class Make>
  loop::Body all_stretches(const std::vector<std::vector<RowLoad>>& kept, Make copy) {
    loop::Body result;
    for (size_t i = 0; i < kept.size(); ++i) {
      loop::Body body;
      for (size_t k = 0; k < kept[i].size(); ++k) {
        if (const Copy made = copy(kept[i][k], k, i); made.to >= 0) add(body, kept[i][k], made);
      }
      if (!body.empty()) result.push_back(rows_.around(rows_.stretches[i], std::move(body)));
    }
    return result;
  }

  // In shared memory where they hold `shared_rows` of all threads of a block.
  std::vector<int> add_buffers(const std::vector<RowLoad>& loads, std::string_view suffix,
                               int64_t shared_rows = 0) {
    const auto space = shared_rows > 0 ? loop::Space::shared : loop::Space::local;
    const int64_t rows = shared_rows > 0 ? shared_rows * rows_.walk.threads : 1;
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

  Expr position(size_t stretch) const {
    const RowStretch& at = rows_.stretches[stretch];
    Expr index = (expr::axis(at.step) + at.first) * rows_.width;
    if (rows_.lane >= 0) index = index + expr::axis(rows_.lane);
    return emitter_.simplified(index);
  }

  // Where the next rows are: rows of shared memory take turns.
  Expr next_at(size_t stretch, const Expr& row) const {
    if (ahead() == 0) return position(stretch);
    const RowStretch& at = rows_.stretches[stretch];
    const int64_t threads = rows_.walk.threads;
    const Expr turn = expr::mod(row, Expr(ahead())) * rows_.steps;
    const Expr step = turn + expr::axis(at.step) + at.first;
    Expr index = (step * threads + rows_.walk.thread) * rows_.width;
    if (rows_.lane >= 0) index = index + expr::axis(rows_.lane);
    return emitter_.simplified(index);
  }

  void add(loop::Body& body, const RowLoad& load, const Copy& copy) {
    if (emitter_.kernel().buffers[static_cast<size_t>(copy.to)].space == loop::Space::shared) {
      body.push_back({loop::Stage{copy.to, copy.at, copy.from->index, copy.from->args[0]}});
      return;
    }
    const loop::Let& let = *load.lets.front();
    const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
    const int value = emitter_.new_value(info.name, info.dtype);
    body.push_back({loop::Let{value, let.arithmetic, copy.from}});
    body.push_back({loop::Store{copy.to, copy.at, value}});
  }

  void redirect(const RowLoad& load, int buffer, size_t stretch) {
    for (loop::Let* const let : load.lets) {
      let->expression = expr::load(buffer, let->expression->type, {position(stretch)});
    }
  }

  Emitter& emitter_;
  const KeptRows& rows_;
};

}  // namespace

loop::Body keep_rows(Emitter& emitter, loop::Body& body, const KeptRows& rows) {
  return RowKeeper(emitter, rows).run(body);
}

}  // namespace ridge::schedule
