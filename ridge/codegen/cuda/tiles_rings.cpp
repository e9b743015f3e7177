// Rings of slots, loops over tiles, barriers: who waits for whom.
//
// A role counts the slots of a ring that it has passed. Of number c, the slot is c % slots, and its mbarriers complete a
// phase once each lap: a consumer waits for the phase of parity c / slots % 2 of the full one, a producer for that of the
// lap before of the empty one, which for the first lap counts as complete.
#include "ridge/base/error.h"
#include "ridge/codegen/cuda/tiles_barriers.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;

int slots_of(const Emission& emission, int ring) {
  return emission.kernel.rings[static_cast<size_t>(ring)].slots;
}

// Bytes that copies of the body bring.
int64_t copied_bytes(const Emission& emission, const loop::Body& body) {
  int64_t bytes = 0;
  for (const loop::Statement& statement : body) {
    if (const auto* const copy = as<loop::CopyTile>(statement)) {
      bytes += shared_of(emission, copy->tile).bytes;
    } else if (const auto* const inner = as<loop::Loop>(statement)) {
      bytes += constant_extent(inner->extent) * copied_bytes(emission, inner->body);
    } else if (const loop::Body* const inner_body = loop::body_of(statement)) {
      RIDGE_INTERNAL_CHECK(copied_bytes(emission, *inner_body) == 0,
                           "copies of a slot are under no condition");
    }
  }
  return bytes;
}

bool writes_by_threads(const loop::Body& body) {
  bool writes = false;
  loop::for_each_statement(body, [&](const loop::Statement& s) { writes |= is_thread_write(s); });
  return writes;
}

// Do threads read tiles of the ring, and not only products?
bool reads_by_threads(const Emission& emission, const loop::Body& body, int ring) {
  bool reads = false;
  const auto is_in_ring = [&](int tile) { return tile_of(emission, tile).ring == ring; };
  loop::for_each_statement(body, [&](const loop::Statement& statement) {
    if (const auto* const move = as<loop::MoveTile>(statement))
      reads |= is_in_ring(move->from.tile);
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind != expr::Kind::load) return;
        for (size_t tile = 0; tile < emission.kernel.tiles.size(); ++tile) {
          reads |=
              emission.tiles->buffers[tile] == node->index && is_in_ring(static_cast<int>(tile));
        }
      });
    });
  });
  return reads;
}

// `const unsigned stages_slot = stages % 4;`
void open_slot(Emission& emission, int ring) {
  TileEmission& tiles = *emission.tiles;
  const auto index = static_cast<size_t>(ring);
  emission.use("mbarrier");
  emission.use("is_elected");
  std::string& slot = tiles.ring_slots[index];
  slot = emission.names.add(concat(emission.kernel.rings[index].name, "_slot"));
  emission.out.line("const unsigned ", slot, " = ", tiles.rings[index], " % ",
                    slots_of(emission, ring), ';');
}
std::string parity(const Emission& emission, int ring) {
  return concat(emission.tiles->rings[static_cast<size_t>(ring)], " / ", slots_of(emission, ring),
                " % 2");
}

// All warps of the role write the slot, or copies that one lane asks for: whoever has written fences first.
void write_mixed_slot(Emission& emission, const loop::Produce& produce, int64_t bytes) {
  const auto ring = static_cast<size_t>(produce.ring);
  TileEmission& tiles = *emission.tiles;
  const std::string& slot = tiles.ring_slots[ring];
  write_body(emission, produce.body);
  emission.use("fence_async_proxy");
  emission.out.line("ridge::fence_async_proxy();");
  emission.out.line("__syncwarp();");
  const std::string full = concat("&", tiles.full[ring], '[', slot, ']');
  if (bytes > 0) {
    emission.out.line(elected_text(emission), " ridge::mbarrier_arrive_expect_tx(", full, ", ",
                      bytes, ");");
    if (tiles.role->role->warps == 1) return;
    emission.out.line("if (", tiles.thread,
                      " >= 32 && ridge::is_elected()) ridge::mbarrier_arrive(", full, ");");
  } else {
    emission.out.line("if (ridge::is_elected()) ridge::mbarrier_arrive(", full, ");");
  }
}

}  // namespace

