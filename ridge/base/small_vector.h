// SmallVector<T, N>: a vector that keeps up to N elements inside itself.
//
//   SmallVector<int64_t, 6> sizes = {2, 3};   // no heap
//   sizes.push_back(4);
//   std::span<const int64_t> view = sizes;    // converts like any contiguous range
//
// Shapes, strides and argument lists are short and made on every op: this keeps them off the
// heap. Beyond N elements they move to the heap and stay there. Value semantics are those of
// std::vector, except that moving an inline vector moves its elements (so it invalidates
// references) and that a moved-from vector is always empty.
//
// Exceptions: growing and appending one element leave the vector as it was if T throws (given,
// as for std::vector, that T moves without throwing or can be copied); insert, erase and assign
// leave it valid, with unspecified elements. Nothing leaks either way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace ridge {

// Out of line, so that no instance of the template carries the text of its errors.
[[noreturn]] void throw_bad_index(size_t index, size_t size);
[[noreturn]] void throw_too_many_elements(size_t count, size_t limit);

template <class T, size_t N>
class SmallVector {
  static_assert(N > 0, "use std::vector when nothing is to be stored inline");

 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  // Written out, because `= default` would let SmallVector() zero the whole inline storage.
  SmallVector() noexcept : data_(inline_data()) {}
  explicit SmallVector(size_t count) : SmallVector() { resize(count); }
  SmallVector(size_t count, const T& value) : SmallVector() { resize(count, value); }
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  explicit SmallVector(std::span<const T> values) : SmallVector(values.begin(), values.end()) {}

