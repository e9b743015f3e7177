// Tiles, rings and views for themselves, the warps and registers of roles, and the budget of a block.
#include <algorithm>
#include <numeric>
#include <set>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/tile_text.h"
#include "ridge/loop/verify_parts.h"
#include "ridge/loop/verify_tiles.h"

namespace ridge::loop {
namespace {

constexpr int64_t kMostExtent = 1 << 18;  // of a tile, a bound on what is worth checking
constexpr int kBoxExtent = 256;           // elements, of a tensor map
constexpr int kViewRank = 5;              // of a tensor map
constexpr int kCopyBytes = 16;    // addresses and strides of a tensor map are multiples of it
constexpr int kBarrierBytes = 8;  // an mbarrier; a slot has two
constexpr int kRegisterStep = 8;  // of setmaxnreg
constexpr int kFewestRegisters = 24, kMostRegisters = 256;

class DeclarationVerifier {
 public:
  explicit DeclarationVerifier(const Kernel& kernel) : kernel_(kernel) {}

  void run() const {
    form();
    names();
    for (const Ring& ring : kernel_.rings) check(ring, ring.slots >= 1, "a slot at least");
    for (const View& view : kernel_.views) of_view(view);
    for (const Tile& tile : kernel_.tiles) {
      if (kernel_.threads == 0) {
        unmapped(tile);
      } else {
        mapped(tile);
      }
    }
    for (size_t i = 0; i < kernel_.rings.size(); ++i) {
      check(kernel_.rings[i],
            std::ranges::count(kernel_.tiles, static_cast<int>(i), &Tile::ring) > 0,
            "a ring that tiles are declared in");
    }
    if (kernel_.threads > 0) roles();
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string given) const {
    throw_error({.op = kernel_.name, .expected = std::move(expected), .given = std::move(given)});
  }
  template <class Declaration>
  void check(const Declaration& declaration, bool condition, std::string expected) const {
    if (condition) return;
    fail(std::move(expected), concat("`", declaration_text(kernel_, declaration), "`"));
  }

  void form() const {
    if (!kernel_.has_tiles()) return;
    const bool is_mapped = kernel_.threads > 0;
    if (is_mapped && !kernel_.tile_sizes.empty()) {
      fail("a mapped kernel without sizes of tiles", join(kernel_.tile_sizes, ", "));
    }
    for (const Buffer& buffer : kernel_.buffers) {
      if (buffer.space == Space::global) continue;
      fail("tiles in place of shared and local buffers", buffer.name);
    }
  }

  // `copy` tells tiles and views by their names, `in` rings and roles.
  void names() const {
    std::set<std::string_view> of_data, of_owners;
    const auto add = [this](std::set<std::string_view>& names, std::string_view name) {
      if (name.empty() || name.find('\n') != std::string_view::npos || !names.insert(name).second) {
        fail("tiles and views, rings and roles with names of their own", quoted_tile_name(name));
      }
    };
    for (const Tile& tile : kernel_.tiles) add(of_data, tile.name);
    for (const View& view : kernel_.views) add(of_data, view.name);
    for (const Ring& ring : kernel_.rings) add(of_owners, ring.name);
    for (const Role* role : roles_of(kernel_)) add(of_owners, role->name);
  }

  void of_view(const View& view) const {
    const auto expect = [&](bool condition, std::string expected) {
      check(view, condition, std::move(expected));
    };
    expect(kernel_.threads > 0, "views in a mapped kernel only");
    const bool is_buffer = view.buffer >= 0 && std::cmp_less(view.buffer, kernel_.buffers.size());
    expect(is_buffer, "the number of a buffer");
    const size_t rank = view.extents.size();
    expect(rank >= 1 && rank <= kViewRank && view.strides.size() == rank && view.box.size() == rank,
           concat("as many strides and extents of the box as dimensions, 1 to ", kViewRank));
    expect(is_constant(view.strides.back(), 1), "a last dimension that is contiguous");
    expect(std::ranges::all_of(view.box, [](int64_t n) { return n >= 1 && n <= kBoxExtent; }),
           concat("a box of at most ", kBoxExtent, " along each dimension"));
    expect(std::ranges::count_if(view.box, [](int64_t n) { return n > 1; }) <= 2,
           "a box of at most two dimensions that are more than 1");
    const DType dtype = kernel_.buffers[static_cast<size_t>(view.buffer)].dtype;
    const int bytes = element_bytes(dtype);
    expect(bytes > 0, "elements of whole bytes");
    const int64_t line = view.box.back() * bytes;
    expect(line % kCopyBytes == 0,
           concat("lines of the box of a multiple of ", kCopyBytes, " bytes"));
    const int64_t span = view.swizzle;
    expect(span == 0 || span == 32 || span == 64 || span == 128,
           "a swizzle of 32, 64 or 128 bytes");
    expect(span == 0 || line <= span, concat("lines of the box of at most ", span, " bytes"));
    // Of a stride over params whoever binds the kernel decides.
    for (size_t i = 0; i + 1 < rank; ++i) {
      const Expr& stride = view.strides[i];
      expect(!is_constant(stride) || known_divisor(stride) * bytes % kCopyBytes == 0,
             concat("strides of a multiple of ", kCopyBytes, " bytes"));
    }
    expect(view.first.get() == nullptr || !is_constant(view.first) ||
               known_divisor(view.first) * bytes % kCopyBytes == 0,
           concat("a first element at a multiple of ", kCopyBytes, " bytes"));
  }

