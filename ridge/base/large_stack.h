// Work whose recursion follows the size of what a user wrote, on a stack of known size.
//
//   on_large_stack([&] { plan = schedule(graph); });
//
// LLVM, and the walk over a long chain of fused ops, need hundreds of KiB; a thread of the user's, or all
// of them under `ulimit -s`, may have less. Where much is left of the current stack the work runs on it.
// Otherwise it runs on memory made for it, still as the same thread: what is kept by thread stays what it
// is, and an exception leaves as from any call.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

namespace ridge {

namespace detail {

// Whether enough of the current stack is left.
bool has_large_stack();
// Runs work(context) on another stack. Error{memory} where there is no memory for one.
void run_on_new_stack(void (*work)(void*), void* context);

}  // namespace detail

template <class Work>
auto on_large_stack(Work&& work) {
  using Callable = std::remove_reference_t<Work>;
  using Result = std::invoke_result_t<Callable&>;
  if (detail::has_large_stack()) return work();
  if constexpr (std::is_void_v<Result>) {
    detail::run_on_new_stack([](void* given) { (*static_cast<Callable*>(given))(); }, &work);
  } else {
    struct Call {
      Callable& work;
      std::optional<Result> result;
    } call{work, std::nullopt};
    detail::run_on_new_stack(
        [](void* given) {
          auto& own = *static_cast<Call*>(given);
          own.result.emplace(own.work());
        },
        &call);
    return std::move(*call.result);
  }
}

}  // namespace ridge
