// Ref<T>: a shared pointer whose count lives in the object (class RefCounted).
//
//   struct Node : RefCounted { int value = 0; };
//   Ref<Node> a = make_ref<Node>();   // count 1
//   Ref<Node> b = a;                  // count 2: one atomic add
//   Ref<Node> c = std::move(b);       // count 2: no atomic, b is null
//
// Tensors are handed around on every op, so this is written for few instructions: one pointer
// wide, moves touch no count, and dropping the last reference is a load instead of a locked
// subtraction. Counts are atomic: references to one object may be copied and dropped from any
// thread. A single Ref is not: two threads need a Ref each.
//
// Invariants: a live object owned by Refs has a count equal to the number of Refs (plus those
// handed out by release()); at the drop of the last one it is deleted through its virtual
// destructor. A constructor or destructor must not make a Ref to its own object.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ridge {

class RefCounted {
 public:
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  // Exact only when no other thread holds a reference. 1 read by an owner means "mine alone",
  // and the acquire makes what former owners wrote visible: safe to reuse in place.
  uint32_t use_count() const noexcept { return count_.load(std::memory_order_acquire); }

 protected:
  RefCounted() noexcept = default;
  virtual ~RefCounted() = 0;  // pure, or compilers guess at every drop that a bare one is deleted

 private:
  template <class T>
  friend class Ref;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  // The object is fresh and unshared, so a plain store does.
  void retain_first() const noexcept { count_.store(1, std::memory_order_relaxed); }

  void drop() const noexcept {
    // A count of 1 is ours, and nobody else can raise it: the locked subtraction is not needed.
    if (count_.load(std::memory_order_acquire) == 1 ||
        count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete this;
    }
  }

  mutable std::atomic<uint32_t> count_{0};
};

inline RefCounted::~RefCounted() = default;

template <class T>
class Ref {
 public:
  using element_type = T;

  constexpr Ref() noexcept = default;
  constexpr Ref(std::nullptr_t) noexcept {}

  // Shares an object that may already have owners.
  explicit Ref(T* object) noexcept : object_(object) { retain(object_); }

  Ref(const Ref& other) noexcept : object_(other.object_) { retain(object_); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}

  template <class Derived>
    requires std::convertible_to<Derived*, T*>
  Ref(const Ref<Derived>& other) noexcept : object_(other.get()) {
    retain(object_);
  }
  template <class Derived>
    requires std::convertible_to<Derived*, T*>
  Ref(Ref<Derived>&& other) noexcept : object_(other.release()) {}

  ~Ref() { drop(object_); }

  // The old object is dropped last: its destructor may run arbitrary code, even reach *this.
  Ref& operator=(const Ref& other) noexcept {
    Ref(other).swap(*this);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref(std::move(other)).swap(*this);
    return *this;
  }

  // Takes over a reference that release() gave out.
  [[nodiscard]] static Ref adopt(T* object) noexcept {
    Ref result;
    result.object_ = object;
    return result;
  }
  // Gives up ownership without dropping; whoever takes the pointer must adopt() it.
  [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }

  void reset() noexcept { Ref().swap(*this); }
  void swap(Ref& other) noexcept { std::swap(object_, other.object_); }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

  template <class U>
  bool operator==(const Ref<U>& other) const noexcept {
    return object_ == other.get();
  }
  bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }

 private:
  template <class U, class... Args>
  friend Ref<U> make_ref(Args&&... args);

  static void retain(const RefCounted* object) noexcept {
    if (object != nullptr) object->retain();
  }
  static void drop(const RefCounted* object) noexcept {
    if (object != nullptr) object->drop();
  }
  static Ref first(T* object) noexcept {
    static_cast<const RefCounted*>(object)->retain_first();
    return adopt(object);
  }

  T* object_ = nullptr;
};

template <class T, class... Args>
[[nodiscard]] Ref<T> make_ref(Args&&... args) {
  return Ref<T>::first(new T(std::forward<Args>(args)...));
}

}  // namespace ridge