  void unmapped(const Tile& tile) const {
    const bool is_plain = tile.layout == TileLayout::unmapped && tile.ring < 0 &&
                          tile.role.empty() && tile.slots == 1 && !tile.is_column_contiguous;
    check(tile, is_plain, "tiles without layout, slots and role in an unmapped kernel");
  }
  void mapped(const Tile& tile) const {
    const auto expect = [&](bool condition, std::string expected) {
      check(tile, condition, std::move(expected));
    };
    expect(tile.layout != TileLayout::unmapped, "a layout of each tile of a mapped kernel");
    const bool is_sized = is_constant(tile.rows) && is_constant(tile.columns) &&
                          tile.rows->integer >= 1 && tile.columns->integer >= 1 &&
                          tile.rows->integer <= kMostExtent && tile.columns->integer <= kMostExtent;
    expect(is_sized, "constant extents of a tile of a mapped kernel");
    expect(element_bytes(tile.dtype) > 0, "elements of whole bytes");
    const Role* const role = role_of(kernel_, tile);
    if (is_shared(tile.layout)) return shared(tile, role);
    expect(role != nullptr, "the role that owns a tile in registers");
    expect(tile.ring < 0 && tile.slots == 1 && !tile.is_column_contiguous,
           "slots, rings and orders of tiles in shared memory only");
    in_registers(tile, *role);
  }
  void shared(const Tile& tile, const Role* role) const {
    const auto expect = [&](bool condition, std::string expected) {
      check(tile, condition, std::move(expected));
    };
    expect(tile.ring < 0 || std::cmp_less(tile.ring, kernel_.rings.size()), "the number of a ring");
    expect(tile.ring < 0 || (tile.role.empty() && tile.slots == 1),
           "a tile of a ring without slots and role of its own");
    expect(tile.role.empty() || role != nullptr, concat("a role or ring `", tile.role, "`"));
    expect(tile.slots >= 1, "a slot at least");
    const int64_t lines = (tile.is_column_contiguous ? tile.columns : tile.rows)->integer;
    expect(tile.layout == TileLayout::linear || lines % 8 == 0,
           "a multiple of 8 lines in a tile with a swizzle");
  }
  void in_registers(const Tile& tile, const Role& role) const {
    const auto expect = [&](bool condition, std::string expected) {
      check(tile, condition, std::move(expected));
    };
    const int64_t rows = tile.rows->integer, columns = tile.columns->integer;
    const int block = block_rows(role.warps);
    const bool has_columns = tile.layout != TileLayout::row_values;
    if (tile.layout != TileLayout::column_values) {
      expect(rows % block == 0,
             concat("a multiple of ", block, " rows, by the warps of an instance"));
    }
    const int step = tile.layout == TileLayout::operand ? 16 : 8;
    expect(!has_columns || (columns % step == 0 && columns <= 256),
           concat("a multiple of ", step, " columns, up to 256"));
    if (tile.layout == TileLayout::operand) {
      expect(is_16_bit_float(tile.dtype), "an operand of f16 or bf16");
    } else {
      expect(tile.dtype.bits == 32, "registers of 32 bits");
    }
    expect(tile.layout != TileLayout::row_values || columns == 1, "values of rows in one column");
    expect(tile.layout != TileLayout::column_values || rows == 1, "values of columns in one row");
  }

