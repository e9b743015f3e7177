#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/tuning.h"

namespace ridge::cost {

namespace {

class Adviser {
 public:
  Adviser(Estimate& estimate, const MatmulProblem& problem, const MatmulMachine& machine,
          const Sheet& sheet)
      : estimate_(estimate), problem_(problem), machine_(machine), sheet_(sheet) {
    now_ = best_seconds(problem, machine);
  }

  // One size at a time, and the best of several together: where two are odd, each alone leaves
  // rows that cannot be copied in bulk and gains nothing.
  void pad() {
    const std::vector<Padding> all = paddings();
    Advice best_of_several;
    double best_of_one = 0;
    for (unsigned set = 1; set < 1u << all.size(); ++set) {
      MatmulProblem padded = problem_;
      std::vector<std::string> changes;
      for (size_t i = 0; i < all.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        padded.*all[i].size = all[i].to;
        changes.push_back(concat(all[i].dimension, " from ", whole_text(problem_.*all[i].size),
                                 " to ", whole_text(all[i].to)));
      }
      const Advice one{concat("pad ", join(changes, " and ")),
                       now_ - best_seconds(padded, machine_)};
      if (changes.size() == 1) {
        add(one.change, one.gain_s);
        best_of_one = std::max(best_of_one, one.gain_s);
      } else if (one.gain_s > best_of_several.gain_s) {
        best_of_several = one;
      }
    }
    const bool is_worth_it = best_of_several.gain_s > best_of_one + now_ / 1000;
    if (is_worth_it) add(best_of_several.change, best_of_several.gain_s);
  }

  void retile() {
    if (!estimate_.tiling || estimate_.tiling->is_chosen) return;
    const auto chosen = tile_matmul(problem_, machine_, std::nullopt);
    if (chosen && !(chosen->tile == estimate_.tiling->tile)) {
      add(concat("tile ", to_text(chosen->tile), " instead of ", to_text(estimate_.tiling->tile)),
          now_ - chosen->predicted_s);
    }
  }

  // Units that idle in the last wave take parts of K; partial sums go through memory in f32.
  void split_k() {
    if (!estimate_.tiling || !machine_.units) return;
    const Tiling& tiling = *estimate_.tiling;
    Advice best;
    for (const double parts : {2, 3, 4, 6, 8, 12, 16}) {
      if (problem_.k / parts < tuning::kLeastSplitLength) break;
      const double slots = waves_for(tiling.tiles * parts, *machine_.units) * *machine_.units;
      const double math = 2 * slots * tiling.tile.area() * std::ceil(problem_.k / parts) /
                          machine_.reached.per_second / alignment_share(problem_, machine_);
      const double sums = 4 * parts * problem_.batch * problem_.m * problem_.n;
      MatmulWork work = matmul_work(problem_, machine_, tiling.tile);
      work.units_s = std::max(math, l2_seconds(problem_, machine_, tiling.tile));
      work.read += sums;
      work.written += sums;
      const double gain = now_ - predicted_seconds(work, machine_);
      if (gain > best.gain_s) best = {concat("split K in ", parts, ", sums in f32"), gain};
    }
    if (best.gain_s > 0) estimate_.advice.push_back(best);
  }

  void narrow() {
    if (problem_.w.bytes > 1) {
      MatmulProblem narrow = problem_;
      narrow.w = find_element_type("i8");
      add("weights in i8", now_ - best_seconds(narrow, machine_));
    }
    for (const std::string_view type : {"f8", "i8"}) {
      const auto rate = sheet_.value(concat("matrix.", type));
      if (!rate || *rate <= machine_.math.per_second) continue;
      MatmulProblem narrow = problem_;
      narrow.x = narrow.w = find_element_type(type);
      const MatmulMachine machine = with_math(machine_, {*rate, concat("matrix.", type)});
      add(concat("multiply in ", type), now_ - best_seconds(narrow, machine));
    }
    const auto tf32 = sheet_.value("matrix.tf32");
    if (problem_.x.name == "f32" && tf32) {
      const MatmulMachine machine = with_math(machine_, {*tf32, "matrix.tf32"});
      add("multiply in tf32", now_ - best_seconds(problem_, machine));
    }
  }

  // The same rows in batches that no longer wait for the weights.
  void raise_batch() {
    if (estimate_.regime != Regime::memory || !estimate_.crossover_batch) return;
    const double batch = std::ceil(*estimate_.crossover_batch);
    if (batch <= problem_.m || problem_.batch != 1) return;
    MatmulProblem large = problem_;
    large.m = batch;
    const double rows = batch / problem_.m;
    const Part part = matmul_part("", large, machine_.math, machine_.memory);
    add(concat("batch ", whole_text(batch), " instead of ", whole_text(problem_.m),
               " (for these rows)"),
        estimate_.lower_s - part.lower_s() / rows);
  }

 private:
  void add(std::string change, double gain) {
    if (gain > 0) estimate_.advice.push_back({std::move(change), gain});
  }

  double padding_line() const { return std::max(machine_.line, tuning::kLineBytes); }

  struct Padding {
    std::string_view dimension;
    double MatmulProblem::* size;
    double to = 0;
  };

  // Sizes that make rows of broken lines. A size may make rows of several tensors; whole lines of
  // the narrowest elements, which need the most of them, are whole lines of all.
  std::vector<Padding> paddings() const {
    std::vector<Padding> found;
    for (Padding padding : {Padding{"N", &MatmulProblem::n}, Padding{"K", &MatmulProblem::k},
                            Padding{"M", &MatmulProblem::m}}) {
      const double size = problem_.*padding.size;
      for (const Alignment& row : alignments_of(problem_, padding_line())) {
        if (row.dimension != padding.dimension || row.aligned_to >= row.line) continue;
        const double whole = pad_to_lines(size, row.row_bytes / size, padding_line());
        padding.to = std::max(padding.to, whole);
      }
      if (padding.to > size) found.push_back(padding);
    }
    return found;
  }

  double best_seconds(const MatmulProblem& problem, const MatmulMachine& machine) const {
    std::optional<Tile> given;
    if (estimate_.tiling && !estimate_.tiling->is_chosen) given = estimate_.tiling->tile;
    if (const auto tiling = tile_matmul(problem, machine, given)) return tiling->predicted_s;
    return matmul_part("", problem, machine.math, machine.memory).lower_s();
  }

  Estimate& estimate_;
  const MatmulProblem& problem_;
  const MatmulMachine& machine_;
  const Sheet& sheet_;
  double now_ = 0;
};

}  // namespace

void advise_matmul(Estimate& estimate, const MatmulProblem& problem, const MatmulMachine& machine,
                   const Sheet& sheet) {
  Adviser adviser(estimate, problem, machine, sheet);
  adviser.pad();
  adviser.retile();
  adviser.split_k();
  adviser.narrow();
  adviser.raise_batch();
  advise_launches(estimate, sheet);
}

void advise_launches(Estimate& estimate, const Sheet& sheet) {
  if (estimate.regime != Regime::overhead) return;
  const auto gap = sheet.value("launch.gap");
  if (gap) {
    estimate.advice.push_back(
        {"launch from a graph", *estimate.launch_s - *gap * launches_of(estimate)});
  }
  estimate.advice.push_back({"fuse into a neighboring kernel", *estimate.launch_s});
}

}  // namespace ridge::cost
