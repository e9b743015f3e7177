// Device sheets: what a device can do, in figures that each say where they come from.
//
// A sheet is a text file, one figure a line, and a self-check where a figure follows from others:
//
//   ridge-sheet 1
//   name     h100-sxm
//   title    NVIDIA H100 SXM5 80 GB
//   kind     gpu
//   version  2026-11-15
//   device-name NVIDIA H100 80GB HBM3
//   source   nvidia  "NVIDIA H100 Tensor Core GPU datasheet"  2024-07-01
//   figure   matrix.bf16  989.4 TFLOP/s  dense accumulate=f32 source=nvidia
//   figure   dram.peak    3.35 TB/s      source=nvidia
//   figure   units        132            source=nvidia
//   check    matrix.bf16 = 1.83 GHz * 512 * 2 * 528 within 1%
//
// `device-name` is what a driver calls a device that the sheet describes; there may be several such lines.
// A measured sheet also has the lines `measured` and, where it is known, `of h100-sxm`. A line
// that starts with # is a comment, and so is the rest of a line after a word that does.
//
// Values are kept in base units: FLOP/s, OP/s, B/s, Hz, s, B, or a plain count; an FMA is 2 flops.
// A figure that nobody published is absent, never guessed: `value` then gives nothing, and `need`
// an Error that names the figure, so that what depends on it can say so.
//
// Keys, where T is a dtype as Ridge writes it (bf16, f16, f8, i8, i4, tf32, f32, f64):
//   matrix.T               rate of the matrix unit; matrix.T.narrow where it accumulates in T;
//                          matrix.T.sparse with structured sparsity: a key of its own, so that
//                          nobody takes it for the rate of dense work
//   sustained.T            rate that large products of random data keep up, where power is the limit
//   vector.T.fma, vector.T rate of the vector units in flops, with FMA and without
//   library.T              products by the vendor's library, of large matrices with aligned rows;
//                          library.T.ragged: where rows do not start at multiples of 16 bytes
//   special.T              special functions (exp2, rsqrt, sin) a second
//   integer.i32            integer operations a second
//   dram.peak              the datasheet's bandwidth; dram.read, .write, .copy: measured or stated
//   dram.stream            read by threads that each go through one array; .read: through several
//   dram.bytes             capacity
//   bulk.read, .latency    bulk copies from L2 to shared memory, of lines that several SMs read at a
//                          time: bandwidth, and the time until the first one is there (GPU)
//   l1.*, l2.*, l3.*       .read, .write, .copy: bandwidth, summed over SMs or cores; .bytes: capacity
//                          (l1.bytes: of one SM or core; l2.bytes of a CPU: of one core); .latency
//   shared.read, .bytes    shared memory: bandwidth, summed over SMs; capacity of one SM; .latency
//   dram.latency, gather.* latency of a miss; gather.l1, .l2, .l3, .dram: elements a second
//   launch                 time of an empty kernel; launch.gap: between dependent ones in a graph
//   function.F             calls a second of one function of f32 (exp, tanh, ...) in a kernel that
//                          makes one; function.F.peak: where several overlap (CPU)
//   dram.start             what a kernel takes beyond its launch and its bytes at full rate: until
//                          requests are in flight, and until the last one is back (GPU)
//   barrier, task          time of a barrier of a block; of handing a task to a thread (CPU)
//   block                  time from the start of a block to that of the next, over all SMs
//   barrier.cluster        time of a barrier of a cluster of blocks
//   loop, combine          time of entering and leaving a vector loop, and of adding up the lanes of
//                          a reduction at its end (CPU)
//   KEY.one                of a rate of a CPU: what one core reaches while the others are idle
//   units                  SMs, CUs, tensor cores (TPU), cores (CPU); units.usable: here
//   lanes                  f32 lanes of a vector register; of a warp
//   line, sector, burst    bytes
//   l3.usable              bytes that are left to one program where the cache is shared (CPU)
//   tlb, tlb.bytes         time of a page that is not in the TLB, and how many bytes are (CPU)
//   vector.latency         time of one addition that the next one waits for (CPU)
//   registers, threads     32-bit registers of an SM; threads of an SM
//   arch                   compute capability times ten (NVIDIA)
//   cluster                blocks of a cluster, which reach each other's shared memory
//   units.cluster          SMs that clusters of 4 blocks fill at a time, one block on each
//   clock, clock.matrix    at which the rates hold
//   link.host, link.device bandwidth per direction of a device, summed over its links; .links: how
//                          many; .latency; link.reduces: 1 where switches reduce in flight
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::loop {
struct DeviceLimits;
}

