#include "ridge/schedule/gpu_row_keep.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int kLeastBits = 16;  // bytes by themselves would take a register each

class RowKeeper {
 public:
  RowKeeper(Emitter& emitter, const KeptRows& rows) : emitter_(emitter), rows_(rows) {}

  void run(loop::Body& body) {
    std::vector<std::vector<RowLoad>> kept =
        repeated_loads(emitter_, body, rows_.stretches, kLeastBits);
    choose(kept);
    if (kept.front().empty()) return;
    const std::vector<int> buffers = add_buffers(kept.front());
    loop::Body fetches;
    for (size_t i = 0; i < kept.size(); ++i) {
      fetches.push_back(rows_.around(rows_.stretches[i], fetch(kept[i], buffers, i)));
      for (size_t k = 0; k < kept[i].size(); ++k) redirect(kept[i][k], buffers[k], i);
    }
    body.insert(body.begin(), std::make_move_iterator(fetches.begin()),
                std::make_move_iterator(fetches.end()));
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

  std::vector<int> add_buffers(const std::vector<RowLoad>& loads) {
    std::vector<int> numbers;
    for (const RowLoad& load : loads) {
      auto& buffers = emitter_.kernel().buffers;
      const loop::Buffer& from = buffers[static_cast<size_t>(load.buffer)];
      const auto before = std::ranges::count(loads.data(), &load, load.buffer, &RowLoad::buffer);
      numbers.push_back(static_cast<int>(buffers.size()));
      buffers.push_back({concat(from.name, "_row", before == 0 ? "" : concat(before + 1)),
                         from.dtype, loop::Access::in_out, loop::Space::local,
                         Expr(rows_.steps * rows_.width)});
    }
    return numbers;
  }

  Expr position(size_t stretch) const {
    const RowStretch& at = rows_.stretches[stretch];
    Expr index = (expr::axis(at.step) + at.first) * rows_.width;
    if (rows_.lane >= 0) index = index + expr::axis(rows_.lane);
    return emitter_.simplified(index);
  }

  loop::Body fetch(const std::vector<RowLoad>& loads, const std::vector<int>& buffers,
                   size_t stretch) {
    loop::Body body;
    for (size_t i = 0; i < loads.size(); ++i) {
      const loop::Let& let = *loads[i].lets.front();
      const loop::ValueInfo info = emitter_.kernel().values[static_cast<size_t>(let.value)];
      const int value = emitter_.new_value(info.name, info.dtype);
      body.push_back({loop::Let{value, let.arithmetic, let.expression}});
      body.push_back({loop::Store{buffers[i], position(stretch), value}});
    }
    return body;
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

void keep_rows(Emitter& emitter, loop::Body& body, const KeptRows& rows) {
  RowKeeper(emitter, rows).run(body);
}

}  // namespace ridge::schedule
