// Asynchronous copies from global to shared memory (cp.async).
//
//   for i3 in 8 @vector {                                ridge::async_copy<16>(&row[8 * i1], &x[..]);
//     async_copy row[8 * i1 + i3] = x[.. + i3]    ->     ...
//   }                                                    ridge::wait_async_copies();
//   wait_copies 0
//
// `wait_copies 1` is ridge::wait_async_copies_but<1>(): the copies between two waits are a group.
//
// cp.async takes 4, 8 or 16 bytes. Elements that are narrower or less aligned are loaded and stored by the thread, which
// is done before the wait.
#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/masked_branch.h"

namespace ridge::codegen::cuda {
namespace {

constexpr int64_t kNarrowest = 4;  // bytes of one copy

class AsyncCopyWriter {
 public:
  AsyncCopyWriter(Emission& emission, const loop::AsyncCopy& copy, const Expr& condition)
      : emission_(emission), copy_(copy), condition_(condition) {}

  void write() {
    const int64_t bytes = copied_bytes();
    if (bytes >= kNarrowest) {
      emission_.use("async_copy");
      const int64_t each = bytes / element_bytes();
      if (is_masked() && !if_some_lane(emission_, condition_, 0, each)) {
        mask_ = write_lane_mask(emission_, condition_);
      }
      for (int64_t at = 0; at < lanes(); at += each) {
        emission_.out.line(if_some(at, each), "ridge::async_copy<", bytes, ">(&",
                           place(copy_.buffer, first(copy_.index), at), ", &",
                           place(copy_.from, first(copy_.from_index), at), ");");
      }
    } else if (emission_.region == nullptr) {
      emission_.out.line(place(copy_.buffer, copy_.index, 0), " = ",
                         place(copy_.from, copy_.from_index, 0), ";");
    } else {
      write_lanes();
    }
  }

 private:
  int64_t element_bytes() const {
    return std::max<int64_t>(1, emission_.buffer(copy_.buffer).dtype.bits / 8);
  }
  int64_t lanes() const { return emission_.region == nullptr ? 1 : emission_.region->lanes; }

  bool is_masked() const { return static_cast<bool>(condition_); }

  // Of one copy: as much as both sides are aligned to.
  int64_t copied_bytes() {
    const int64_t element = element_bytes();
    if (emission_.region == nullptr) return element;
    const bool are_runs =
        lane_stride(emission_, copy_.index) == 1 && lane_stride(emission_, copy_.from_index) == 1;
    if (!are_runs) return 0;
    const int64_t multiple = std::min(emission_.ranges.of(first(copy_.index)).multiple,
                                      emission_.ranges.of(first(copy_.from_index)).multiple);
    return std::min(element * std::min(multiple, lanes()), kWideBytes);
  }

  // A copy is done if one of its lanes is active: its bytes are aligned, so all of them can be read.
  std::string if_some(int64_t lane, int64_t count) {
    if (!is_masked()) return "";
    if (mask_.empty()) {
      const Expr some = *if_some_lane(emission_, condition_, lane, count);
      return concat("if (", condition_text(emission_, some), ") ");
    }
    if (count == lanes()) return concat("if (", mask_, " != 0) ");
    return concat("if ((", mask_, " & ", ((1u << count) - 1) << lane, ") != 0) ");
  }

  Expr first(const Expr& index) const {
    return emission_.region == nullptr ? index : at_first_lane(emission_, index);
  }
  std::string place(int buffer, const Expr& index, int64_t lane) {
    const Expr at = lane == 0 ? index : index + lane;
    return concat(emission_.buffers[static_cast<size_t>(buffer)], "[", write_index(emission_, at),
                  "]");
  }

  void write_lanes() {
    for_each_lane(emission_, [this] {
      if (is_masked()) {
        emission_.out.line("if (!(", condition_text(emission_, condition_), ")) continue;");
      }
      emission_.out.line(place(copy_.buffer, copy_.index, 0), " = ",
                         place(copy_.from, copy_.from_index, 0), ";");
    });
  }

  Emission& emission_;
  const loop::AsyncCopy& copy_;
  const Expr& condition_;  // on its lanes, null if all of them are active
  std::string mask_{};     // where no single lane decides
};

}  // namespace

void write_async_copy(Emission& emission, const loop::AsyncCopy& copy, const Expr& condition) {
  AsyncCopyWriter(emission, copy, condition).write();
}

}  // namespace ridge::codegen::cuda
