#include "ridge/loop/tile_globals.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::loop {

TileGlobals::TileGlobals(const Kernel& kernel, std::span<void* const> buffers,
                         std::span<const int64_t> sizes, const Options& options, Counts& counts)
    : kernel_(kernel), options_(options), counts_(counts) {
  for (size_t i = 0; i < kernel.argument_count(); ++i) {
    const Buffer& buffer = kernel.buffers[i];
    Region region{.buffer = &buffer,
                  .data = static_cast<std::byte*>(buffers[i]),
                  .elements = element_count(buffer, sizes),
                  .element_bytes = static_cast<int64_t>(bytes_for(buffer.dtype, 1)),
                  .shadow = {}};
    const bool is_read_only = buffer.access == Access::in || options.on_race == OnRace::ignore;
    if (!is_read_only || buffer.access == Access::out) {
      region.shadow.resize(static_cast<size_t>(region.elements));
    }
    regions_.push_back(std::move(region));
  }
  counts.buffers.resize(kernel.buffers.size());
}

bool TileGlobals::is_in_range(const Region& region, int64_t index, bool is_load) const {
  if (index >= 0 && index < region.elements) [[likely]]
    return true;
  if (counts_.status != KernelStatus::ok) return false;
  throw_error({.op = kernel_.name,
               .expected = concat(is_load ? "loads" : "stores", " within the ", region.elements,
                                  " elements of ", region.buffer->name),
               .given = concat(region.buffer->name, "[", index, "]")});
}

bool TileGlobals::is_ordered(const Touch& before, const Actor& actor) {
  if (before.block < 0) return true;
  return before.block == actor.block && actor.clock.has_seen(before.instance, before.time);
}

Word TileGlobals::load(int buffer, int64_t index, const Actor& actor) {
  Region& region = regions_[static_cast<size_t>(buffer)];
  if (!is_in_range(region, index, true)) return {};
  if (!region.shadow.empty()) {
    Shadow& shadow = region.shadow[static_cast<size_t>(index)];
    if (!is_ordered(shadow.write, actor)) {
      report(region, index, "read of what was written", shadow.write, actor);
    }
    shadow.has_many_readers |= !is_ordered(shadow.read, actor);
    shadow.read = {actor.block, actor.clock.self(), actor.clock.now()};
  }
  BufferCounts& own = counts_.buffers[static_cast<size_t>(buffer)];
  for (Traffic* const traffic : {&own.loads, &counts_.loads}) {
    ++traffic->elements;
    traffic->bytes += region.element_bytes;
  }
  return read_element(region.buffer->dtype, region.data, index);
}

void TileGlobals::store(int buffer, int64_t index, Word word, expr::Type type, const Actor& actor) {
  Region& region = regions_[static_cast<size_t>(buffer)];
  if (!is_in_range(region, index, false)) return;
  if (!region.shadow.empty()) {
    Shadow& shadow = region.shadow[static_cast<size_t>(index)];
    const bool is_of_another =
        shadow.write.block >= 0 &&
        (shadow.write.block != actor.block || shadow.write.instance != actor.clock.self());
    if (is_of_another) report(region, index, "written twice", shadow.write, actor);
    if (shadow.has_many_readers || !is_ordered(shadow.read, actor)) {
      report(region, index, "written, and not after it was read", shadow.read, actor);
    }
    shadow.write = {actor.block, actor.clock.self(), actor.clock.now()};
  }
  BufferCounts& own = counts_.buffers[static_cast<size_t>(buffer)];
  for (Traffic* const traffic : {&own.stores, &counts_.stores}) {
    ++traffic->elements;
    traffic->bytes += region.element_bytes;
  }
  write_element(region.buffer->dtype, region.data, index, word, type);
}

int64_t TileGlobals::unwritten() const {
  int64_t count = 0;
  for (const Region& region : regions_) {
    if (region.buffer->access != Access::out) continue;
    count += std::ranges::count_if(region.shadow,
                                   [](const Shadow& shadow) { return shadow.write.block < 0; });
  }
  return count;
}

std::string TileGlobals::who(int64_t block, int instance) const {
  const std::string& name = names_[static_cast<size_t>(instance)];
  return concat(name, name.empty() ? "block " : " of block ", block);
}

void TileGlobals::report(const Region& region, int64_t index, const char* what, const Touch& before,
                         const Actor& actor) {
  if (options_.on_race == OnRace::ignore) return;
  ++counts_.races;
  if (options_.on_race != OnRace::fail || counts_.status != KernelStatus::ok) return;
  throw_error({.op = kernel_.name,
               .expected =
                   "global elements that one instance of one block writes, ordered before or "
                   "after those who read them",
               .given = concat(region.buffer->name, "[", index, "] ", what, ", by ",
                               who(before.block, before.instance), " and by ",
                               who(actor.block, actor.clock.self()))});
}

}  // namespace ridge::loop