  // All constructors delegate to the default one first, so that if T throws the destructor runs.
  template <std::forward_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    append(first, last);
  }

  SmallVector(const SmallVector& other) : SmallVector(other.begin(), other.end()) {}
  SmallVector(SmallVector&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : SmallVector() {
    take(other);
  }
  ~SmallVector() {
    std::destroy_n(data_, size_);
    free_heap();
  }

  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
  }
  SmallVector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  size_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  bool is_inline() const noexcept { return data_ == inline_data(); }

  iterator begin() noexcept { return data_; }
  iterator end() noexcept { return data_ + size_; }
  const_iterator begin() const noexcept { return data_; }
  const_iterator end() const noexcept { return data_ + size_; }
  auto rbegin() noexcept { return std::reverse_iterator(end()); }
  auto rend() noexcept { return std::reverse_iterator(begin()); }
  auto rbegin() const noexcept { return std::reverse_iterator(end()); }
  auto rend() const noexcept { return std::reverse_iterator(begin()); }

  // Unchecked, as in std::vector; at() throws an index Error.
  T& operator[](size_t i) noexcept { return data_[i]; }
  const T& operator[](size_t i) const noexcept { return data_[i]; }
  T& at(size_t i) { return data_[checked(i)]; }
  const T& at(size_t i) const { return data_[checked(i)]; }
  T& front() noexcept { return data_[0]; }
  const T& front() const noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) return grow_and_emplace(std::forward<Args>(args)...);
    T* slot = std::construct_at(data_ + size_, std::forward<Args>(args)...);
    ++size_;
    return *slot;
  }
  void pop_back() noexcept { std::destroy_at(data_ + --size_); }

  // The ranges given to append, insert and assign must not lie in this vector.
  template <std::forward_iterator It>
  void append(It first, It last) {
    const auto count = static_cast<size_t>(std::distance(first, last));
    reserve(size_ + count);
    std::uninitialized_copy(first, last, end());
    size_ += static_cast<uint32_t>(count);
  }

  // Append, then rotate into place: one code path for all, and safe when T throws.
  iterator insert(const_iterator position, T value) {
    const auto at = position - begin();
    emplace_back(std::move(value));
    std::rotate(begin() + at, end() - 1, end());
    return begin() + at;
  }
  template <std::forward_iterator It>
  iterator insert(const_iterator position, It first, It last) {
    const auto at = position - begin();
    const auto old_size = static_cast<difference_type>(size_);
    append(first, last);
    std::rotate(begin() + at, begin() + old_size, end());
    return begin() + at;
  }
  iterator insert(const_iterator position, std::initializer_list<T> values) {
    return insert(position, values.begin(), values.end());
  }

  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    T* hole = data_ + (first - begin());
    if (first != last) truncate(std::move(data_ + (last - begin()), end(), hole));
    return hole;
  }

  void clear() noexcept { truncate(data_); }
  void reserve(size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void resize(size_t count) {
    if (count <= size_) return truncate(data_ + count);
    const size_t added = count - size_;
    reserve(count);
    std::uninitialized_value_construct_n(end(), added);
    size_ = static_cast<uint32_t>(count);
  }
  void resize(size_t count, const T& value) {
    if (count <= size_) return truncate(data_ + count);
    const size_t added = count - size_;
    const T copy = value;  // it may live in this vector, which is about to move
    reserve(count);
    std::uninitialized_fill_n(end(), added, copy);
    size_ = static_cast<uint32_t>(count);
  }

  template <std::forward_iterator It>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void assign(size_t count, const T& value) {
    const T copy = value;
    clear();
    resize(count, copy);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  void assign(std::span<const T> values) { assign(values.begin(), values.end()); }

  template <size_t M>
  bool operator==(const SmallVector<T, M>& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  T* inline_data() noexcept { return reinterpret_cast<T*>(inline_); }
  const T* inline_data() const noexcept { return reinterpret_cast<const T*>(inline_); }

  size_t checked(size_t i) const {
    if (i >= size_) [[unlikely]]
      throw_bad_index(i, size_);
    return i;
  }

  void truncate(T* new_end) noexcept {
    std::destroy(new_end, end());
    size_ = static_cast<uint32_t>(new_end - data_);
  }

  void free_heap() noexcept {
    if (!is_inline()) std::allocator<T>().deallocate(data_, capacity_);
  }

  // Takes the elements of `other` and leaves it empty. *this must be empty.
  void take(SmallVector& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (other.is_inline()) {
      // N elements always fit here: capacity never falls below N.
      std::uninitialized_move(other.begin(), other.end(), data_);
      size_ = other.size_;
      other.clear();
      return;
    }
    free_heap();
    data_ = std::exchange(other.data_, other.inline_data());
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, uint32_t{N});
  }

  // A larger heap block that frees itself unless its ownership was taken by replace_with.
  struct Block {
    explicit Block(uint32_t block_capacity)
        : capacity(block_capacity), data(std::allocator<T>().allocate(block_capacity)) {}
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
      if (data != nullptr) std::allocator<T>().deallocate(data, capacity);
    }
    uint32_t capacity;
    T* data;
  };

  uint32_t grown_capacity(size_t at_least) const {
    constexpr size_t kMax = std::numeric_limits<uint32_t>::max();
    if (at_least > kMax) [[unlikely]]
      throw_too_many_elements(at_least, kMax);
    return static_cast<uint32_t>(std::min(kMax, std::max(at_least, 2 * size_t{capacity_})));
  }

  // Moves where that cannot throw and copies otherwise, so a throw leaves the old elements whole.
  void relocate_into(T* target) {
    if constexpr (std::is_nothrow_move_constructible_v<T> || !std::is_copy_constructible_v<T>) {
      std::uninitialized_move(begin(), end(), target);
    } else {
      std::uninitialized_copy(begin(), end(), target);
    }
  }

  void replace_with(Block& block) noexcept {
    std::destroy_n(data_, size_);
    free_heap();
    data_ = std::exchange(block.data, nullptr);
    capacity_ = block.capacity;
  }

  // The rare paths stay out of line: inlined, they would spill registers on the common one.
  [[gnu::noinline]] void grow(size_t at_least) {
    Block block(grown_capacity(at_least));
    relocate_into(block.data);
    replace_with(block);
  }

  // The new element is built first: its arguments may refer to an element that is about to move.
  template <class... Args>
  [[gnu::noinline]] T& grow_and_emplace(Args&&... args) {
    Block block(grown_capacity(size_t{size_} + 1));
    T* slot = std::construct_at(block.data + size_, std::forward<Args>(args)...);
    try {
      relocate_into(block.data);
    } catch (...) {
      std::destroy_at(slot);
      throw;
    }
    replace_with(block);
    ++size_;
    return *slot;
  }

  T* data_;
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  alignas(T) std::byte inline_[N * sizeof(T)];
};

}  // namespace ridge
