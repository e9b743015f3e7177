// The state of writing one kernel, and the parts that write it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/contract.h"
#include "ridge/codegen/cuda/row_pipeline.h"
#include "ridge/codegen/cuda/value_ranges.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {

// Identifiers of the generated text: readable, unique, and no words of C++ or of our own functions.
//
//   buffer "x.1"  ->  x_1        value 3 "softmax"  ->  softmax        value 4 ""  ->  v4

class Names {
 public:
  Names();

  // The identifier nearest to `wanted` that was not given out before.
  std::string add(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

// Letters, digits and underscores; others become underscores.
std::string as_identifier(std::string_view text);

inline constexpr int kWarp = loop::kWarpSize;
inline constexpr int64_t kWideBytes =
    loop::kCudaLimits.vector_bytes;  // of one access or copy, at most
inline constexpr int64_t kLineBytes = loop::kCudaLimits.line_bytes;

// Of C++ registers: values that are known to fit are computed in 32 bits.
enum class CppType : uint8_t { boolean, int32, int64, f32, f64 };

std::string_view name(CppType type);
constexpr bool is_real(CppType type) { return type == CppType::f32 || type == CppType::f64; }
// The register type of a value, and of an element once it is loaded.
CppType register_type(DType dtype);
// `float`, `ridge::bf16`, ...: how an element lies in memory.
std::string_view element_type(DType dtype);

// A piece of C++ and how tightly it binds: 0 is a name or call, higher ones need parentheses.
struct Operand {
  std::string text;
  CppType type;
  int level = 0;
};

// A vectorized load, written in front of the loop over the lanes.
struct WideLoad {
  Expr load;
  std::string lanes;  // an array with one element for each lane
};

// The vector loop being written.
struct Region {
  int axis;
  int lanes;
  std::set<int> lane_values;         // defined in it, one for each lane
  std::vector<int> reads;            // how often the loop mentions each value
  std::vector<WideLoad> wide_loads;  // of the statements being written
  std::set<int> single;              // vars that each lane reduces into exactly once
};

struct TileEmission;  // tiles_emission.h

struct Emission {
  Emission(const loop::Kernel& kernel, const CudaTarget& target);

  void use(std::string_view helper) { used.emplace(helper); }
  const loop::Buffer& buffer(int number) const {
    return kernel.buffers[static_cast<size_t>(number)];
  }
  DType dtype_of(int value) const { return kernel.values[static_cast<size_t>(value)].dtype; }
  std::string& text_of(int value) { return values[static_cast<size_t>(value)]; }

  const loop::Kernel& kernel;
  const CudaTarget& target;
  ValueRanges ranges;
  Names names;
  std::string symbol;  // of the kernel
  TextWriter out;
  std::vector<std::string> buffers, sizes, values, axes;  // as text
  std::vector<CppType> value_types, axis_types;
  std::vector<bool> is_packed;                      // by buffer: packed_rows.h
  std::vector<bool> is_row_invariant;               // by buffer: packed_rows.h
  std::vector<bool> is_rounded_later;               // by value: vector_part.h
  std::set<std::string> used;                       // device helpers
  std::vector<std::string> reduction_declarations;  // shared memory of block and cluster reductions
  int64_t partials_bytes = 0;
  std::string cluster_exchanges_name;  // the array of cluster reductions in loops, and their number
  int cluster_exchange_count = 0;
  bool may_overlap = false;     // some buffers are in_out
  bool has_short_rows = false;  // of one or two warps each
  bool sets_status = false;
  bool has_cluster_reduction = false;  // one was written before
  bool arrives_at_start = false;      // at the barrier of the cluster, and waits where first needed
  std::map<int, bool> sincos_values;  // their sine and cosine are both taken: scalar_function.h
  std::map<int, std::string> angles;  // their reduced arguments, once they are defined
  std::set<int> sign_free_values;     // values whose sign does not matter: scalar_function.h
  const expr::Node* sign_free_call = nullptr;  // that gives such a value, while it is written
  std::set<int> small_angles;  // those that were looked at, and need no more than that
  FunctionForms forms{};       // of the statement being written
  Region* region = nullptr;
  const TensorStep* tensor_step = nullptr;  // the loop that tensor cores do, if there is one
  const PipelinePlan* pipeline = nullptr;   // the warp-specialized pipeline, if there is one
  TileEmission* tiles = nullptr;            // of a kernel over mapped tiles
  std::string arena;                        // shared memory whose size is given with the launch
  int loop_depth = 0;                       // serial loops around
  int branch_depth = 0;                     // conditions around
  // Barriers of the block in each iteration of the innermost serial loop, and those of them that are barriers of
  // the cluster; 0 under a condition in it.
  struct Barriers {
    int of_block = 0, of_cluster = 0;
  } barriers{};
};

// Writes what must come before, and gives the expression. Reals in `arithmetic`.
Operand write_expression(Emission& emission, const Expr& e, DType arithmetic);
// The same, converted.
std::string write_as(Emission& emission, const Expr& e, DType arithmetic, CppType type);
Operand converted(Emission& emission, Operand operand, CppType type);
std::string parenthesized(const Operand& operand, int level);

void write_body(Emission& emission, const loop::Body& body);
void write_statement(Emission& emission, const loop::Statement& statement);
void write_vector_loop(Emission& emission, const loop::Loop& loop);
// In a vector loop `condition` says which lanes take part; null: all do.
void write_async_copy(Emission& emission, const loop::AsyncCopy& copy, const Expr& condition);
void write_tensor_step(Emission& emission, const TensorStep& step);
void write_reductions(Emission& emission, const std::vector<loop::CollectiveReduce>& statements);

// What is stored in an element of this dtype: v0, ridge::bf16(v0), ...
std::string narrowed(Emission& emission, const Operand& value, DType dtype);
// Elements `index` of a buffer, as a place to store into and as a pointer.
std::string write_index(Emission& emission, const Expr& index);

// a op= b, as a statement, and the function object that combines.
std::string combine_text(Emission& emission, loop::Combine combine, const std::string& into,
                         const std::string& operand, CppType type);
std::string combiner(Emission& emission, loop::Combine combine, CppType type);
std::string identity_text(Emission& emission, loop::Combine combine, CppType type);
std::string literal(Emission& emission, double value, CppType type);

// Whether it is the same in all lanes of the vector loop around.
bool is_uniform(const Emission& emission, const Expr& e);
// The stride of an index along the vector loop: 1 is contiguous; nothing if not linear.
std::optional<int64_t> lane_stride(Emission& emission, const Expr& index);
// The index in the first lane.
Expr at_first_lane(const Emission& emission, const Expr& index);
// Bytes of each vectorized access to a contiguous run, 0 if it is misaligned.
int wide_bytes(Emission& emission, int buffer, const Expr& index);

// Parts of statements, and traversals of them.

// `for (...) {` with what is known about its axis, and `}`.
void open_loop(Emission& emission, const loop::Loop& loop);
void close_loop(Emission& emission);
std::string condition_text(Emission& emission, const Expr& condition);
// What the graph calls it, or v3.
std::string value_name(const Emission& emission, int value);
void use_element(Emission& emission, DType dtype);

using loop::as;
using loop::for_each_expression;
using loop::for_each_statement;

}  // namespace ridge::codegen::cuda
