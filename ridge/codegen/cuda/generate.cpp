#include "ridge/codegen/cuda/generate.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/batched.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/function.h"
#include "ridge/codegen/cuda/packed_rows.h"
#include "ridge/codegen/cuda/prelude.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/codegen/cuda/stream.h"
#include "ridge/codegen/cuda/vector_part.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/device_limits.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen {
namespace cuda {

constexpr int64_t kStaticShared = 48 * 1024;  // what a kernel may declare
constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;
constexpr int64_t kAligned = 16;
constexpr int64_t kRegisters = loop::kCudaLimits.registers_per_sm;
constexpr int64_t kMostBlocksTogether = 16;
constexpr int64_t kOwnRegisters = 48;       // that a thread computes with, beside rows it holds
constexpr int64_t kRegistersOfArray = 8;    // more for each further row
constexpr int64_t kWalkingRegisters = 128;  // of a thread that keeps values from row to row
constexpr int64_t kShortRowThreads = 64;    // at most, of a row that ends in most of its warps
constexpr int kStreamingThreads = 1024;  // of a unit, that ask for enough if each has several loads

Emission::Emission(const loop::Kernel& kernel_, const CudaTarget& target_)
    : kernel(kernel_), target(target_), facts(kernel_, target_), symbol(names.add(kernel_.name)) {
  for (int i = 0; i < kernel.axis_count; ++i) axes.push_back(names.add(concat("i", i)));
  for (const std::string& size : kernel.sizes) sizes.push_back(names.add(size));
  for (const loop::Buffer& buffer : kernel.buffers) {
    buffers.push_back(names.add(buffer.name));
    use_element(*this, buffer.dtype);
    may_overlap |= buffer.space == loop::Space::global && buffer.access == loop::Access::in_out;
  }
  if (target.are_distinct) may_overlap = false;
  // What the kernel before writes while this one waits is not constant for as long as this one runs, as
  // loads past the coherent cache, which `__restrict__` allows, want it.
  if (target.overlaps_previous) may_overlap = true;
  values.resize(kernel.values.size());
  value_types.resize(kernel.values.size(), CppType::f32);
  axis_types.resize(static_cast<size_t>(kernel.axis_count), CppType::int32);
  is_packed = packed_buffers(kernel);
  is_steady = steady_buffers(kernel);
  squared = squared_values(kernel);
  angled = angled_values(kernel);
  is_rounded_later = rounded_by_stores(kernel);
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const across = as<loop::CollectiveReduce>(statement);
    if (across == nullptr) return;
    const bool is_lane = across->scope == loop::Scope::warp;
    has_short_rows |= is_lane || (across->threads > 0 && across->threads <= kShortRowThreads);
  });
}

namespace {

class KernelWriter {
 public:
  KernelWriter(const loop::Kernel& kernel, const CudaTarget& target,
               const TensorStep* tensor_step = nullptr)
      : emission_(kernel, target),
        kernel_(kernel),
        target_(target),
        stream_(stream_plan(kernel, target)) {
    emission_.tensor_step = tensor_step;
    emission_.stream = stream_ ? &*stream_ : nullptr;
  }

  CudaKernel write() {
    CudaKernel result;
    result.symbol = emission_.symbol;
    result.threads = static_cast<int>(*loop::block_threads(kernel_)) + (stream_ ? kWarp : 0);
    result.cluster = static_cast<int>(loop::cluster_blocks(kernel_));
    result.size_bits = target_.fits_32_bits ? 32 : 64;
    result.batch = target_.batch;
    if (target_.batch.entries > 0) entries_.emplace(emission_, result.size_bits);
    const loop::Body& program = write_axes(result);
    write_own_buffers(result);
    const std::string head = std::exchange(emission_.out, TextWriter()).str();
    {
      const auto indent = emission_.out.indent();
      stream_ ? write_streaming(emission_, program) : write_body(emission_, program);
    }
    for (const std::string& exchange : emission_.exchanges) declared_.line(exchange);
    // First lets the next kernel start, which waits in turn, then waits for the one before. Clusters leave
    // some units to it.
    if (target_.overlaps_previous || stream_) {
      emission_.use("other_kernels");
      declared_.line("ridge::start_next_kernel();");
    }
    if (target_.overlaps_previous) declared_.line("ridge::await_previous_kernel();");
    if (emission_.meeting_count > 0) write_meetings();
    if (emission_.has_met_cluster) declared_.line("ridge::cluster_arrive();");
    if (emission_.has_met_cluster && !emission_.arrives_at_start) {
      declared_.line("ridge::cluster_wait();");
    }
    result.static_shared_bytes += emission_.exchange_bytes;
    result.sets_status = emission_.sets_status;
    if (result.sets_status) declared_.line("int wrong = 0;");
    const std::string_view tail =
        result.sets_status ? "  if (wrong != 0) ridge::set_status(status, wrong);\n" : "";
    const std::string table = entries_ ? entries_->type() + "\n" : "";
    result.source = concat(comment(), prelude_text(emission_.used), "\n", table, signature(result),
                           head, indented(declared_.str()), emission_.out.str(), tail, "}\n");
    return result;
  }

