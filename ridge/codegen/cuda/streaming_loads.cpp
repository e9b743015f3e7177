#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen {
namespace {

using loop::Expr;

constexpr int64_t kMostCaches = 4;
constexpr int64_t kLeastReadForWritten = 16;

// Accesses of all threads to each buffer, as if every condition held.
class AccessCounter {
 public:
  explicit AccessCounter(const loop::Kernel& kernel) : loads(kernel.buffers.size()) {}

  bool is_known = true;
  std::vector<int64_t> loads;  // in elements

  void count(const loop::Body& body, int64_t times) {
    for (const loop::Statement& statement : body) {
      cuda::for_each_expression(statement, [&](const Expr& e) {
        expr::walk(e, [&](const Expr& node) {
          if (node->kind == expr::Kind::load) loads[static_cast<size_t>(node->index)] += times;
        });
      });
      if (const auto* const loop = cuda::as<loop::Loop>(statement)) {
        is_known &= expr::is_constant(loop->extent);
        if (is_known) count(loop->body, times * loop->extent->integer);
      } else if (const auto* const branch = cuda::as<loop::If>(statement)) {
        count(branch->then, times);
      } else if (cuda::as<loop::Contract>(statement) != nullptr) {
        is_known = false;
      }
    }
  }
};

}  // namespace

bool prefers_streaming_loads(const loop::Kernel& kernel, int64_t cache_bytes) {
  AccessCounter accesses(kernel);
  accesses.count(kernel.body, 1);
  int64_t read = 0, written = 0;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const loop::Buffer& buffer = kernel.buffers[i];
    if (buffer.space != loop::Space::global) continue;
    if (!accesses.is_known || !expr::is_constant(buffer.elements)) return false;
    const int64_t elements = buffer.elements->integer, bytes = elements * buffer.dtype.bits / 8;
    // Ends of rows may be loaded twice; what is loaded more often should stay in the L2.
    if (4 * accesses.loads[i] > 5 * elements) return false;
    (buffer.access == loop::Access::in ? read : written) += bytes;
  }
  return read > cache_bytes && read <= kMostCaches * cache_bytes &&
         kLeastReadForWritten * written <= read;
}

}  // namespace ridge::codegen
