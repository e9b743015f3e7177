// A mapping: how one kernel runs on a GPU, as a value that can be printed, compared, priced and applied.
//
//   product wgmma 128x256x64 cooperative 2 stages 4 group 8
//   product wgmma 128x192x64 cooperative 2 stages 4 group 8 split 3 store elements align realigned
//
// A mapping has a part that all kernels share (launch, residency, alignment) and one of its family. It
// says nothing of the kernel's body: the passes of mapping/passes put the two together.
//
// Text: family, matrix unit, tile and consumers in this order, then `name value` pairs in any order, of
// which `stages` and `group` are always printed and the others where they are not the default:
//
//   stages 4        slots of the ring                    cluster 2      blocks that share one operand
//   group 8         rows of tiles walked together        split 3        parts of k, added in order
//   store tile 2    results go through 2 buffers         store elements each thread writes its own
//   align given     as the operands lie                  align padded, align realigned
//   blocks 2        blocks on an SM, at least            pdl on         starts before its predecessor ends
//   lhs evict_first cache hint of an operand's loads     rhs evict_last
//
// `parse` and `to_text` are inverse: parse(to_text(m)) == m.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace ridge::mapping {

enum class CacheHint : uint8_t { normal, evict_first, evict_last };

// What is done about operands and results whose rows start at addresses that bulk copies cannot take.
enum class Alignment : uint8_t {
  given,      // nothing: the mapping takes them as they lie
  padded,     // the memory plan gives buffers of the program a longer pitch
  realigned,  // operands are copied to a padded buffer first
};

// Threads follow from the family. Residency: `min_blocks_per_sm` blocks share the registers and shared
// memory of an SM.
struct Launch {
  int cluster = 1;  // blocks
  int min_blocks_per_sm = 1;
  bool pdl = false;  // programmatic dependent launch
  CacheHint lhs = CacheHint::normal, rhs = CacheHint::normal;

  bool operator==(const Launch&) const = default;
};

enum class MatrixUnit : uint8_t {
  wgmma,  // of a warpgroup, asynchronous, operands in shared memory: sm_90a
  mma,    // of a warp, operands in registers: sm_80 and later
};
enum class Consumers : uint8_t {
  cooperative,  // warpgroups divide the rows of a tile
  ping_pong,    // each warpgroup has a tile of its own, and they take turns at the tensor cores
};
enum class StoreWay : uint8_t {
  tile,      // through shared tiles and bulk copies
  elements,  // from registers, each thread its own
};

// out[m, n] += lhs[m, k] * rhs[k, n] in tiles. One producer warp loads; consumers multiply and run the
// epilogue. `mma` has no producer: the warps of its consumers load for themselves.
struct Product {
  MatrixUnit unit = MatrixUnit::wgmma;
  int rows = 128, columns = 256,
      depth = 64;  // of the tile that one (group of) consumer(s) computes
  Consumers consumers = Consumers::cooperative;
  int warpgroups = 2;  // that consume
  int stages = 4;
  int group = 8;
  int split = 1;  // of k
  StoreWay store = StoreWay::tile;
  int store_buffers = 2;  // of each warpgroup

  bool operator==(const Product&) const = default;
};

// Maps, rows, columns, scans, scatters and chains become further alternatives.
using Family = std::variant<Product>;

struct Mapping {
  Launch launch{};
  Alignment alignment = Alignment::given;
  Family family{};

  bool operator==(const Mapping&) const = default;
};

// Parts of a mapping's text, to say which of them is at fault.
enum class Field : uint8_t {
  family,
  unit,
  tile,
  consumers,
  stages,
  group,
  cluster,
  split,
  store,
  align,
  blocks,
  pdl,
  lhs,
  rhs,
};
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::rhs) + 1;
std::string_view name(Field field);

struct ParsedMapping {
  Mapping mapping;
  // Where each field begins, counted from 1; of one that is not written, the end of the text.
  std::array<size_t, kFieldCount> columns{};
};

std::string to_text(const Mapping& mapping);
// Error{parse}: what was expected, what was found and at which column.
ParsedMapping parse(std::string_view text);

std::string_view name(MatrixUnit unit);
std::string_view name(Consumers consumers);
std::string_view name(StoreWay store);
std::string_view name(Alignment alignment);
std::string_view name(CacheHint hint);

// What follows from a mapping.

int threads(const Product& product);
int rows_of_warpgroup(const Product& product);
// f32 sums that each thread of a consumer keeps in registers.
int accumulators(const Product& product);

}  // namespace ridge::mapping
