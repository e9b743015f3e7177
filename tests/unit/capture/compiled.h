// A compiled function as the driver makes it, but for running the captured graph op by op.
#pragma once

#include "ridge/base/random.h"
#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"
#include "ridge/capture/entry_cache.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/ridge.h"

namespace ridge::testing {

template <class F>
class Compiled {
 public:
  explicit Compiled(F f, std::vector<std::string> names = {}, Location where = Location::current())
      : f_(std::move(f)), names_(std::move(names)), where_(where) {
    graph::install_recorder();
  }

  template <class... Args>
  auto operator()(Args&&... args) {
    using Result = capture::ResultOf<F, Args&&...>;
    if (graph::Recorder::active() != nullptr) {
      const capture::InlinedCall inlined(this, "compiled", where_);
      return static_cast<Result>(capture::call_as_captured(f_, std::forward<Args>(args)...));
    }
    capture::FlatArguments flat;
    capture::flatten(flat, where_, args...);
    auto entry = cache_.find(flat.signature).entry;
    if (!entry) {
      const auto closest = cache_.closest(flat.signature);
      if (closest.entry != nullptr) {
        missed =
            capture::describe_difference(closest.made_for, flat.signature, closest.entry->names);
      }
      entry = make(flat.signature, std::forward<Args>(args)...);
      newest = entry;
    }
    std::vector<Tensor> inputs;
    for (const Tensor* input : flat.inputs) inputs.push_back(*input);
    return capture::deliver<Result>(*entry, flat, graph::replay(entry->graph, inputs));
  }

  size_t count() const { return cache_.size(); }
  std::shared_ptr<capture::Captured> newest;
  std::string missed;  // why the newest was made

 private:
  template <class... Args>
  std::shared_ptr<capture::Captured> make(const capture::Signature& signature, Args&&... args) {
    using Found = typename capture::EntryCache<capture::Captured>::Found;
    return cache_
        .find_or_make(
            signature,
            [&] {
              const capture::CaptureOptions options{
                  .name = "compiled", .argument_names = names_, .function = this, .where = where_};
              return Found{.entry = std::make_shared<capture::Captured>(
                               capture::capture(f_, options, std::forward<Args>(args)...))};
            })
        .entry;
  }

  F f_;
  std::vector<std::string> names_;
  Location where_;
  capture::EntryCache<capture::Captured> cache_;
};

// Numbers between -2 and 2, made on the host.
inline Tensor random(const Shape& shape, uint64_t seed, DType dtype = f32) {
  SplitMix64 numbers(seed);
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (double& value : values) value = numbers.uniform(-2, 2);
  return cast(Tensor::of<double>(values, shape), dtype);
}

}  // namespace ridge::testing
