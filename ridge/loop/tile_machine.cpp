#include "ridge/loop/tile_machine.h"

#include <algorithm>
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::loop {
namespace {

constexpr std::array<uint32_t, 1> kOneLane = {0};
constexpr size_t kNamedBarriers = 16;

std::vector<const Loop*> grid_loops(const Kernel& kernel) {
  std::vector<const Loop*> loops;
  const Body* body = &kernel.body;
  while (body->size() == 1) {
    const Loop* const loop = as<Loop>(body->front());
    const bool is_grid =
        loop != nullptr && (loop->place == Place::gpu_block || loop->place == Place::cpu_thread);
    if (!is_grid) break;
    loops.push_back(loop);
    body = &loop->body;
  }
  return loops;
}

bool has_tile_loop(const Body& body) {
  bool has = false;
  for_each_statement(body, [&](const Statement& s) { has |= as<TileLoop>(s) != nullptr; });
  return has;
}

}  // namespace

Counts run_tiles(const Kernel& kernel, std::span<void* const> buffers,
                 std::span<const int64_t> sizes, const Options& options) {
  RIDGE_INTERNAL_CHECK(
      options.tile_sizes.size() == kernel.tile_sizes.size(),
      concat(kernel.name, " given ", options.tile_sizes.size(), " sizes of tiles"));
  RIDGE_INTERNAL_CHECK(kernel.argument_count() == kernel.buffers.size() && options.blocks > 0,
                       "global buffers only, and some blocks");
  Counts counts;
  std::vector<int64_t> all(sizes.begin(), sizes.end());
  all.insert(all.end(), options.tile_sizes.begin(), options.tile_sizes.end());
  TileMachine(kernel, buffers, std::move(all), options, counts).run();
  return counts;
}

std::vector<int64_t> tile_at(int64_t number, std::span<const int64_t> extents, int64_t group) {
  std::vector<int64_t> at(extents.size());
  if (extents.size() == 1) return {number};
  const int64_t rows = extents[extents.size() - 2], columns = extents.back();
  const int64_t in_batch = number % (rows * columns);
  const int64_t first_row = in_batch / (group * columns) * group;
  const int64_t in_group = in_batch % (group * columns);
  const int64_t rows_in_group = std::min(group, rows - first_row);
  at[extents.size() - 2] = first_row + in_group % rows_in_group;
  at[extents.size() - 1] = in_group / rows_in_group;
  int64_t batch = number / (rows * columns);
  for (size_t i = extents.size() - 2; i-- > 0;) {
    at[i] = batch % extents[i];
    batch /= extents[i];
  }
  return at;
}

TileMachine::TileMachine(const Kernel& kernel, std::span<void* const> buffers,
                         std::vector<int64_t> sizes, const Options& options, Counts& counts)
    : kernel_(kernel),
      sizes_(std::move(sizes)),
      options_(options),
      counts_(counts),
      program_(compile_tiles(kernel, sizes_)),
      globals_(kernel, buffers, sizes_, options, counts),
      takers_(kernel.rings.size()),
      grid_(grid_loops(kernel)),
      body_(grid_.empty() ? &kernel.body : &grid_.back()->body) {
  const auto number = [&](const Expr& e) { return evaluate_size(e, sizes_); };
  for (const View& view : kernel.views) {
    Window window{view.first.get() == nullptr ? 0 : number(view.first), {}, {}};
    std::ranges::transform(view.extents, std::back_inserter(window.extents), number);
    std::ranges::transform(view.strides, std::back_inserter(window.strides), number);
    windows_.push_back(std::move(window));
  }
  for (const Tile& tile : kernel.tiles) {
    extents_.push_back({0, 0, number(tile.rows), number(tile.columns)});
  }
  count_takers(*body_);
}

void TileMachine::run() {
  if (grid_.empty() && has_tile_loop(*body_)) blocks_ = options_.blocks;
  for (const Loop* const loop : grid_) {
    blocks_ *= std::max<int64_t>(0, evaluate_size(loop->extent, sizes_));
  }
  for (int64_t i = 0; i < blocks_; ++i) {
    run_block(options_.reverse_tasks ? blocks_ - 1 - i : i);
  }
  counts_.tiles.unwritten = globals_.unwritten();
}

void TileMachine::run_block(int64_t number) {
  start_block(number, *body_);
  while (true) {
    bool is_done = true, has_moved = false;
    for (const auto& instance : block_.instances) {
      has_moved |= run_until_blocked(*instance);
      is_done &= instance->frames.empty();
    }
    if (is_done) break;
    if (has_moved) continue;
    if (block_.fills.empty()) report_deadlock();
    complete(block_.fills.front());
    block_.fills.pop_front();
  }
  finish_block();
}

void TileMachine::start_block(int64_t number, const Body& body) {
  block_ = {};
  block_.number = number;
  block_.barriers.resize(kNamedBarriers);
  for (size_t i = 0; i < kernel_.rings.size(); ++i) {
    RingState ring{.slots = {}, .takers = takers_[i]};
    ring.slots.resize(static_cast<size_t>(kernel_.rings[i].slots));
    block_.rings.push_back(std::move(ring));
  }
  for_each_statement(body, [&](const Statement& statement) {
    const Role* const role = as<Role>(statement);
    if (role == nullptr) return;
    for (int i = 0; i < role->instances; ++i) add_instance(role, i, body);
  });
  if (block_.instances.empty()) add_instance(nullptr, 0, body);
  std::vector<std::string> names;
  for (size_t i = 0; i < block_.instances.size(); ++i) {
    TileInstance& instance = *block_.instances[i];
    instance.clock = TileClock(block_.instances.size(), static_cast<int>(i));
    names.push_back(instance.name);
  }
  globals_.set_names(std::move(names));
  for (const Tile& tile : kernel_.tiles) {
    const int slots =
        tile.ring < 0 ? tile.slots : kernel_.rings[static_cast<size_t>(tile.ring)].slots;
    block_.tiles.push_back(new_state(tile, slots, true));
  }
}

void TileMachine::add_instance(const Role* role, int number, const Body& body) {
  auto instance = std::make_unique<TileInstance>(*this, program_.code, counts_.status);
  instance->role = role;
  instance->number = number;
  if (role != nullptr) instance->name = concat(role->name, " ", number);
  for (const Tile& tile : kernel_.tiles) {
    instance->tiles.push_back(new_state(tile, tile.slots, false));
  }
  instance->rings.resize(kernel_.rings.size());
  instance->frames.push_back({.body = &body});
  int64_t block = block_.number;
  for (size_t i = grid_.size(); i-- > 0;) {
    const int64_t extent = evaluate_size(grid_[i]->extent, sizes_);
    set_axis(*instance, grid_[i]->axis, block % extent);
    block /= extent;
  }
  if (role != nullptr && role->index) set_axis(*instance, *role->index, number);
  block_.instances.push_back(std::move(instance));
}

void TileMachine::finish_block() {
  for (; !block_.fills.empty(); block_.fills.pop_front()) complete(block_.fills.front());
  for (const auto& instance : block_.instances) {
    for (StoreInFlight& store : instance->stores) write_view(*instance, store);
  }
  for (size_t ring = 0; ring < block_.rings.size(); ++ring) {
    for (size_t slot = 0; slot < block_.rings[ring].slots.size(); ++slot) {
      const RingSlot& state = block_.rings[ring].slots[slot];
      if (state.handed_on == state.given_back) continue;
      fail("slots that are empty when the block ends",
           concat(ring_slot_text(static_cast<int>(ring), static_cast<int64_t>(slot)),
                  ", full with fill ", state.handed_on, ", of which ", state.releases, " of ",
                  block_.rings[ring].takers, " role instances gave it back, in block ",
                  block_.number));
    }
  }
}

// What an instance leaves behind when it has run its last statement.
void TileMachine::finish(TileInstance& me) {
  if (!me.dots.empty()) {
    fail("a wait_dot 0 before a role ends",
         concat(me.dots.size(), " dots into ", name_of(me.dots.front().dot->into), " in flight"));
  }
  for (const StoreInFlight& store : me.stores) {
    if (store.is_read) continue;
    fail("a wait_stores 0, or wait_stores 0 read, before a role ends",
         concat("a store of ", name_of(store.copy->tile), " in flight"));
  }
  for (size_t ring = 0; ring < me.rings.size(); ++ring) {
    std::deque<int64_t>& held = me.rings[ring].held;
    for (; !held.empty(); held.pop_front()) give_back(me, static_cast<int>(ring), held.front());
  }
}

bool TileMachine::run_until_blocked(TileInstance& me) {
  bool has_moved = false;
  try {
    while (!me.frames.empty() && step(me)) {
      has_moved = true;
      if (me.frames.empty()) finish(me);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::internal || error.given().empty()) throw;
    throw_error({.op = error.op(),
                 .expected = error.expected(),
                 .given = concat(error.given(), ", at ", where(me))});
  }
  return has_moved;
}

std::string TileMachine::where(const TileInstance& me) const {
  const std::string statement =
      me.at == nullptr ? "" : concat("`", head_text(kernel_, *me.at), "` in ");
  return concat(statement, me.name, me.name.empty() ? "block " : " of block ", block_.number);
}

bool TileMachine::step(TileInstance& me) {
  const size_t depth = me.frames.size() - 1;
  const Frame& frame = me.frames[depth];
  if (frame.next == frame.body->size()) {
    end_body(me);
    return true;
  }
  const Statement& statement = (*frame.body)[frame.next];
  me.at = &statement;
  if (!start(me, statement)) return false;
  ++me.frames[depth].next;  // what it pushed lies above
  return true;
}

bool TileMachine::start(TileInstance& me, const Statement& at) {
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (OneOf<Kind, Loop, If, Role, TileLoop, Produce, Consume, NamedBarrier>) {
          const size_t depth = me.frames.size();
          if (!start(me, kind)) return false;
          if (me.frames.size() > depth) me.frames.back().owner = &at;
        } else if constexpr (OneOf<Kind, Let, Var, Assign>) {
          assign(me, at, kOneLane);
        } else if constexpr (OneOf<Kind, Reduce>) {
          reduce(me, kind, kOneLane);
        } else if constexpr (OneOf<Kind, Store>) {
          store(me, kind, kOneLane);
        } else if constexpr (TileStatement<Kind> && !OneOf<Kind, ReadElement, WriteElement>) {
          run(me, kind);
        } else {
          fail("statements over tiles", "another one");
        }
        return true;
      },
      at.kind);
}

