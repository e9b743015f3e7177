#include "ridge/codegen/cuda/generate.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/batched.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/packed_rows.h"
#include "ridge/codegen/cuda/prelude.h"
#include "ridge/codegen/cuda/row_pipeline.h"
#include "ridge/codegen/cuda/scalar_function.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/codegen/cuda/vector_part.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/mapping_rules.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen {
namespace cuda {

constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;
constexpr int64_t kMostMinBlocks = 16;    // per SM, that are asked for: a guess
constexpr int64_t kRegistersOfArray = 8;  // more for each further row
constexpr int64_t kShortRowThreads = 64;  // at most, of a row that ends in most of its warps

Emission::Emission(const loop::Kernel& kernel_, const CudaTarget& target_)
    : kernel(kernel_), target(target_), ranges(kernel_, target_), symbol(names.add(kernel_.name)) {
  for (int i = 0; i < kernel.axis_count; ++i) axes.push_back(names.add(concat("i", i)));
  for (const std::string& size : kernel.sizes) sizes.push_back(names.add(size));
  for (const loop::Buffer& buffer : kernel.buffers) {
    buffers.push_back(names.add(buffer.name));
    use_element(*this, buffer.dtype);
    may_overlap |= buffer.space == loop::Space::global && buffer.access == loop::Access::in_out;
  }
  if (target.are_distinct) may_overlap = false;
  // The previous kernel may still write while this one runs. `__restrict__` would allow non-coherent loads, which
  // need memory that does not change.
  if (target.dependent_launch) may_overlap = true;
  values.resize(kernel.values.size());
  value_types.resize(kernel.values.size(), CppType::f32);
  axis_types.resize(static_cast<size_t>(kernel.axis_count), CppType::int32);
  is_packed = packed_buffers(kernel);
  is_row_invariant = row_invariant_buffers(kernel);
  sign_free_values = sign_free_values_of(kernel);
  sincos_values = values_with_sincos(kernel);
  is_rounded_later = rounded_by_stores(kernel);
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const collective = as<loop::CollectiveReduce>(statement);
    if (collective == nullptr) return;
    const bool is_lane = collective->scope == loop::Scope::warp;
    has_short_rows |=
        is_lane || (collective->threads > 0 && collective->threads <= kShortRowThreads);
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
        pipeline_(pipeline_plan(kernel, target)) {
    emission_.tensor_step = tensor_step;
    emission_.pipeline = pipeline_ ? &*pipeline_ : nullptr;
  }

  CudaKernel write() {
    CudaKernel result;
    result.symbol = emission_.symbol;
    result.threads = static_cast<int>(*loop::block_threads(kernel_)) + (pipeline_ ? kWarp : 0);
    result.cluster = static_cast<int>(loop::cluster_blocks(kernel_));
    result.size_bits = target_.fits_32_bits ? 32 : 64;
    result.batch = target_.batch;
    if (target_.batch.entries > 0) entries_.emplace(emission_, result.size_bits);
    const loop::Body& program = write_axes(result);
    write_own_buffers(result);
    const std::string head = std::exchange(emission_.out, TextWriter()).str();
    {
      const auto indent = emission_.out.indent();
      pipeline_ ? write_pipelined_block(emission_, program) : write_body(emission_, program);
    }
    for (const std::string& exchange : emission_.reduction_declarations) declared_.line(exchange);
    // The next kernel may start and waits in turn; a grid of clusters leaves some SMs idle for it.
    if (target_.dependent_launch || pipeline_) {
      emission_.use("dependent_launch");
      declared_.line("ridge::launch_dependents();");
    }
    if (target_.dependent_launch) declared_.line("ridge::wait_for_primaries();");
    if (emission_.cluster_exchange_count > 0) write_cluster_exchanges();
    if (emission_.has_cluster_reduction) declared_.line("ridge::cluster_arrive();");
    if (emission_.has_cluster_reduction && !emission_.arrives_at_start) {
      declared_.line("ridge::cluster_wait();");
    }
    result.static_shared_bytes += emission_.partials_bytes;
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
  // Before any block sends to another.
  void write_cluster_exchanges() {
    const int64_t blocks = loop::cluster_blocks(kernel_), count = emission_.cluster_exchange_count;
    const std::string& name = emission_.cluster_exchanges_name;
    declared_.line("__shared__ __align__(16) ridge::ClusterExchange<", blocks, "> ", name, "[",
                   count, "];");
    declared_.line("ridge::init_cluster_exchanges(", name, ", ", count, ");");
    emission_.partials_bytes += count * (16 + 8 * blocks);
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
    const int min_blocks = min_blocks_per_sm(result.threads);
    const std::string bounds =
        min_blocks == 0 ? concat(result.threads) : concat(result.threads, ", ", min_blocks);
    return concat("extern \"C\" __global__ void __launch_bounds__(", bounds, ")", cluster, "\n",
                  result.symbol, "(\n    ", join(arguments, ",\n    "), ") {\n");
  }

  // The second argument of __launch_bounds__, 0 for none. Without it the compiler takes all registers for
  // register-resident rows, but occupancy hides the latency of memory better: the bound is the most blocks that the
  // live registers of a thread allow. Tiles of products are in shared memory and get no bound.
  int min_blocks_per_sm(int threads) const {
    if (pipeline_) return pipeline_->blocks_per_sm;
    // One block on each SM has all registers.
    if (copies_asynchronously() && !fills_registers_in_rows()) return 1;
    const int64_t registers = target_.limits.registers_per_sm;
    int64_t live_registers = 0, arrays = 0;
    if (keeps_registers_over_rows())
      return static_cast<int>(registers / (loop::kPersistentRegisters * threads));
    for (const loop::Buffer& buffer : kernel_.buffers) {
      if (buffer.space == loop::Space::shared) return 0;
      if (buffer.space != loop::Space::local) continue;
      live_registers += (bytes_for(buffer.dtype, buffer.elements->integer) + 3) / 4;
      ++arrays;
    }
    if (arrays == 0) return can_stream_loads(threads) ? streaming_threads() / threads : 0;
    const int64_t each = live_registers + loop::kOwnRegisters + kRegistersOfArray * (arrays - 1);
    return static_cast<int>(std::min(kMostMinBlocks, registers / (each * threads)));
  }

  // Large blocks that do little but load: with 2048 threads on an SM a thread has 32 registers and two loads in
  // flight; half of the threads with four loads each have more in flight.
  bool can_stream_loads(int threads) const {
    return target_.streaming_loads && 2 * threads >= streaming_threads();
  }
  // Of an SM: they keep enough loads in flight if each has several.
  int streaming_threads() const { return static_cast<int>(target_.limits.threads_per_sm / 2); }
  bool copies_asynchronously() const {
    bool found = false;
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      found |= std::holds_alternative<loop::AsyncCopy>(statement.kind);
    });
    return found;
  }
  // Are registers that are filled before a loop over rows, with a reduction in each, live through it? Such blocks are
  // persistent: the whole grid runs at a time.
  bool keeps_registers_over_rows() const {
    bool has_live_registers = false;
    for (const loop::Statement& statement : thread_body()) {
      const auto* const loop = std::get_if<loop::Loop>(&statement.kind);
      if (loop == nullptr) continue;
      if (is_row_loop(*loop) && has_live_registers) return true;
      has_live_registers |= fills_registers(*loop);
    }
    return false;
  }
  // Are registers filled for each row? Rows that are computed in shared memory leave registers as they are.
  bool fills_registers_in_rows() const {
    return std::ranges::any_of(thread_body(), [&](const loop::Statement& statement) {
      const auto* const loop = std::get_if<loop::Loop>(&statement.kind);
      return loop != nullptr && is_row_loop(*loop) && fills_registers(*loop);
    });
  }
  const loop::Body& thread_body() const {
    const loop::Body* body = &kernel_.body;
    for (size_t i = loop::parallel_loops(kernel_).size(); i > 0; --i) {
      body = &std::get<loop::Loop>(body->front().kind).body;
    }
    return *body;
  }
  static bool is_row_loop(const loop::Loop& loop) {
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
      const bool is_block =
          loop->place == loop::Place::gpu_block || loop->place == loop::Place::gpu_cluster_block;
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
    for (const loop::Loop* loop : loops) emission_.ranges.set_axis(loop->axis, loop->extent, most);
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
    return (bytes + kWideBytes - 1) / kWideBytes * kWideBytes;
  }

