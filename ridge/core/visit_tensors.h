// Walking the tensors of an argument: a tensor, a struct that names its members, a list of such.
//
//   struct Linear {
//     Tensor weight, bias;
//     static void visit_tensors(auto& self, auto&& visit) {
//       visit("weight", self.weight);
//       visit("bias", self.bias);
//     }
//   };
//   for_each_tensor(model, [](const std::string& path, Tensor& t) { ... });   "head.weight", ...
//
// Members may be tensors, structs with a visit_tensors of their own, vectors, arrays, optionals,
// pairs, tuples and maps (std::map by names or integers) of such, and integers or bools, which describe
// the argument and do not change while a program is reused. A floating-point number that may change
// must be a Tensor. An unordered_map has no order that two equal ones share: use a std::map.
//
// Note [Buffers]. State that is not trained, such as running statistics or an average of the weights, is
// visited as a buffer:
//
//   visit(buffer("running_mean"), self.running_mean);      a tensor, or anything with tensors in it
//
// It is an argument like any other: captured, written back, moved to devices. It is no parameter: it has
// no gradient, and optimizers, clipping and weight decay pass over it.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge {

// The name of a member that is a buffer, Note [Buffers].
struct BufferName {
  const char* name;
};
constexpr BufferName buffer(const char* name) { return {name}; }

namespace detail {

struct MemberVisitor {
  void operator()(const char*, auto&) const {}
  void operator()(BufferName, auto&) const {}
};

}  // namespace detail

template <class T>
concept HasVisitTensors =
    requires(T& value) { std::remove_const_t<T>::visit_tensors(value, detail::MemberVisitor()); };

// In place of a path, for walks that read none: then none is built.
struct NoPath {};

// Calls visitor.tensor(path, t) for tensors, visitor.size(path, s) for sizes, where it has one, and
// visitor.number(path, int64_t) for integers and bools, in declaration order. The length of a list, the
// presence of an optional and the keys of a map are numbers too. A visitor that has one gets
// visitor.buffer(path, t) for tensors of buffers; to others they are tensors like any. One that has
// visitor.integer(path, member) gets integers, bools and enums themselves, to be written.
template <class T, class Visitor, class Path = std::string>
void visit_value(T& value, Visitor& visitor, const Path& path = {});

namespace detail {

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class T, size_t N>
inline constexpr bool is_vector<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class K, class T, class C, class A>
inline constexpr bool is_map<std::map<K, T, C, A>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

inline std::string child_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}
inline std::string child_path(const std::string& path, size_t position) {
  return child_path(path, std::to_string(position));
}
constexpr NoPath child_path(NoPath path, const char*) { return path; }
constexpr NoPath child_path(NoPath path, size_t) { return path; }

inline const std::string& key_name(const std::string& key) { return key; }
template <std::integral K>
std::string key_name(K key) {
  return std::to_string(key);
}

// A key as numbers, of which equal ones mean equal keys.
template <class Key, class Visitor, class Path>
void visit_key(const Key& key, Visitor& visitor, const Path& path) {
  static_assert(std::integral<Key> || std::same_as<Key, std::string>,
                "the keys of a map must be std::string or integers");
  if constexpr (std::integral<Key>) {
    visitor.number(path, static_cast<int64_t>(key));
  } else {
    visitor.number(path, static_cast<int64_t>(key.size()));
    for (size_t i = 0; i < key.size(); i += sizeof(int64_t)) {
      int64_t letters = 0;
      std::memcpy(&letters, key.data() + i, std::min(sizeof(letters), key.size() - i));
      visitor.number(path, letters);
    }
  }
}

// Visits what is inside of a buffer for a visitor that tells buffers from other tensors.
template <class Visitor>
struct InsideOfBuffer {
  Visitor& visitor;
  void tensor(const auto& path, auto& tensor) { visitor.buffer(path, tensor); }
  void number(const auto& path, int64_t value) { visitor.number(path, value); }
  void size(const auto& path, const Size& size)
    requires requires { visitor.size(path, size); }
  {
    visitor.size(path, size);
  }
};