bool TileMachine::start(TileInstance& me, const Loop& loop) {
  const int64_t extent = value_of(me, loop.extent, 0);
  if (extent <= 0) return true;
  set_axis(me, loop.axis, 0);
  me.frames.push_back({.body = &loop.body, .extent = extent});
  return true;
}
bool TileMachine::start(TileInstance& me, const If& branch) {
  if (word_of(me, branch.condition).integer != 0) me.frames.push_back({.body = &branch.then});
  return true;
}
bool TileMachine::start(TileInstance& me, const Role& role) {
  if (&role == me.role) me.frames.push_back({.body = &role.body});
  return true;
}
bool TileMachine::start(TileInstance& me, const TileLoop& loop) {
  if (start_tile(me, loop, 0)) me.frames.push_back({.body = &loop.body});
  return true;
}

// Sets the axes; false: there is no such tile.
bool TileMachine::start_tile(TileInstance& me, const TileLoop& loop, int64_t iteration) {
  std::vector<int64_t> extents;
  int64_t tiles = 1;
  for (const Expr& extent : loop.extents) {
    extents.push_back(std::max<int64_t>(0, value_of(me, extent, 0)));
    tiles *= extents.back();
  }
  const int64_t of_block = value_of(me, loop.from, 0) + loop.step * iteration;
  const int64_t number = block_.number + blocks_ * of_block;
  if (number >= tiles) return false;
  const std::vector<int64_t> at = tile_at(number, extents, loop.group);
  for (size_t i = 0; i < at.size(); ++i) set_axis(me, loop.axes[i], at[i]);
  return true;
}

