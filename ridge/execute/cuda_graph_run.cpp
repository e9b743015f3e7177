#include "ridge/execute/cuda_graph_run.h"

#include <algorithm>
#include <mutex>

#include "ridge/base/error.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/cuda_memory.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::execute {

using runtime::cuda::CapturedLaunches;
using runtime::cuda::CudaGraph;

namespace {

bool uses(const ExecutableCall& call, int buffer) {
  const auto has = [&](const std::vector<int>& buffers) {
    return std::ranges::find(buffers, buffer) != buffers.end();
  };
  return has(call.buffers) ||
         std::ranges::any_of(call.entries, [&](const auto& entry) { return has(entry.buffers); });
}

// What is captured goes to a stream of its own: the default stream cannot be captured.
struct CaptureStream {
  explicit CaptureStream(Device device)
      : stream(runtime::cuda::cuda_runtime().create_stream(device)) {}
  ~CaptureStream() {
    try {
      runtime::cuda::cuda_runtime().destroy_stream(stream);
    } catch (const Error&) {
      // The device is lost, which the next launch reports.
    }
  }
  CaptureStream(const CaptureStream&) = delete;
  CaptureStream& operator=(const CaptureStream&) = delete;
  Stream stream;
};

}  // namespace

struct ProgramGraph::Body {
  ArenaBlock arena, workspace;
  std::vector<void*> memory;           // by buffer of the plan: what the nodes were given
  std::vector<size_t> first_launches;  // by call
  std::vector<bool> has_moved;         // by call, while it is moved
  Stream stream;                       // of the last launch
  uint64_t forgotten;                  // streams that were forgotten by then
  std::shared_ptr<CudaGraph> graph;
};

class ProgramGraph::TryLock {
 public:
  explicit TryLock(ProgramGraph& graph)
      : graph_(graph), is_owned_(!graph.is_taken_.exchange(true, std::memory_order_acquire)) {}
  ~TryLock() {
    if (is_owned_) graph_.is_taken_.store(false, std::memory_order_release);
  }
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  bool is_owned() const { return is_owned_; }

 private:
  ProgramGraph& graph_;
  bool is_owned_;
};

// Those that have a body. Its mutex is taken before a TryLock, or by its owner, and locks are only
// tried for, so nobody waits in a circle; no memory of a device is allocated while it is held.
struct LiveGraphs {
  std::mutex mutex;
  std::vector<ProgramGraph*> graphs;
  std::atomic<uint64_t> last_use{1};  // of any; 0 is that of one that never ran

  static LiveGraphs& all() {
    static LiveGraphs& only = *new LiveGraphs;
    return only;
  }

  void note_use(std::atomic<uint64_t>& of_graph) {
    const uint64_t last = last_use.load(std::memory_order_relaxed);
    if (of_graph.load(std::memory_order_relaxed) == last) return;  // still the latest
    of_graph.store(++last_use, std::memory_order_relaxed);
  }
  void add(ProgramGraph* graph) {
    const std::lock_guard lock(mutex);
    graphs.push_back(graph);
    if (graphs.size() <= ProgramGraph::kMostGraphs) return;
    // Other threads go on using them, so the order is that of a moment.
    std::vector<std::pair<uint64_t, ProgramGraph*>> by_use;
    for (ProgramGraph* each : graphs) by_use.emplace_back(each->last_use_.load(), each);
    std::ranges::sort(by_use);
    const auto is_dropped = [](const auto& use) { return use.second->drop_if_idle(); };
    const auto dropped = std::ranges::find_if(by_use, is_dropped);
    if (dropped != by_use.end()) std::erase(graphs, dropped->second);
  }
  void remove(ProgramGraph* graph) {
    const std::lock_guard lock(mutex);
    std::erase(graphs, graph);
  }
  void drop_idle() {
    const std::lock_guard lock(mutex);
    std::erase_if(graphs, [](ProgramGraph* graph) { return graph->drop_if_idle(); });
  }
};

ProgramGraph::ProgramGraph(std::string name, const ExecutablePlan& plan, const BoundPlan& bound,
                           std::span<const std::unique_ptr<CudaCall>> calls, Device device,
                           int32_t* statuses)
    : name_(std::move(name)),
      bound_(bound),
      calls_(calls),
      device_(device),
      allocator_(runtime::cuda::cuda_runtime().allocator(device)),
      statuses_(statuses) {
  bool can_move = true;
  for (const auto& call : calls) can_move &= call->can_update_memory();
  is_given_up_ = calls.empty() || (!can_move && calls.size() < kFewestLibraryCalls);
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    const ExecutableBuffer& buffer = plan.buffers[i];
    const bool is_fixed = buffer.kind == BufferKind::constant ||
                          (buffer.kind == BufferKind::temporary && buffer.offset >= 0);
    if (is_fixed) continue;
    movable_.push_back(i);
    std::vector<uint32_t>& users = users_.emplace_back();
    for (uint32_t call = 0; call < plan.calls.size(); ++call) {
      if (uses(plan.calls[call], static_cast<int>(i))) users.push_back(call);
    }
  }
  allocator_.set_relief([] { LiveGraphs::all().drop_idle(); });
}

