#include "ridge/cost/roofline/matmul_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/tuning.h"

namespace ridge::cost {

namespace {

// Large ones first: of equals the one that reads its operands least often wins.
constexpr std::array<Tile, 9> kGpuTiles = {{{256, 128},
                                            {128, 256},
                                            {128, 128},
                                            {256, 64},
                                            {64, 256},
                                            {128, 64},
                                            {64, 128},
                                            {64, 64},
                                            {32, 64}}};

OperandBytes operand_bytes(const MatmulProblem& problem) {
  return {problem.x.bytes, problem.w.bytes, problem.output.bytes};
}

double issued(const MatmulProblem& problem, Tile tile) {
  return problem.batch *
         issued_bytes(problem.m, problem.n, problem.k, tile, operand_bytes(problem));
}

double slots_of(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile) {
  const double tiles = problem.batch * tiles_for(problem.m, problem.n, tile);
  return machine.units ? waves_for(tiles, *machine.units) * *machine.units : tiles;
}

// What SMs read from L2: two blocks of a cluster, where there are clusters, share the operand that
// saves more.
double read_from_l2(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile) {
  if (!machine.has_clusters) return issued(problem, tile);
  return std::min(issued(problem, {2 * tile.rows, tile.columns}),
                  issued(problem, {tile.rows, 2 * tile.columns}));
}

double seconds_with(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile,
                    std::optional<double> l2_rate) {
  const double math = 2 * slots_of(problem, machine, tile) * tile.area() * problem.k /
                      machine.reached.per_second / alignment_share(problem, machine);
  const double inside = l2_rate ? read_from_l2(problem, machine, tile) / *l2_rate : 0;
  return std::max(math, inside);
}

// No figure of sheets has it.
double matrix_unit_side(const Sheet& sheet) {
  const bool is_v6e = sheet.name == "tpu-v6e" || sheet.of == "tpu-v6e";
  return is_v6e ? tuning::kMatrixUnitSideOfV6e : tuning::kMatrixUnitSide;
}

// What of a rate is reached, and of that without alignment, where the sheet has measured both.
double measured_share(const Sheet& sheet, std::string_view part, std::string_view whole,
                      double unknown) {
  const auto reached = sheet.value(part), all = sheet.value(whole);
  return reached && all ? std::min(1.0, *reached / *all) : unknown;
}

Tile choose_tile(const MatmulProblem& problem, const MatmulMachine& machine) {
  if (machine.kind == SheetKind::tpu) {
    return {machine.matrix_unit_side, machine.matrix_unit_side};
  }
  const double l2_rate = machine.l2_rate.value_or(tuning::kL2OverDram * machine.memory.per_second);
  // Where traffic hides the math, the tile that pads least leaves the most room.
  return *std::ranges::min_element(kGpuTiles, {}, [&](Tile tile) {
    return std::pair(seconds_with(problem, machine, tile, l2_rate),
                     slots_of(problem, machine, tile) * tile.area());
  });
}

}  // namespace

std::span<const Tile> gpu_tiles() { return kGpuTiles; }

double alignment_share(const MatmulProblem& problem, const MatmulMachine& machine) {
  if (machine.held_alignment_share) return *machine.held_alignment_share;
  const auto is_bulk = [](const Alignment& a) { return a.aligned_to >= tuning::kBulkCopyBytes; };
  const bool is_aligned = problem.is_aligned
                              ? *problem.is_aligned
                              : std::ranges::all_of(alignments_of(problem, machine.line), is_bulk);
  return is_aligned ? 1 : machine.unaligned_share;
}

MatmulLayout parse_matmul_layout(std::string_view text) {
  const bool is_layout = text.size() == 2 && text.find_first_not_of("nt") == std::string_view::npos;
  RIDGE_CHECK(is_layout, .code = ErrorCode::value,
              .expected = "a layout nn, nt, tn or tt: X and W as multiplied, or transposed",
              .given = concat("`", text, "`"));
  return {text[0] == 't', text[1] == 't'};
}

MatmulProblem problem_of(const Query& query) {
  return {.x = query.dtype,
          .w = query.weight_type(),
          .output = query.output_type(),
          .layout = query.layout};
}

MatmulMachine machine_for(Rates& rates, const MatmulProblem& problem, std::string_view what) {
  const Sheet& sheet = rates.sheet();
  MatmulMachine machine{.math = {},
                        .reached = {},
                        .memory = rates.memory(what),
                        .units = std::nullopt,
                        .l2_rate = sheet.value("l2.read"),
                        .has_clusters = sheet.value("cluster").value_or(1) > 1,
                        .line = sheet.value("line").value_or(tuning::kLineBytes),
                        .kind = sheet.kind,
                        .matrix_unit_side = matrix_unit_side(sheet),
                        .sheet = &sheet};
  if (sheet.kind == SheetKind::gpu) {
    machine.units = sheet.value("units");
    if (!machine.units) rates.absent("units", "waves are not known");
  }
  return with_math(machine, rates.matrix(compute_type(problem.x, problem.w), what));
}

// A library that was measured in one type is taken to reach the same share of the ceiling in others.
MatmulMachine with_math(MatmulMachine machine, Rate math) {
  const Sheet& sheet = *machine.sheet;
  const std::string_view figure = math.figure;
  const std::string_view type = figure.substr(figure.find('.') + 1);
  const std::string dtype(type.substr(0, type.find('.')));
  // Products of a CPU are its own kernels, on the vector units.
  const std::string own = concat(machine.kind == SheetKind::cpu ? "matrix." : "library.", dtype);
  const double usual = measured_share(sheet, "library.bf16", "matrix.bf16", 1);
  const double share = measured_share(sheet, own, figure, usual);
  machine.reached = sheet.find(own) != nullptr ? Rate{share * math.per_second, own}
                                               : Rate{share * math.per_second, math.figure};
  machine.unaligned_share = 1;
  if (machine.kind == SheetKind::gpu && figure.starts_with("matrix.")) {
    const double unaligned =
        measured_share(sheet, "library.bf16.ragged", "library.bf16", tuning::kUnalignedShare);
    machine.unaligned_share = measured_share(sheet, own + ".ragged", own, unaligned);
  }
  machine.math = std::move(math);
  return machine;
}

Part matmul_part(std::string name, const MatmulProblem& p, const Rate& math, const Rate& memory) {
  Part part{.name = std::move(name)};
  part.flops = whole_product({2, p.batch, p.m, p.n, p.k}, "flops");
  const double x = p.x_elements.value_or(whole_product({p.batch, p.m, p.k}, "elements"));
  part.bytes = whole_product({x, p.x.bytes}, "bytes") +
               whole_product({p.batch, p.k, p.n, p.w.bytes}, "bytes") +
               whole_product({p.batch, p.m, p.n, p.output.bytes}, "bytes");
  part.math_s = part.flops / math.per_second;
  part.memory_s = part.bytes / memory.per_second;
  return part;
}

double l2_seconds(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile) {
  return machine.l2_rate ? read_from_l2(problem, machine, tile) / *machine.l2_rate : 0;
}

double tile_seconds(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile) {
  return seconds_with(problem, machine, tile, machine.l2_rate);
}

std::optional<Tile> tile_for(const MatmulProblem& problem, const MatmulMachine& machine,
                             std::optional<Tile> given) {
  if (given || machine.kind == SheetKind::cpu) return given;
  return choose_tile(problem, machine);
}

std::optional<Tiling> tile_matmul(const MatmulProblem& problem, const MatmulMachine& machine,
                                  std::optional<Tile> given) {
  const std::optional<Tile> found = tile_for(problem, machine, given);
  if (!found) return std::nullopt;
  const Tile tile = *found;
  Tiling tiling;
  tiling.tile = tile;
  tiling.is_chosen = !given;
  tiling.tiles = problem.batch * tiles_for(problem.m, problem.n, tile);
  if (machine.units) tiling.waves = waves_for(tiling.tiles, *machine.units);
  tiling.waste =
      waste_of(problem.batch * problem.m * problem.n, slots_of(problem, machine, tile), tile);
  const double line_elements = machine.line / problem.output.bytes;
  const Tile touched{std::min(tile.rows, problem.m), tile.columns};
  const double whole_row = pad_to_lines(problem.n, problem.output.bytes, machine.line);
  tiling.lines = lines_under_tile(touched, problem.n, line_elements);
  tiling.aligned_lines = lines_under_tile(touched, whole_row, line_elements);
  tiling.issued_bytes = issued(problem, tile);
  const MatmulWork work = matmul_work(problem, machine, tile);
  tiling.predicted_s = predicted_seconds(work, machine);
  tiling.floor_s = floor_seconds(work, machine);
  return tiling;
}

std::vector<Alignment> alignments_of(const MatmulProblem& p, double line) {
  const auto row = [&](std::string tensor, std::string dimension, double size, ElementType type) {
    return Alignment{.tensor = std::move(tensor),
                     .dimension = std::move(dimension),
                     .row_bytes = size * type.bytes,
                     .aligned_to = row_alignment(size * type.bytes, line),
                     .line = line};
  };
  return {p.layout.x_is_transposed ? row("X", "M", p.m, p.x) : row("X", "K", p.k, p.x),
          p.layout.w_is_transposed ? row("W", "K", p.k, p.w) : row("W", "N", p.n, p.w),
          row("output", "N", p.n, p.output)};
}

}  // namespace ridge::cost