 private:
  // Before any block may tell another something.
  void write_meetings() {
    const int64_t blocks = loop::cluster_blocks(kernel_), count = emission_.meeting_count;
    const std::string& name = emission_.meetings_name;
    declared_.line("__shared__ __align__(16) ridge::Meeting<", blocks, "> ", name, "[", count,
                   "];");
    declared_.line("ridge::start_meetings(", name, ", ", count, ");");
    emission_.exchange_bytes += count * (16 + 8 * blocks);
  }

  std::string comment() const {
    TextWriter text;
    text.line("// ", kernel_.name);
    for (const std::string& note : kernel_.notes) text.line(note.empty() ? "//" : "// " + note);
    for (const std::string& note : target_.notes) text.line(note.empty() ? "//" : "// " + note);
    return text.str();
  }

  std::string signature(const CudaKernel& result) const {
    std::vector<std::string> arguments;
    const std::string_view restricted = emission_.may_overlap ? "* " : "* __restrict__ ";
    if (entries_) arguments.push_back(entries_->argument());
    for (size_t i = 0; i < kernel_.argument_count(); ++i) {
      if (entries_ && !target_.batch.is_common[i]) continue;
      const loop::Buffer& buffer = kernel_.buffers[i];
      const std::string_view constant = buffer.access == loop::Access::in ? "const " : "";
      arguments.push_back(
          concat(constant, element_type(buffer.dtype), restricted, emission_.buffers[i]));
    }
    const std::string_view size = result.size_bits == 32 ? "int " : "long long ";
    if (!entries_) {
      for (const std::string& name : emission_.sizes) arguments.push_back(concat(size, name));
    }
    if (result.sets_status) arguments.push_back("int* status");
    const std::string cluster =
        result.cluster == 1 ? "" : concat(" __cluster_dims__(", result.cluster, ", 1, 1)");
    const int together = blocks_together(result.threads);
    const std::string bounds =
        together == 0 ? concat(result.threads) : concat(result.threads, ", ", together);
    return concat("extern \"C\" __global__ void __launch_bounds__(", bounds, ")", cluster, "\n",
                  result.symbol, "(\n    ", join(arguments, ",\n    "), ") {\n");
  }

  // Where registers hold rows, compilers take all there are to overlap arithmetic; what hides the way
  // to memory is blocks, as many as fit with what a thread holds and computes with. Tiles of products,
  // which come by way of shared memory, are left alone.
  int blocks_together(int threads) const {
    if (stream_) return stream_->on_a_unit;
    // On each unit: registers are all its own.
    if (stages() && !fills_in_rounds()) return 1;
    int64_t held = 0, arrays = 0;
    if (keeps_over_rounds()) return static_cast<int>(kRegisters / (kWalkingRegisters * threads));
    for (const loop::Buffer& buffer : kernel_.buffers) {
      if (buffer.space == loop::Space::shared) return 0;
      if (buffer.space != loop::Space::local) continue;
      held += (bytes_for(buffer.dtype, buffer.elements->integer) + 3) / 4;
      ++arrays;
    }
    if (arrays == 0) return can_stream(threads) ? kStreamingThreads / threads : 0;
    const int64_t each = held + kOwnRegisters + kRegistersOfArray * (arrays - 1);
    return static_cast<int>(std::min<int64_t>(kMostBlocksTogether, kRegisters / (each * threads)));
  }

