// A callable that somebody else keeps: what a function takes that calls it before it returns.
//
//   Found find(const Signature& signature, FunctionRef<Captured()> capture);
//   find(signature, [&] { return record(f); });
//
// Two words, no allocation. It must not outlive the callable.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace ridge {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& callable)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace ridge
