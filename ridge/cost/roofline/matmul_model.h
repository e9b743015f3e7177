// The model of one matmul on one device: work, tiles, alignment, and a predicted time.
//
// The prediction is what the floor leaves out: the rate that the vendor's library was measured to
// reach, whole tiles in whole waves, traffic between L2 and the SMs (where the sheet has l2.read),
// rows that are not aligned for bulk copies, and on a GPU what every kernel takes (matmul_price.cpp).
#pragma once

#include <span>

#include "ridge/cost/price.h"
#include "ridge/cost/roofline/estimate.h"
#include "ridge/cost/roofline/query.h"
#include "ridge/cost/roofline/rates.h"

namespace ridge::cost {

// batch times X[m,k] * W[k,n].
struct MatmulProblem {
  double batch = 1, m = 0, n = 0, k = 0;
  ElementType x{}, w{}, output{};
  MatmulLayout layout{};
  // Of X in memory, where its rows overlap there: the windows of a convolution.
  std::optional<double> x_elements{};
  // Whether all rows start at multiples of 16 bytes; by the sizes where nothing is known of strides.
  std::optional<bool> is_aligned{};
};

struct MatmulMachine {
  Rate math;                   // the ceiling
  Rate reached;                // by large products with aligned rows
  double unaligned_share = 1;  // of `reached`, for rows that are not aligned
  Rate memory;
  std::optional<double> units;    // of a device that works in waves
  std::optional<double> l2_rate;  // of the sheet
  bool has_clusters = false;      // blocks that share what they read
  double line = 128;
  SheetKind kind = SheetKind::gpu;
  double matrix_unit_side = 128;  // of a TPU
  // In place of what the rows of a problem give: sweeps hold it to tell causes apart.
  std::optional<double> held_alignment_share{};
  const Sheet* sheet = nullptr;
};

MatmulProblem problem_of(const Query& query);  // types and layout; sizes are the caller's
MatmulMachine machine_for(Rates& rates, const MatmulProblem& problem, std::string_view what);
// The same machine with products at another rate of its sheet, "matrix.f8".
MatmulMachine with_math(MatmulMachine machine, Rate math);

Part matmul_part(std::string name, const MatmulProblem& problem, const Rate& math,
                 const Rate& memory);

// The tiles that the model chooses from on a GPU.
std::span<const Tile> gpu_tiles();

// The tile given, else the one with the least predicted time; nothing on a CPU without one, where
// kernels choose theirs by the caches.
std::optional<Tile> tile_for(const MatmulProblem& problem, const MatmulMachine& machine,
                             std::optional<Tile> given);
std::optional<Tiling> tile_matmul(const MatmulProblem& problem, const MatmulMachine& machine,
                                  std::optional<Tile> given);
// What reading the operands of all tiles from L2 takes; 0 where its rate is not known.
double l2_seconds(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile);
// Whole tiles in whole waves on the matrix units, and what brings operands there: the longer one.
double tile_seconds(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile);

// How rows of X, W and the output lie, with the dimension that makes them ("K", "N" or "M").
std::vector<Alignment> alignments_of(const MatmulProblem& problem, double line);

// The share of the rate that the alignment of these rows leaves.
double alignment_share(const MatmulProblem& problem, const MatmulMachine& machine);

// The predicted time of a matmul: one answer for `roofline`, `sweep` and, of products that a library
// computes, `explain` (price.h).

// What a matmul asks of a device.
struct MatmulWork {
  double flops = 0;
  double read = 0, written = 0;  // bytes
  double units_s = 0;            // of the matrix units, and of what brings operands to them
  double reached_s = 0;          // of the flops alone, at the rate that is reached
};
MatmulWork matmul_work(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile);

// On a GPU: units and memory work beside each other, and a kernel is launched.
Price price_matmul(const MatmulWork& work, const MatmulMachine& machine, const Context& context);

// Of a kernel that runs again and again by itself. Devices other than GPUs have no prices here: the
// units or memory, whichever takes longer.
double predicted_seconds(const MatmulWork& work, const MatmulMachine& machine);

// The least time that such work takes on the machine, whoever computes it.
double floor_seconds(const MatmulWork& work, const MatmulMachine& machine);

// What would make a matmul faster on its device, and by how much.
//
// Adds to `estimate`, whose bounds, tiling and crossover are there: whole lines, a better tile, a
// split of K, narrower types, a larger batch, fewer launches.
void advise_matmul(Estimate& estimate, const MatmulProblem& problem, const MatmulMachine& machine,
                   const Sheet& sheet);

// For any operation: launches that take longer than the work.
void advise_launches(Estimate& estimate, const Sheet& sheet);

// What estimates of all operations share: the frame around their parts.

// Bounds, launch time, crossovers along `dimensions` (the first is the batch), rates and notices.
// Advice is the caller's; it sorts it in the end.
Estimate frame_estimate(std::string operation, const Query& query, Rates& rates,
                        const PartsOf& parts, const std::vector<std::string_view>& dimensions);

// "matrix.bf16 989.4 TFLOP/s"
std::string to_text(const Rate& rate);
// The ceilings of a matmul, and what of the first is reached where the sheet says.
std::vector<std::string> rates_of(const MatmulMachine& machine);

}  // namespace ridge::cost