  // Large blocks that do little but read: for 2048 threads on a unit the compiler takes 32 registers, and
  // waits for two loads before it asks for the next ones; half of the threads with four each ask for more.
  bool can_stream(int threads) const { return target_.streams && 2 * threads >= kStreamingThreads; }
  bool stages() const {
    bool found = false;
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      found |= std::holds_alternative<loop::Stage>(statement.kind);
    });
    return found;
  }
  // Do threads hold values in registers while they go round after round, combining others in each? The
  // blocks of such a grid are meant to run all at a time.
  bool keeps_over_rounds() const {
    bool holds = false;
    for (const loop::Statement& statement : thread_body()) {
      const auto* const loop = std::get_if<loop::Loop>(&statement.kind);
      if (loop == nullptr) continue;
      if (is_round(*loop) && holds) return true;
      holds |= fills_registers(*loop);
    }
    return false;
  }
  // Do they change them in each round? Rows that are computed where they lie in shared memory leave
  // registers as they are.
  bool fills_in_rounds() const {
    return std::ranges::any_of(thread_body(), [&](const loop::Statement& statement) {
      const auto* const loop = std::get_if<loop::Loop>(&statement.kind);
      return loop != nullptr && is_round(*loop) && fills_registers(*loop);
    });
  }
  const loop::Body& thread_body() const {
    const loop::Body* body = &kernel_.body;
    for (size_t i = loop::parallel_loops(kernel_).size(); i > 0; --i) {
      body = &std::get<loop::Loop>(body->front().kind).body;
    }
    return *body;
  }
  static bool is_round(const loop::Loop& loop) {
    return std::ranges::any_of(loop.body, [](const loop::Statement& inner) {
      return std::holds_alternative<loop::CollectiveReduce>(inner.kind);
    });
  }
  bool fills_registers(const loop::Loop& loop) const {
    bool found = false;
    for_each_statement(loop.body, [&](const loop::Statement& inner) {
      const auto* const store = std::get_if<loop::Store>(&inner.kind);
      found |= store != nullptr && emission_.buffer(store->buffer).space == loop::Space::local;
    });
    return found;
  }

  static std::string indented(const std::string& lines) {
    TextWriter text;
    const auto indent = text.indent();
    if (!lines.empty()) text.line(lines.substr(0, lines.size() - 1));
    return text.str();
  }

  // Grid and block are one-dimensional; their loops are row-major in them, the last one fastest.
  const loop::Body& write_axes(CudaKernel& result) {
    std::vector<const loop::Loop*> grid, block;
    const loop::Body* body = &kernel_.body;
    while (body->size() == 1) {
      const auto* const loop = std::get_if<loop::Loop>(&body->front().kind);
      if (loop == nullptr || !loop::is_parallel(loop->place)) break;
      const bool is_block = loop->place == loop::Place::grid || loop->place == loop::Place::cluster;
      (is_block ? grid : block).push_back(loop);
      body = &loop->body;
    }
    result.blocks = Expr(1);
    for (const loop::Loop* loop : grid) result.blocks = result.blocks * loop->extent;
    result.blocks = expr::simplify(result.blocks);
    const auto indent = emission_.out.indent();
    write_axes(grid, entries_ ? entries_->write() : "blockIdx.x", kMostBlocks);
    write_axes(block, "threadIdx.x", result.threads);
    return *body;
  }
  void write_axes(const std::vector<const loop::Loop*>& loops, const std::string& number,
                  int64_t most) {
    for (const loop::Loop* loop : loops) emission_.facts.set_axis(loop->axis, loop->extent, most);
    std::string rest = number;
    for (size_t i = loops.size(); i-- > 0;) {
      const bool is_last = i == 0;
      const std::string divided = is_last ? "" : divisor_text(loops[i]->extent);
      if (is_mentioned(loops[i]->axis)) {
        const std::string& axis = emission_.axes[static_cast<size_t>(loops[i]->axis)];
        const std::string part = is_last ? rest : concat(rest, " % ", divided);
        emission_.out.line("const int ", axis, " = int(", part, ");");
      }
      rest = concat(rest, " / ", divided);
    }
  }
  std::string divisor_text(const Expr& extent) {
    if (expr::is_constant(extent)) return concat(extent->integer, "u");
    return concat("unsigned(", write_index(emission_, extent), ")");
  }
  bool is_mentioned(int axis) const {
    bool found = false;
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      for_each_expression(statement, [&](const Expr& e) {
        expr::walk(e, [&](const Expr& node) {
          found |= node->kind == expr::Kind::axis && node->index == axis;
        });
      });
    });
    return found;
  }

  int64_t bytes_of(const loop::Buffer& buffer) const {
    const auto bytes = static_cast<int64_t>(bytes_for(buffer.dtype, buffer.elements->integer));
    return (bytes + kAligned - 1) / kAligned * kAligned;
  }

  // Rows of a stream share theirs.
  bool has_own_room(size_t buffer) const {
    return kernel_.buffers[buffer].space == loop::Space::shared &&
           !(stream_ && stream_->holds(static_cast<int>(buffer)));
  }

  void write_own_buffers(CudaKernel& result) {
    int64_t shared = stream_ ? stream_->bytes() : 0;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      if (has_own_room(i)) shared += bytes_of(kernel_.buffers[i]);
    }
    const bool is_dynamic = stream_ || shared > kStaticShared;
    (is_dynamic ? result.dynamic_shared_bytes : result.static_shared_bytes) = shared;
    std::string& arena = emission_.arena;
    if (is_dynamic) {
      arena = emission_.names.add("shared_bytes");
      declared_.line("extern __shared__ __align__(", stream_ ? kStreamLine : kAligned,
                     ") unsigned char ", arena, "[];");
    }
    if (stream_) {
      declared_.line("__shared__ ", stream_->shared_type(), " stream_shared;");
      result.static_shared_bytes = stream_->own_bytes();
    }
    int64_t offset = stream_ ? stream_->bytes() : 0;
    for (size_t i = kernel_.argument_count(); i < kernel_.buffers.size(); ++i) {
      const loop::Buffer& buffer = kernel_.buffers[i];
      const std::string_view type = element_type(buffer.dtype);
      const std::string array = concat(emission_.buffers[i], "[", buffer.elements->integer, "];");
      if (buffer.space == loop::Space::shared && !has_own_room(i)) continue;
      if (emission_.is_packed[i]) {
        declared_.line("unsigned ", emission_.buffers[i], "[", buffer.elements->integer / 2, "];");
      } else if (buffer.space == loop::Space::local) {
        declared_.line(type, " ", array);
      } else if (!is_dynamic) {
        declared_.line("__shared__ __align__(16) ", type, " ", array);
      } else {
        declared_.line(type, "* const ", emission_.buffers[i], " = reinterpret_cast<", type, "*>(",
                       arena, " + ", offset, ");");
        offset += bytes_of(buffer);
      }
    }
  }

  Emission emission_;
  const loop::Kernel& kernel_;
  const CudaTarget& target_;
  std::optional<StreamPlan> stream_;
  TextWriter declared_;
  std::optional<EntryWriter> entries_;  // of a batch
};

}  // namespace
}  // namespace cuda