// What a visit_tensors is given: the members of one struct.
template <class Visitor, class Path>
struct EachMember {
  Visitor& visitor;
  const Path& path;

  void operator()(const char* name, auto& member) const {
    visit_value(member, visitor, child_path(path, name));
  }
  void operator()(BufferName name, auto& member) const {
    if constexpr (requires(Tensor t) { visitor.buffer(path, t); }) {
      InsideOfBuffer<Visitor> inside{visitor};
      visit_value(member, inside, child_path(path, name.name));
    } else {
      operator()(name.name, member);
    }
  }
};

}  // namespace detail

template <class T, class Visitor, class Path>
void visit_value(T& value, Visitor& visitor, const Path& path) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::same_as<Plain, Tensor>) {
    visitor.tensor(path, value);
  } else if constexpr (std::integral<Plain> || std::is_enum_v<Plain>) {
    if constexpr (requires { visitor.integer(path, value); }) {
      visitor.integer(path, value);
    } else {
      visitor.number(path, static_cast<int64_t>(value));
    }
  } else if constexpr (std::same_as<Plain, Size>) {
    if constexpr (requires { visitor.size(path, value); }) {
      visitor.size(path, value);
    } else {
      visitor.number(path, value.value());
    }
  } else if constexpr (detail::is_vector<Plain>) {
    visitor.number(path, static_cast<int64_t>(value.size()));
    if constexpr (std::same_as<Path, NoPath>) {
      for (auto& member : value) visit_value(member, visitor, path);
    } else {
      for (size_t i = 0; i < value.size(); ++i) {
        visit_value(value[i], visitor, detail::child_path(path, i));
      }
    }
  } else if constexpr (detail::is_map<Plain>) {
    visitor.number(path, static_cast<int64_t>(value.size()));
    for (auto& [key, member] : value) {
      detail::visit_key(key, visitor, path);
      if constexpr (std::same_as<Path, NoPath>) {
        visit_value(member, visitor, path);  // without a name for it
      } else {
        visit_value(member, visitor, detail::child_path(path, detail::key_name(key)));
      }
    }
  } else if constexpr (detail::is_optional<Plain>) {
    visitor.number(path, value.has_value() ? 1 : 0);
    if (value) visit_value(*value, visitor, path);
  } else if constexpr (detail::is_tuple<Plain>) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (visit_value(std::get<I>(value), visitor, detail::child_path(path, I)), ...);
    }(std::make_index_sequence<std::tuple_size_v<Plain>>());
  } else if constexpr (HasVisitTensors<T>) {
    Plain::visit_tensors(value, detail::EachMember<Visitor, Path>{visitor, path});
  } else if constexpr (std::floating_point<Plain>) {
    static_assert(!std::floating_point<Plain>,
                  "a floating-point member would be frozen into the program: make it a Tensor");
  } else {
    static_assert(HasVisitTensors<T>,
                  "give this type a `static void visit_tensors(auto& self, auto&& visit)`");
  }
}

namespace detail {

template <class F>
struct TensorsOnly {
  F& f;
  template <class T>
  void tensor(const std::string& path, T& t) {
    f(path, t);
  }
  void number(const std::string&, int64_t) {}
};

template <class F>
struct ParametersOnly {
  F& f;
  template <class T>
  void tensor(const std::string& path, T& t) {
    if (t.defined() && is_floating(t.dtype())) f(path, t);
  }
  void buffer(const std::string&, const Tensor&) {}
  void number(const std::string&, int64_t) {}
};

}  // namespace detail

// Calls f(path, tensor) for each tensor.
template <class T, class F>
void for_each_tensor(T& value, F&& f) {
  detail::TensorsOnly<std::remove_reference_t<F>> visitor{f};
  visit_value(value, visitor);
}

// Calls f(path, tensor) for each parameter: what is trained of a model, its defined floating tensors
// without the buffers.
template <class T, class F>
void for_each_parameter(T& value, F&& f) {
  detail::ParametersOnly<std::remove_reference_t<F>> visitor{f};
  visit_value(value, visitor);
}

}  // namespace ridge