  void roles() const {
    const std::vector<const Role*> roles = roles_of(kernel_);
    const auto expect = [&](const Role& role, bool condition, std::string expected) {
      if (!condition) fail(std::move(expected), concat("role ", quoted_tile_name(role.name)));
    };
    int threads = 0, with_registers = 0;
    for (const Role* role : roles) {
      expect(*role, role->warps == 1 || role->warps == kWarpgroupWarps, "warps or warpgroups");
      expect(*role, role->instances >= 1 && role->instances <= 32, "1 to 32 instances");
      const int r = role->registers;
      expect(*role,
             r == 0 || (r % kRegisterStep == 0 && r >= kFewestRegisters && r <= kMostRegisters),
             concat("registers in steps of ", kRegisterStep, ", from ", kFewestRegisters, " to ",
                    kMostRegisters));
      with_registers += r > 0 ? 1 : 0;
      expect(*role, role->warps == 1 || threads % (kWarpSize * kWarpgroupWarps) == 0,
             "warpgroups that begin at a multiple of 128 threads");
      threads += threads_of(*role);
      expect(*role, r == 0 || registers_in(*role) <= r,
             concat("tiles in at most ", r, " registers, not ", registers_in(*role)));
    }
    if (threads != kernel_.threads || threads > kCudaLimits.max_threads_per_block) {
      fail(concat("roles that are the threads of the block, up to ",
                  kCudaLimits.max_threads_per_block),
           concat(threads, " threads of roles, ", kernel_.threads, " of the block"));
    }
    if (with_registers == 0) return;
    if (std::cmp_not_equal(with_registers, roles.size())) {
      fail("registers of each role or of none", concat("registers of ", with_registers));
    }
    register_pool(roles);
  }
  int64_t registers_in(const Role& role) const {
    int64_t bytes = 0;
    for (const Tile& tile : kernel_.tiles) {
      if (!is_in_registers(tile.layout) || tile.role != role.name) continue;
      const RegisterTile held{static_cast<int>(tile.rows->integer),
                              static_cast<int>(tile.columns->integer), tile.layout, role.warps};
      bytes += int64_t{values_per_thread(held)} * element_bytes(tile.dtype);
    }
    return bytes / 4;
  }
  // A launch gives all warpgroups alike, in steps, as many as the file has for them, and a part of a
  // warpgroup counts as all of it; then they hand them to each other.
  void register_pool(const std::vector<const Role*>& roles) const {
    std::vector<int> groups;  // registers of each warpgroup
    int warps = 0;
    for (const Role* role : roles) {
      for (int i = 0; i < role->warps * role->instances; ++i, ++warps) {
        if (warps % kWarpgroupWarps == 0) groups.push_back(role->registers);
        if (groups.back() == role->registers) continue;
        fail("roles that share a warpgroup with the same registers",
             concat("role ", quoted_tile_name(role->name)));
      }
    }
    const int64_t blocks = std::max<int64_t>(kernel_.min_blocks_per_sm, 1);
    const auto count = static_cast<int64_t>(groups.size());
    const int64_t group_threads = kWarpSize * kWarpgroupWarps;
    const int64_t launched = kCudaLimits.registers_per_sm / (group_threads * count * blocks) /
                             kRegisterStep * kRegisterStep;
    const int64_t pool = std::min<int64_t>(launched, 256) * count;
    const int64_t sum = std::accumulate(groups.begin(), groups.end(), int64_t{0});
    if (sum <= pool) return;
    fail(concat("registers of at most ", pool, " over ", count, " warpgroups"), concat(sum));
  }

  const Kernel& kernel_;
};

SharedTile shared_tile(const Tile& tile) {
  return {static_cast<int>(tile.rows->integer), static_cast<int>(tile.columns->integer),
          tile.layout, element_bytes(tile.dtype), tile.is_column_contiguous};
}

}  // namespace

void verify_tile_declarations(const Kernel& kernel) { DeclarationVerifier(kernel).run(); }

int64_t tile_shared_bytes(const Kernel& kernel) {
  int64_t bytes = 0;
  for (const Tile& tile : kernel.tiles) {
    if (!is_shared(tile.layout)) continue;
    const Role* const role = role_of(kernel, tile);
    const int slots = tile.ring >= 0 ? kernel.rings[static_cast<size_t>(tile.ring)].slots
                                     : tile.slots * (role == nullptr ? 1 : role->instances);
    bytes += slots * slot_bytes(shared_tile(tile));
  }
  for (const Ring& ring : kernel.rings) bytes += int64_t{2} * kBarrierBytes * ring.slots;
  return bytes;
}

void verify_tile_budget(const Kernel& kernel, const DeviceLimits& limits) {
  const int64_t blocks = std::max<int64_t>(kernel.min_blocks_per_sm, 1);
  const int64_t most = limits.shared_bytes / blocks - limits.reserved_shared_bytes;
  const int64_t bytes = tile_shared_bytes(kernel);
  if (bytes <= most) return;
  throw_error({.op = kernel.name,
               .expected = concat("tiles of at most ", most, " bytes"),
               .given = concat(bytes, " bytes")});
}

std::vector<const Role*> roles_of(const Kernel& kernel) {
  std::vector<const Role*> roles;
  for_each_statement(kernel.body, [&](const Statement& statement) {
    if (const auto* const role = as<Role>(statement)) roles.push_back(role);
  });
  return roles;
}

const Role* role_of(const Kernel& kernel, const Tile& tile) {
  for (const Role* role : roles_of(kernel)) {
    if (!tile.role.empty() && role->name == tile.role) return role;
  }
  return nullptr;
}

}  // namespace ridge::loop
