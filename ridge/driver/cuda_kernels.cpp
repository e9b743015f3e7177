#include "ridge/driver/cuda_kernels.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "ridge/base/dump.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cpu/thread_pool.h"
#include "ridge/runtime/cuda/device_facts.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::driver {
namespace {

using Built = std::shared_ptr<const CudaBuilt>;

std::string override_of(const std::string& name) {
  if (!is_knob_set(Knob::override)) return {};
  const auto path = std::filesystem::path(knob_text(Knob::override)) / concat(name, ".cu");
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  log(LogLevel::info, "kernels", concat("running ", path.string(), " in place of ", name));
  return {std::istreambuf_iterator<char>(file), {}};
}

Built build_one(const CudaSource& source, int device) {
  const loop::Kernel& kernel = *source.kernel;
  if (knob_int(Knob::verify) >= 1) loop::verify(kernel);
  const runtime::cuda::DeviceFacts& facts = runtime::cuda::device_facts(device);
  const bool is_batch = source.batch.entries > 0;
  // Of a batch, indices fit (schedule/batch_map.h), and memory that is written is no other buffer's: it
  // comes from a capture, which refuses such arguments.
  const codegen::CudaTarget target{.arch = 10 * facts.compute_major + facts.compute_minor,
                                   .fits_32_bits = is_batch,
                                   .are_distinct = is_batch,
                                   .batch = source.batch,
                                   .notes = source.notes};
  auto built = std::make_shared<CudaBuilt>();
  built->code = codegen::generate(kernel, target);
  if (std::string edited = override_of(kernel.name); !edited.empty()) {
    built->code.source = std::move(edited);
  }
  const std::string& text = built->code.source;
  const bool is_shown = kernel.name.find(knob_text(Knob::only)) != std::string::npos;
  if (is_shown && knob_int(Knob::debug) >= 4) {
    show("kernels", concat("CUDA of ", kernel.name, ":\n", text));
  }
  if (is_shown && is_knob_set(Knob::dump)) {
    dump_artifact(kernel.name, "loop", to_text(kernel));
    dump_artifact(kernel.name, "cu", text);
  }
  const runtime::cuda::CompiledCuda compiled =
      runtime::cuda::compile_cuda(text, {.name = kernel.name, .arch = arch_name(facts)});
  const auto module = runtime::cuda::Module::load(device, compiled.cubin, kernel.name);
  built->kernel = module->kernel(built->code.symbol);
  return built;
}

// "3:001 ": entries, and which buffers they share.
std::string batch_text(const codegen::CudaBatch& batch) {
  if (batch.entries == 0) return {};
  std::string text = concat(batch.entries, ":");
  for (const bool is_common : batch.is_common) text += is_common ? '1' : '0';
  return text + " ";
}

struct Cache {
  std::mutex mutex;
  std::unordered_map<std::string, Built> kernels;
};

// Beyond this many, kernels that no program holds anymore are let go.
constexpr size_t kMostKernels = 4096;

Cache& cache() {
  static Cache& instance = *new Cache;
  return instance;
}

// On all threads: NVRTC takes tens of milliseconds for a kernel.
std::vector<Built> build_all(std::span<const CudaSource* const> sources, int device) {
  std::vector<Built> built(sources.size());
  std::vector<std::exception_ptr> errors(sources.size());
  runtime::parallel(static_cast<int64_t>(sources.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      try {
        built[i] = build_one(*sources[i], device);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return built;
}

}  // namespace

std::vector<Built> build_cuda(std::span<const CudaSource> sources, int device) {
  std::vector<std::string> keys;
  for (const CudaSource& source : sources) {
    keys.push_back(
        concat(device, " ", batch_text(source.batch), schedule::canonical_text(*source.kernel)));
  }
  std::unordered_map<std::string, Built> found;
  std::vector<const CudaSource*> missing;
  std::vector<const std::string*> missing_keys;
  {
    const std::lock_guard lock(cache().mutex);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (found.contains(keys[i])) continue;
      const auto known = cache().kernels.find(keys[i]);
      found[keys[i]] = known == cache().kernels.end() ? nullptr : known->second;
      if (known != cache().kernels.end()) continue;
      missing.push_back(&sources[i]);
      missing_keys.push_back(&keys[i]);
    }
  }
  const std::vector<Built> built = build_all(missing, device);
  const std::lock_guard lock(cache().mutex);
  if (cache().kernels.size() > kMostKernels) {
    std::erase_if(cache().kernels, [](const auto& entry) { return entry.second.use_count() == 1; });
  }
  for (size_t i = 0; i < built.size(); ++i) {
    found[*missing_keys[i]] = cache().kernels.emplace(*missing_keys[i], built[i]).first->second;
  }
  std::vector<Built> result;
  for (const std::string& key : keys) result.push_back(found.at(key));
  return result;
}

}  // namespace ridge::driver
