// The product of two tiles by tensor cores, with ldmatrix and mma of kernels/cuda/tile.cuh. ldmatrix transposes where a
// tile lies the other way in shared memory.
#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {
namespace {

class TensorStepWriter {
 public:
  TensorStepWriter(Emission& emission, const TensorStep& step)
      : emission_(emission), out_(emission.out), step_(step) {}

  void write() {
    emission_.use("load_matrices");
    emission_.use(step_.dtype == bf16 ? "multiply_bf16" : "multiply_f16");
    const std::string& thread = emission_.axes[static_cast<size_t>(step_.thread)];
    const int64_t warps_across = step_.rhs.side / step_.columns;
    out_.line("const int ", lane_, " = ", thread, " % 32;");
    out_.line("const int ", row_, " = ", thread, " / ", 32 * warps_across, " * ", step_.rows, ";");
    out_.line("const int ", column_, " = ", thread, " / 32 % ", warps_across, " * ", step_.columns,
              ";");
    open(k_, step_.depth, 16);
    {
      const auto indent = out_.indent();
      load_lhs();
      load_rhs();
      multiply();
    }
    out_.line("}");
  }

 private:
  std::string add(std::string_view name) { return emission_.names.add(name); }
  void open(const std::string& axis, int64_t end, int64_t by) {
    out_.line("#pragma unroll");
    out_.line("for (int ", axis, " = 0; ", axis, " < ", end, "; ", axis, " += ", by, ") {");
  }
  std::string line(const SharedTile& tile, const std::string& position, const std::string& k) {
    const std::string& name = emission_.buffers[static_cast<size_t>(tile.buffer)];
    const std::string index = tile.is_along_k
                                  ? concat("(", position, ") * ", tile.leading, " + ", k)
                                  : concat("(", k, ") * ", tile.leading, " + ", position);
    return concat("&", name, "[", index, "]");
  }

  // Matrices of a piece: upper and lower rows of the first 8 of k, then of the others.
  void load_lhs() {
    out_.line("unsigned ", a_, "[", step_.rows / 16, "][4];");
    open(i_, step_.rows / 16, 1);
    {
      const auto indent = out_.indent();
      const bool is_direct = step_.lhs.is_along_k;
      const std::string within = is_direct ? concat(lane_, " % 16") : concat(lane_, " / 8 % 2 * 8");
      const std::string along =
          is_direct ? concat(lane_, " / 16 * 8") : concat(lane_, " / 16 * 8 + ", lane_, " % 8");
      out_.line(
          is_direct ? "ridge::load_matrices(" : "ridge::load_transposed(", a_, "[", i_, "], ",
          line(step_.lhs, concat(row_, " + 16 * ", i_, " + ", within), concat(k_, " + ", along)),
          ");");
    }
    out_.line("}");
  }

  // The first and the last 8 of k for 8 columns; where there are 16 or more, for two times 8.
  void load_rhs() {
    const int64_t pieces = step_.columns / 8, at_once = pieces == 1 ? 1 : 2;
    out_.line("unsigned ", b_, "[", pieces / at_once, "][", 2 * at_once, "];");
    open(j_, pieces / at_once, 1);
    {
      const auto indent = out_.indent();
      const bool is_direct = step_.rhs.is_along_k;
      std::string within, along;
      if (is_direct) {
        within = concat(lane_, " % 8");
        if (at_once == 2) within = concat(lane_, " / 16 * 8 + ", within);
        along = concat(lane_, " / 8 % 2 * 8");
      } else {
        within = at_once == 2 ? concat(lane_, " / 16 * 8") : "0";
        along = concat(lane_, " % 16");
      }
      out_.line(is_direct ? "ridge::load_matrices(" : "ridge::load_transposed(", b_, "[", j_, "], ",
                line(step_.rhs, concat(column_, " + ", 8 * at_once, " * ", j_, " + ", within),
                     concat(k_, " + ", along)),
                ");");
    }
    out_.line("}");
  }

  void multiply() {
    const int64_t pieces = step_.columns / 8;
    const int64_t line = 2 * pieces;  // of the sums
    const std::string& sums = emission_.buffers[static_cast<size_t>(step_.sums)];
    const std::string function = step_.dtype == bf16 ? "multiply_bf16" : "multiply_f16";
    const std::string b = pieces == 1 ? concat(b_, "[0][0], ", b_, "[0][1]")
                                      : concat(b_, "[", j_, " / 2][", j_, " % 2 * 2], ", b_, "[",
                                               j_, " / 2][", j_, " % 2 * 2 + 1]");
    open(i_, step_.rows / 16, 1);
    {
      const auto in_rows = out_.indent();
      open(j_, pieces, 1);
      {
        const auto in_columns = out_.indent();
        out_.line("ridge::", function, "(&", sums, "[", 2 * line, " * ", i_, " + 2 * ", j_, "], &",
                  sums, "[", 2 * line, " * ", i_, " + ", line, " + 2 * ", j_, "], ", a_, "[", i_,
                  "], ", b, ");");
      }
      out_.line("}");
    }
    out_.line("}");
  }

  Emission& emission_;
  TextWriter& out_;
  const TensorStep& step_;
  const std::string lane_ = add("lane"), row_ = add("warp_row"), column_ = add("warp_column");
  const std::string k_ = add("k"), i_ = add("i"), j_ = add("j"), a_ = add("a"), b_ = add("b");
};

}  // namespace

void write_tensor_step(Emission& emission, const TensorStep& step) {
  TensorStepWriter(emission, step).write();
}

}  // namespace ridge::codegen::cuda
