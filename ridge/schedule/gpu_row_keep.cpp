#include "ridge/schedule/gpu_row_keep.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using expr::Kind;

// A load of memory along a stretch, and the statements that do it.
struct RowLoad {
  int buffer;
  Expr index;
  std::vector<loop::Let*> lets;
  size_t last_pass;
  bool is_of_several;  // passes
};

class RowKeeper {
 public:
  RowKeeper(Emitter& emitter, const KeptRows& rows) : emitter_(emitter), rows_(rows) {}

  void run(loop::Body& body) {
    // What is written meanwhile would have to be seen.
    for (const loop::Buffer& buffer : emitter_.kernel().buffers) {
      if (buffer.access == loop::Access::in_out) return;
    }
    std::vector<std::vector<RowLoad>> kept;
    for (const RowStretch& stretch : rows_.stretches) kept.push_back(loads_of(body, stretch));
    const size_t count = kept.front().size();
    for (const auto& loads : kept) {
      if (loads.size() != count) return;
    }
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
  std::vector<RowLoad> loads_of(loop::Body& body, const RowStretch& stretch) {
    std::vector<RowLoad> loads;
    size_t pass = 0;
    const auto scan = [&](auto&& self, loop::Body& statements, bool is_inside) -> void {
      for (loop::Statement& statement : statements) {
        if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
          self(self, branch->then, is_inside);
        } else if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
          const bool is_stretch = loop->axis == stretch.step;
          self(self, loop->body, is_inside || is_stretch);
          if (is_stretch) ++pass;
        } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
          if (is_inside) note(*let, pass, loads);
        }
      }
    };
    scan(scan, body, false);
    std::erase_if(loads, [](const RowLoad& load) { return !load.is_of_several; });
    return loads;
  }

  void note(loop::Let& let, size_t pass, std::vector<RowLoad>& loads) const {
    const Expr& e = let.expression;
    if (e->kind != Kind::load || !stays_packed(emitter_.kernel().buffers[buffer_of(e)].dtype))
      return;
    bool is_known_before = true;
    expr::walk(e->args[0], [&](const Expr& node) {
      is_known_before &= node->kind != Kind::input && node->kind != Kind::load;
    });
    if (!is_known_before) return;
    for (RowLoad& load : loads) {
      if (load.buffer != e->index || !expr::same(load.index, e->args[0])) continue;
      load.lets.push_back(&let);
      load.is_of_several |= load.last_pass != pass;
      load.last_pass = pass;
      return;
    }
    loads.push_back({e->index, e->args[0], {&let}, pass, false});
  }

  // Bytes by themselves would take a register each.
  static bool stays_packed(DType dtype) { return dtype.bits >= 16; }
  static size_t buffer_of(const Expr& load) { return static_cast<size_t>(load->index); }

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