ProgramGraph::~ProgramGraph() { LiveGraphs::all().remove(this); }

bool ProgramGraph::drop_if_idle() {
  const TryLock lock(*this);
  if (!lock.is_owned()) return false;
  body_.reset();
  plain_runs_ = 0;
  return true;
}

// A program that runs once or twice is not worth the time of making a graph.
bool ProgramGraph::is_wanted() {
  constexpr uint32_t kPlainRuns = 2;
  return plain_runs_.load(std::memory_order_relaxed) >= kPlainRuns ||
         plain_runs_.fetch_add(1, std::memory_order_relaxed) >= kPlainRuns;
}

void ProgramGraph::give_up(const std::string& reason) {
  is_given_up_ = true;
  log(LogLevel::warning, "graphs",
      concat(name_, " is launched kernel by kernel, not as a CUDA graph: ", reason));
}

bool ProgramGraph::run(std::span<void* const> memory, Stream stream) {
  if (is_given_up_.load(std::memory_order_relaxed) || !is_wanted()) return false;
  const TryLock lock(*this);
  if (!lock.is_owned()) return false;
  // The default stream cannot be captured, and asking the driver takes time. While a stream that waits for it
  // is captured it cannot be used at all, which the launch will say.
  if (stream.handle != 0 && runtime::cuda::is_capturing(stream)) return false;
  try {
    if (body_ == nullptr) {
      capture(memory);
    } else {
      update_memory(memory);
    }
  } catch (const Error& error) {
    // Launching call by call needs less, and tells if the device itself is lost.
    forget_body();
    if (error.code() != ErrorCode::memory) give_up(error.what());
    return false;
  } catch (...) {
    forget_body();
    throw;
  }
  LiveGraphs::all().note_use(last_use_);
  note_stream(stream);
  body_->graph->launch(stream);
  return true;
}

// The arena was allocated for one stream; whoever gets it after the graph waits for all that it ran on.
void ProgramGraph::note_stream(Stream stream) {
  const uint64_t forgotten = allocator_.forgotten_streams();
  if (body_->stream == stream && body_->forgotten == forgotten) return;
  for (const ArenaBlock* block : {&body_->arena, &body_->workspace}) {
    if (block->data() != nullptr) allocator_.record_use(block->data(), stream);
  }
  body_->stream = stream;
  body_->forgotten = forgotten;
}

void ProgramGraph::forget_body() {
  LiveGraphs::all().remove(this);
  body_.reset();
  plain_runs_ = 0;
}

void ProgramGraph::capture(std::span<void* const> memory) {
  auto body = std::make_unique<Body>(Body{.arena = ArenaBlock(bound_.arena_bytes, device_),
                                          .workspace = ArenaBlock(workspace_of(calls_), device_),
                                          .memory = {memory.begin(), memory.end()},
                                          .first_launches = std::vector<size_t>(calls_.size()),
                                          .has_moved = std::vector<bool>(calls_.size()),
                                          .stream = runtime::cuda::current_stream(device_),
                                          .forgotten = allocator_.forgotten_streams(),
                                          .graph = nullptr});
  place_temporaries(bound_.places, body->arena.data(), body->memory);
  body_ = std::move(body);
  const CaptureStream own(device_);
  body_->graph = CudaGraph::capture(name_, own.stream, [&] { record(own.stream); });
  LiveGraphs::all().add(this);
}

void ProgramGraph::record(Stream stream) {
  for (size_t i = 0; i < calls_.size(); ++i) {
    body_->first_launches[i] = CapturedLaunches::count();
    calls_[i]->launch({body_->memory, statuses_, body_->workspace.data()}, stream);
  }
}

void ProgramGraph::update_memory(std::span<void* const> memory) {
  bool has_any = false;
  for (size_t i = 0; i < movable_.size(); ++i) {
    void*& known = body_->memory[movable_[i]];
    if (known == memory[movable_[i]]) continue;
    known = memory[movable_[i]];
    has_any = true;
    for (const uint32_t call : users_[i]) body_->has_moved[call] = true;
  }
  if (!has_any) return;
  bool is_done = true;
  const CallMemory now{body_->memory, statuses_, body_->workspace.data()};
  for (size_t i = 0; i < calls_.size(); ++i) {
    if (!body_->has_moved[i]) continue;
    body_->has_moved[i] = false;
    is_done = is_done && calls_[i]->update_memory(*body_->graph, body_->first_launches[i], now);
  }
  if (is_done) return;
  const CaptureStream own(device_);
  body_->graph->update(own.stream, [&] { record(own.stream); });
}

}  // namespace ridge::execute