void may_hold_slots(Emission& emission) {
  emission.tiles->may_hold.assign(emission.kernel.rings.size(), true);
}

void give_back_held(Emission& emission, int ring) {
  TileEmission& tiles = *emission.tiles;
  const auto index = static_cast<size_t>(ring);
  const std::string& held = tiles.held[index];
  if (held.empty() || !tiles.may_hold[index]) return;
  tiles.may_hold[index] = false;
  const int slots = slots_of(emission, ring);
  emission.out.line("for (; ", held, " > 0; --", held, ") {");
  emission.out.line("  if (ridge::is_elected()) ridge::mbarrier_arrive(&", tiles.empty[index], "[(",
                    tiles.rings[index], " - ", held, ") % ", slots, "]);");
  emission.out.line("}");
}

void write_tile_statement(Emission& emission, const loop::Produce& produce) {
  TileEmission& tiles = *emission.tiles;
  const auto ring = static_cast<size_t>(produce.ring);
  {
    const TileBlock block(emission, "");
    open_slot(emission, produce.ring);
    const std::string& slot = tiles.ring_slots[ring];
    emission.out.line("ridge::mbarrier_wait(&", tiles.empty[ring], '[', slot, "], ",
                      parity(emission, produce.ring), " ^ 1);");
    const int64_t bytes = copied_bytes(emission, produce.body);
    if (writes_by_threads(produce.body)) {
      write_mixed_slot(emission, produce, bytes);
    } else {
      const TileBlock elected(emission, elected_text(emission) + " ");
      tiles.expected_copies = 1;
      emission.out.line("ridge::mbarrier_arrive_expect_tx(&", tiles.full[ring], '[', slot, "], ",
                        bytes, ");");
      write_body(emission, produce.body);
      tiles.expected_copies = 0;
    }
    emission.out.line("__syncwarp();");
    emission.out.line("++", tiles.rings[ring], ';');
    tiles.ring_slots[ring].clear();
  }
}

void write_tile_statement(Emission& emission, const loop::Consume& consume) {
  TileEmission& tiles = *emission.tiles;
  const auto ring = static_cast<size_t>(consume.ring);
  {
    const TileBlock block(emission, "");
    open_slot(emission, consume.ring);
    const std::string& slot = tiles.ring_slots[ring];
    const std::string& count = tiles.rings[ring];
    emission.out.line("ridge::mbarrier_wait(&", tiles.full[ring], '[', slot, "], ",
                      parity(emission, consume.ring), ");");
    ++tiles.consume_depth;
    write_body(emission, consume.body);
    --tiles.consume_depth;
    if (reads_by_threads(emission, consume.body, consume.ring)) {
      emission.use("fence_async_proxy");
      emission.out.line("ridge::fence_async_proxy();");
    }
    if (consume.lag == 0) {
      emission.out.line("__syncwarp();");
      emission.out.line("if (ridge::is_elected()) ridge::mbarrier_arrive(&", tiles.empty[ring], '[',
                        slot, "]);");
    } else {
      const int slots = slots_of(emission, consume.ring);
      tiles.may_hold[ring] = true;
      emission.out.line("if (", tiles.held[ring], " == ", consume.lag, ") {");
      emission.out.line("  if (ridge::is_elected()) ridge::mbarrier_arrive(&", tiles.empty[ring],
                        "[(", count, " - ", consume.lag, ") % ", slots, "]);");
      emission.out.line("} else {");
      emission.out.line("  ++", tiles.held[ring], ';');
      emission.out.line("}");
    }
    emission.out.line("++", count, ';');
    tiles.ring_slots[ring].clear();
  }
}

void write_tile_statement(Emission& emission, const loop::SkipSlots& skip) {
  give_back_held(emission, skip.ring);
  emission.out.line(emission.tiles->rings[static_cast<size_t>(skip.ring)], " += unsigned(",
                    write_index(emission, skip.count), ");");
}