void TileMachine::end_body(TileInstance& me) {
  Frame& frame = me.frames.back();
  me.at = frame.owner;
  if (frame.owner == nullptr) return me.frames.pop_back();
  bool goes_on = false;
  if (const auto* const loop = as<Loop>(*frame.owner)) {
    goes_on = ++frame.iteration < frame.extent;
    if (goes_on) set_axis(me, loop->axis, frame.iteration);
  } else if (const auto* const tiles = as<TileLoop>(*frame.owner)) {
    goes_on = start_tile(me, *tiles, ++frame.iteration);
  } else if (const auto* const produce = as<Produce>(*frame.owner)) {
    end(me, *produce);
  } else if (const auto* const consume = as<Consume>(*frame.owner)) {
    end(me, *consume);
  }
  if (!goes_on) return me.frames.pop_back();
  frame.next = 0;
}

void TileMachine::set_axis(TileInstance& me, int number, int64_t value) {
  const Column words = axis(me, number);
  for (uint32_t lane = 0; lane < kTileLanes; ++lane) words[lane].integer = value;
}

void TileMachine::assign(TileInstance& me, const Statement& at, Lanes lanes) {
  const Evaluate& evaluate = program_.assignments.at(&at);
  me.runner.run(evaluate.code, lanes);
  calculate(evaluate.move, me.words.data(), lanes, counts_.status);
}