  // Rows of a pipeline lie in its stages.
  bool has_own_memory(size_t buffer) const {
    return kernel_.buffers[buffer].space == loop::Space::shared &&
           !(pipeline_ && pipeline_->holds(static_cast<int>(buffer)));
  }

  void write_own_buffers(CudaKernel& result) {
    int64_t shared = pipeline_ ? pipeline_->bytes() : 0;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      if (has_own_memory(i)) shared += bytes_of(kernel_.buffers[i]);
    }
    const bool is_dynamic = pipeline_ || shared > kDeclaredSharedBytes;
    (is_dynamic ? result.dynamic_shared_bytes : result.static_shared_bytes) = shared;
    std::string& arena = emission_.arena;
    if (is_dynamic) {
      arena = emission_.names.add("shared_bytes");
      declared_.line("extern __shared__ __align__(", pipeline_ ? kLineBytes : kWideBytes,
                     ") unsigned char ", arena, "[];");
    }
    if (pipeline_) {
      declared_.line("__shared__ ", pipeline_->shared_type(), " pipeline_shared;");
      result.static_shared_bytes = pipeline_->own_bytes();
    }
    int64_t offset = pipeline_ ? pipeline_->bytes() : 0;
    for (size_t i = kernel_.argument_count(); i < kernel_.buffers.size(); ++i) {
      const loop::Buffer& buffer = kernel_.buffers[i];
      const std::string_view type = element_type(buffer.dtype);
      const std::string array = concat(emission_.buffers[i], "[", buffer.elements->integer, "];");
      if (buffer.space == loop::Space::shared && !has_own_memory(i)) continue;
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
  std::optional<PipelinePlan> pipeline_;
  TextWriter declared_;
  std::optional<EntryWriter> entries_;  // of a batch
};

}  // namespace
}  // namespace cuda