Decision can_generate(const loop::Kernel& kernel, const CudaTarget& target) {
  constexpr int64_t kMostThreads = 1024;
  if (!loop::is_gpu_kernel(kernel)) return Decision::no("its loops are not placed on a GPU");
  if (loop::cluster_blocks(kernel) > 1 && target.arch < 90) {
    return Decision::no("clusters of blocks need compute capability 9.0");
  }
  if (target.arch < 80) return Decision::no("the device is older than compute capability 8.0");
  for (const loop::Buffer& buffer : kernel.buffers) {
    if (!is_storage_only(buffer.dtype)) continue;
    return Decision::no(
        concat("elements of buffer ", buffer.name, " are storage-only: ", name(buffer.dtype)));
  }
  if (target.batch.entries > 0 && loop::cluster_blocks(kernel) > 1) {
    return Decision::no("clusters of blocks would span entries of a batch");
  }
  const std::optional<int64_t> threads = loop::block_threads(kernel);
  if (!threads) return Decision::no("the number of threads in a block is not a constant");
  if (*threads < 1 || *threads > kMostThreads) {
    return Decision::no(concat("a block of ", *threads, " threads"));
  }
  return Decision::yes("loops, types and places are those of a GPU");
}

CudaKernel generate(const loop::Kernel& kernel, const CudaTarget& target) {
  const Decision can = can_generate(kernel, target);
  RIDGE_INTERNAL_CHECK(can.verdict, concat(kernel.name, ": ", can.reason));
  // Threads of a product are arranged here; all other kernels come with theirs.
  const std::optional<cuda::TiledContract> tiled = cuda::in_tiles(kernel, target);
  if (!tiled) return cuda::KernelWriter(kernel, target).write();
  const auto& tensor_step = tiled->tensor_step;
  return cuda::KernelWriter(tiled->kernel, target, tensor_step ? &*tensor_step : nullptr).write();
}

}  // namespace ridge::codegen
