// An object of each thread: made when the thread first asks for it, destroyed when the thread ends.
//
//   RecentAnswers<Expr>& recent = per_thread<RecentAnswers<Expr>, struct OfSimplify>();
//
// A plain thread_local must not be used after its destructor, and that of the main thread runs before
// the destructors of static objects and the handlers of atexit, which may call ops. Here such a late
// use gets another object, destroyed at the end of a thread too; what the main thread makes after the
// end of its thread_local objects lives as long as the process. It lies on the heap, so it takes
// nothing from the stack of a thread, which is where the system keeps thread_local memory.
#pragma once

#include <cxxabi.h>

#include <utility>

namespace ridge {

namespace detail {

template <class T, class Purpose>
struct ThreadObject {
  static inline constinit thread_local T* object = nullptr;

  // Any address of this library says which one must stay loaded until then.
  static inline char in_this_library = 0;

  // A thread_local with a destructor is registered once for a thread, this at each object made.
  [[gnu::noinline]] static T& make() {
    object = new T();
    abi::__cxa_thread_atexit([](void*) { delete std::exchange(object, nullptr); }, nullptr,
                             &in_this_library);
    return *object;
  }
};

}  // namespace detail

// Two with the same T and Purpose are one object.
template <class T, class Purpose = T>
T& per_thread() {
  using Object = detail::ThreadObject<T, Purpose>;
  T* const object = Object::object;
  if (object != nullptr) [[likely]]
    return *object;
  return Object::make();
}

}  // namespace ridge