void TileMachine::reduce(TileInstance& me, const Reduce& reduce, Lanes lanes) {
  const DType dtype = kernel_.values[static_cast<size_t>(reduce.value)].dtype;
  const Column into = value(me, reduce.value), operand = value(me, reduce.operand);
  for (const uint32_t lane : lanes) {
    into[lane] = combined(reduce.combine, dtype, into[lane], operand[lane]);
  }
}

Word TileMachine::word_of(TileInstance& me, const Expr& e) {
  const ExpressionCode& code = program_.expressions.at(&e);
  me.runner.run(code.code, kOneLane);
  return column(me, code.result)[0];
}
int64_t TileMachine::value_of(TileInstance& me, const Expr& e, int64_t otherwise) {
  return e.get() == nullptr ? otherwise : word_of(me, e).integer;
}

void TileMachine::report_deadlock() const {
  const auto state = [&](const std::unique_ptr<TileInstance>& instance) {
    if (instance->frames.empty()) return concat(instance->name, " has ended");
    return concat(instance->name, " waits for ", instance->waits_for, " at `",
                  head_text(kernel_, *instance->at), "`");
  };
  fail("a role instance that can go on",
       concat("deadlock in block ", block_.number, ": ", join(block_.instances, "; ", state)));
}

void TileMachine::fail(std::string expected, std::string given) const {
  throw_error({.op = kernel_.name, .expected = std::move(expected), .given = std::move(given)});
}

void LaneHost::load(const Instruction& instruction, Lanes lanes) {
  const Column index = machine.column(instance, instruction.args[0]);
  const Column dest = machine.column(instance, instruction.dest);
  const TileGlobals::Actor actor = machine.actor(instance);
  const DType dtype = machine.kernel_.buffers[static_cast<size_t>(instruction.buffer)].dtype;
  const bool rounds = instruction.rounds_to_f32 && dtype == f64;
  for (const uint32_t lane : lanes) {
    const Word word = machine.globals_.load(instruction.buffer, index[lane].integer, actor);
    dest[lane] = rounds ? Word{.real = static_cast<float>(word.real)} : word;
  }
}

}  // namespace ridge::loop