void write_tile_statement(Emission& emission, const loop::NamedBarrier& barrier) {
  const TileEmission& tiles = *emission.tiles;
  emission.use("named_barrier");
  if (barrier.number > 0) {
    return emission.out.line("ridge::barrier_", barrier.waits ? "sync" : "arrive", "(",
                             barrier.number, ", ", barrier.threads, ");");
  }
  if (barrier.number != kOwnBarrier) {
    emission.use("fence_async_proxy");
    emission.out.line("ridge::fence_async_proxy();");
  }
  if (barrier.number == kFenceAlone) return;
  if (tiles.role->role->warps == 1) return emission.out.line("__syncwarp();");
  emission.out.line("ridge::barrier_sync(", tiles.role->barrier,
                    tiles.role->role->instances > 1 ? concat(" + ", tiles.instance) : "", ", ",
                    tiles.role->threads, ");");
}

// Blocks take tiles in turn.
void write_tile_statement(Emission& emission, const loop::TileLoop& loop) {
  Expr count(1);
  for (const Expr& extent : loop.extents) count = count * extent;
  const CppType type = emission.target.fits_32_bits ? CppType::int32 : CppType::int64;
  const std::string_view integer = name(type);
  emission.use("grouped_tile");
  std::vector<std::string> extents;
  for (size_t i = 0; i < loop.axes.size(); ++i) {
    emission.ranges.set_axis(loop.axes[i], loop.extents[i]);
    emission.axis_types[static_cast<size_t>(loop.axes[i])] = type;
    extents.push_back(
        emission.names.add(concat(emission.axes[static_cast<size_t>(loop.axes[i])], "_extent")));
    emission.out.line("const ", integer, ' ', extents.back(), " = ",
                      write_as(emission, loop.extents[i], f32, type), ';');
  }
  const std::string number = emission.names.add("tile");
  const std::string grid = type == CppType::int32 ? "int(gridDim.x)" : "(long long)gridDim.x";
  const std::string from =
      loop.from.get() == nullptr || expr::is_constant(loop.from, 0)
          ? ""
          : concat(" + ", grid, " * (", write_as(emission, loop.from, f32, type), ')');
  const std::string first =
      concat(type == CppType::int32 ? "int(blockIdx.x)" : "(long long)blockIdx.x", from);
  const std::string step = loop.step == 1 ? grid : concat(loop.step, " * ", grid);
  {
    const TileBlock block(emission,
                          concat("for (", integer, ' ', number, " = ", first, "; ", number, " < ",
                                 join(extents, " * "), "; ", number, " += ", step, ") "));
    const size_t rank = loop.axes.size();
    RIDGE_INTERNAL_CHECK(rank >= 2, "a loop over tiles has rows and columns of them");
    const auto axis = [&](size_t i) { return emission.axes[static_cast<size_t>(loop.axes[i])]; };
    std::string rest = number;
    const std::string& rows = extents[rank - 2];
    const std::string& columns = extents[rank - 1];
    if (rank > 2) {
      rest = emission.names.add("batch");
      emission.out.line(integer, ' ', rest, " = ", number, " / (", rows, " * ", columns, ");");
      for (size_t i = rank - 2; i-- > 0;) {
        emission.out.line("const ", integer, ' ', axis(i), " = ", rest, " % ", extents[i], ';');
        if (i > 0) emission.out.line(rest, " /= ", extents[i], ';');
      }
      rest = concat(number, " % (", rows, " * ", columns, ')');
    }
    emission.out.line(integer, ' ', axis(rank - 2), ", ", axis(rank - 1), ';');
    emission.out.line("ridge::grouped_tile<", loop.group, ">(", rest, ", ", rows, ", ", columns,
                      ", ", axis(rank - 2), ", ", axis(rank - 1), ");");
    may_hold_slots(emission);
    ++emission.loop_depth;
    write_body(emission, loop.body);
    --emission.loop_depth;
  }
}

}  // namespace ridge::codegen::cuda