Decision can_generate(const loop::Kernel& kernel, const CudaTarget& target) {
  constexpr int64_t kMostThreads = loop::kCudaLimits.max_threads_per_block;
  if (kernel.has_tiles()) return cuda::can_write_tiles(kernel, target.arch);
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

int64_t launched_blocks(const CudaKernel& kernel, int64_t blocks, int64_t sms) {
  if (kernel.persistent_blocks_per_sm == 0) return blocks;
  return std::min(blocks, sms * kernel.persistent_blocks_per_sm);
}

CudaKernel generate(const loop::Kernel& kernel, const CudaTarget& target) {
  const Decision can = can_generate(kernel, target);
  RIDGE_INTERNAL_CHECK(can.verdict, concat(kernel.name, ": ", can.reason));
  if (kernel.has_tiles()) return cuda::write_tile_kernel(kernel, target);
  // Threads of a product are arranged here; all other kernels come with theirs.
  const std::optional<cuda::TiledContract> tiled = cuda::in_tiles(kernel, target);
  if (!tiled) return cuda::KernelWriter(kernel, target).write();
  const auto& tensor_step = tiled->tensor_step;
  return cuda::KernelWriter(tiled->kernel, target, tensor_step ? &*tensor_step : nullptr).write();
}

}  // namespace ridge::codegen