namespace ridge::cost {

enum class SheetKind : uint8_t { gpu, tpu, cpu };
enum class Unit : uint8_t {
  count,
  flops_per_second,
  ops_per_second,
  bytes_per_second,
  hertz,
  seconds,
  bytes
};

struct Source {
  std::string name;   // how figures refer to it
  std::string title;  // the document, or the command that measured
  std::string date;   // when it was published, read or measured: YYYY-MM-DD

  bool operator==(const Source&) const = default;
};

struct Figure {
  double value = 0;  // in base units
  Unit unit = Unit::count;
  bool is_dense = true;      // rates of matrix units: without structured sparsity
  std::string accumulate{};  // dtype of the sum; empty where it does not apply
  std::string direction{};   // read, write, copy, one-way; empty where it does not apply
  std::string source{};      // name of a Source of the sheet
  double spread = 0;         // measured ones: half the distance of the quartiles over the median

  bool operator==(const Figure&) const = default;
};

// value(key) must equal a product of numbers with a unit and other keys, each after `*` or `/`.
struct Check {
  std::string key;
  std::string formula;  // as written
  double product = 0;
  double tolerance = 0.01;

  bool operator==(const Check&) const = default;
};

struct Sheet {
  std::string name;
  std::string title;
  SheetKind kind = SheetKind::gpu;
  std::string version;       // a date; of measured sheets as measured_version gives it
  bool is_measured = false;  // written by calibration
  std::string of{};          // measured sheets: the datasheet they belong to, if known
  std::vector<std::string> device_names{};  // as drivers report them
  std::vector<Source> sources;
  std::map<std::string, Figure, std::less<>> figures;
  std::vector<Check> checks;

  const Figure* find(std::string_view key) const;
  std::optional<double> value(std::string_view key) const;
  // Error{value} naming the sheet, the figure and `what` needs it.
  double need(std::string_view key, std::string_view what) const;
  // The first of these that the sheet has; Error{value} names the last, which all should have.
  double need_first(std::initializer_list<std::string_view> keys, std::string_view what) const;
  // Bytes a second from memory: dram.peak, else what was measured (dram.read, dram.copy).
  std::optional<double> bandwidth() const;
  // Flops a byte at which the rate `key` and memory take equally long: the ridge of the roofline.
  std::optional<double> ridge_point(std::string_view key) const;
  // Is it of the device that a driver calls so, or of which that is a MIG slice? A sheet without device names is of
  // those that its title starts with.
  bool describes(std::string_view device_name) const;
  // Nothing where the sheet names no such source.
  const Source* source(std::string_view name) const;

  bool operator==(const Sheet&) const = default;
};

// Reads the format above. Error{parse} with `file` and line: an unknown word, a missing unit, a
// unit that does not suit the key, a figure twice, a figure without a source, one that is not
// positive or beyond what any device can do, a check that fails.
Sheet parse_sheet(std::string_view text, std::string_view file);
// The version of a measured sheet: the date, and a hash of its title and figures, so that two
// calibrations of one day, or of two machines, are told apart.
std::string measured_version(const Sheet& sheet, std::string_view date);
// The same sheet in the format above, without comments: parse_sheet gives an equal one.
std::string to_text(const Sheet& sheet);

std::string_view name(SheetKind kind);

// A key that a figure may have, and its unit.
struct FigureKey {
  std::string name;
  Unit unit = Unit::count;
};

// Every key there is, in the order listed above.
const std::vector<FigureKey>& figure_keys();
// Nothing for a key that does not exist.
std::optional<Unit> unit_of(std::string_view key);
// Where `key` stands in figure_keys(); their number for one that does not exist.
size_t rank_of(std::string_view key);

bool is_matrix_key(std::string_view key);
bool is_sparse_key(std::string_view key);
// Bandwidth of links, which vendors like to print for both directions together.
bool is_link_bandwidth(std::string_view key);
// The dtypes of keys, and of accumulate=.
bool is_figure_dtype(std::string_view text);

// The limits of a GPU as its sheet states them (loop/device_limits.h). Without a sheet, one SM without shared memory
// or clusters: what any device has.
loop::DeviceLimits device_limits(const Sheet* sheet);

}  // namespace ridge::cost
