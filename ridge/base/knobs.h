// Knobs: everything the environment can change, in one table. Nothing else calls getenv.
//
//   RIDGE_DEBUG=4 ./train
//   if (knob_int(Knob::debug) >= 4) ...
//
// The environment is read once, at the first read of any knob; a wrong value or an unknown
// RIDGE_ variable is an Error there, with a suggestion, because a misspelled knob that is
// ignored costs an afternoon. Reads are thread-safe; an integer read is one atomic load.
//
// Tests override a knob for a scope, for all threads, without touching the environment:
//
//   ScopedKnob verify(Knob::verify, 2);
//
// A process with rights that its caller lacks (set-user-id) obeys no knob of the environment that
// loads code or names files. A reproduction, which somebody else may have written, decides by its
// knobs what is computed, and nothing else (verify/repro_folder.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// RIDGE_<name in capitals>; the table in knobs.cpp has a line for each, in this order.
enum class Knob {
  debug,
  log,
  only,
  dump,
  override,
  disable,
  stop_after,
  verify,
  threads,
  cache_limit,
  devices,
  cache,
  graphs,
  nvrtc,
  programs,
  wait,
  mapping,
  library,
};
inline constexpr size_t kKnobCount = static_cast<size_t>(Knob::library) + 1;

enum class KnobType { integer, text, list };

// What obeying a knob leads to.
enum class KnobEffect {
  decision,  // what is computed, how and with which resources
  message,   // what is shown
  file,      // a place that is read or written
  code,      // code that is loaded and run
};
std::string_view name(KnobEffect effect);

struct KnobInfo {
  Knob knob;
  std::string_view name;
  KnobType type;
  KnobEffect effect;
  std::string_view default_value;
  std::string_view help;  // one line
  int64_t min = 0;        // the allowed range, both ends included; integers only
  int64_t max = 0;
  std::string_view choices{};  // the allowed words of a text, separated by |; none: any text
};

std::span<const KnobInfo> knob_table();
const KnobInfo& knob_info(Knob knob);

// The knob of that full name; throws an unknown_name Error that suggests the nearest one.
const KnobInfo& find_knob(std::string_view name);
// Error{value} where the knob cannot have this value.
void check_knob(const KnobInfo& info, std::string_view text);

namespace detail {

// Of a knob that was not read yet, and of those that are no integers.
inline constexpr int64_t kNoNumber = std::numeric_limits<int64_t>::min();
struct KnobNumber {
  std::atomic<int64_t> value{kNoNumber};
};
extern constinit KnobNumber knob_numbers[kKnobCount];
int64_t read_knob_number(Knob knob);

}  // namespace detail

// Typed reads. knob_int is for integer knobs, knob_list for lists ("a, b" gives {"a", "b"}),
// knob_text gives any knob as text.
inline int64_t knob_int(Knob knob) {
  const auto& number = detail::knob_numbers[static_cast<size_t>(knob)];
  const int64_t value = number.value.load(std::memory_order_relaxed);
  return value == detail::kNoNumber ? detail::read_knob_number(knob) : value;
}
std::string knob_text(Knob knob);
std::vector<std::string> knob_list(Knob knob);

// Whether the value differs from its default. As cheap as knob_int: guards costlier work.
bool is_knob_set(Knob knob);

// Scans the environment as it is now and throws the Error of the first RIDGE_ variable that is
// unknown or has a bad value. The first read of a knob does the same.
void check_environment();

// The folder for what Ridge keeps between runs: RIDGE_CACHE, else `ridge` in the user's cache folder
// (XDG_CACHE_HOME, else .cache in HOME). Not made here, and empty where the environment names none
// of them, or is not obeyed.
std::string cache_folder();

// Overrides a knob for all threads while it lives. Scopes may overlap in any order, across
// threads too: the youngest living one wins. Throws the same value Error as the environment.
class ScopedKnob {
 public:
  ScopedKnob(Knob knob, std::string_view value);
  ScopedKnob(Knob knob, int64_t value);
  ScopedKnob(const ScopedKnob&) = delete;
  ScopedKnob& operator=(const ScopedKnob&) = delete;
  ~ScopedKnob();

 private:
  friend class KnobValues;

  Knob knob_;
  std::string value_;
};

}  // namespace ridge
