// save and load: any struct of tensors as one file, and back.
//
//   files::save("state.safetensors", state);       a model, an optimizer, a generator, all in one struct
//   files::load("state.safetensors", state);       into a struct of the same form
//
// What visit_tensors names is saved (core/visit_tensors.h): tensors, buffers among them, under their paths;
// integers, bools and enums in the metadata, beside a checksum over all of it. Undefined tensors are left
// out. The file is plain safetensors, 0600, and takes the place of an older one only when it is whole and
// on the disk (base/atomic_file.h).
//
// load checks everything before it writes anything: names, dtypes, shapes, lengths of lists, checksum. All
// that does not fit is in one Error{value}; a damaged file is Error{parse}. Then the values are written into
// the memory of the tensors that are there, so that tied weights stay tied and devices stay as they are;
// an undefined tensor becomes what the file has under its name. Integers are restored; those that are only
// derived from others when visited, such as the bits of an optimizer's beta, must be equal.
#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ridge/core/visit_tensors.h"
#include "ridge/files/safetensors.h"

namespace ridge::files {

namespace detail {

// An integer that was visited. Without `set` it can be compared, not restored.
struct VisitedNumber {
  std::string path;
  int64_t value = 0;
  void* member = nullptr;
  void (*set)(void* member, int64_t value) = nullptr;
  bool (*fits)(int64_t value) = nullptr;
};

// What a struct is made of, in the order of visiting.
struct StateOut {
  NamedTensors tensors;
  std::vector<VisitedNumber> numbers;

  void tensor(const std::string& path, const Tensor& t) {
    if (t.defined()) tensors.emplace_back(path, t);
  }
  void number(const std::string& path, int64_t value) {
    numbers.push_back({path, value, nullptr, nullptr, nullptr});
  }
};

struct StateIn {
  std::vector<std::pair<std::string, Tensor*>> tensors;
  std::vector<VisitedNumber> numbers;

  void tensor(const std::string& path, Tensor& t) { tensors.emplace_back(path, &t); }
  void number(const std::string& path, int64_t value) {
    numbers.push_back({path, value, nullptr, nullptr, nullptr});
  }
  template <class T>
  void integer(const std::string& path, T& member) {
    if constexpr (std::is_const_v<T>) {
      number(path, static_cast<int64_t>(member));
    } else {
      numbers.push_back(
          {path, static_cast<int64_t>(member), &member,
           [](void* to, int64_t value) { *static_cast<T*>(to) = static_cast<T>(value); },
           [](int64_t value) { return static_cast<int64_t>(static_cast<T>(value)) == value; }});
    }
  }
};

void save_state(const std::filesystem::path& path, const StateOut& state);
void load_state(const std::filesystem::path& path, const StateIn& state);

}  // namespace detail

template <class T>
void save(const std::filesystem::path& path, const T& value, Location where = Location::current()) {
  located("save", where, [&] {
    detail::StateOut state;
    visit_value(value, state);
    detail::save_state(path, state);
  });
}

template <class T>
void load(const std::filesystem::path& path, T& value, Location where = Location::current()) {
  located("load", where, [&] {
    detail::StateIn state;
    visit_value(value, state);
    detail::load_state(path, state);
  });
}

}  // namespace ridge::files
