#include "ridge/base/knobs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();
constexpr std::string_view kPrefix = "RIDGE_";

constexpr std::array kTable = {
    KnobInfo{Knob::debug, "RIDGE_DEBUG", KnobType::integer, KnobEffect::message, "0",
             "show more: 1 programs as they are compiled, 2 times of kernels when a program ends, "
             "3 every fusion decision, 4 kernel source, 5 loop IR, 6 graph per pass, 7 assembly",
             0, 7},
    KnobInfo{Knob::log, "RIDGE_LOG", KnobType::list, KnobEffect::message, "",
             "topics whose messages are shown, such as kernels,memory; all for every topic"},
    KnobInfo{Knob::only, "RIDGE_ONLY", KnobType::text, KnobEffect::message, "",
             "restrict source shown by RIDGE_DEBUG and RIDGE_DUMP to kernels with this in their "
             "name, or "
             "to this pass"},
    KnobInfo{Knob::dump, "RIDGE_DUMP", KnobType::text, KnobEffect::file, "",
             "folder that receives the result of every stage as a numbered file"},
    KnobInfo{Knob::override, "RIDGE_OVERRIDE", KnobType::text, KnobEffect::code, "",
             "folder of edited kernels to run in place of the generated ones"},
    KnobInfo{Knob::disable, "RIDGE_DISABLE", KnobType::list, KnobEffect::decision, "",
             "passes to skip, by name; fuse for one kernel per op, chains for products and softmax "
             "apart, recompute to keep all that gradients read, cublaslt for own products"},
    KnobInfo{Knob::stop_after, "RIDGE_STOP_AFTER", KnobType::integer, KnobEffect::decision, "-1",
             "run only this many optional rewrites, to bisect a failure; -1 for all", -1, kMaxInt},
    KnobInfo{Knob::verify, "RIDGE_VERIFY", KnobType::integer, KnobEffect::decision, "0",
             "check more: 1 IR after each pass, 2 also traces on cache hits, 3 also that IR text "
             "reads back, and passes and kernels against the reference",
             0, 3},
    KnobInfo{Knob::threads, "RIDGE_THREADS", KnobType::integer, KnobEffect::decision, "0",
             "worker threads of the CPU runtime; 0 for one per core", 0, 4096},
    KnobInfo{Knob::cache_limit, "RIDGE_CACHE_LIMIT", KnobType::integer, KnobEffect::decision, "-1",
             "bytes of freed memory the caching allocator keeps; -1 for no limit", -1, kMaxInt},
    KnobInfo{Knob::devices, "RIDGE_DEVICES", KnobType::text, KnobEffect::file, "",
             "folder of device sheets, *.sheet, that add to the shipped ones or hide them"},
    KnobInfo{Knob::cache, "RIDGE_CACHE", KnobType::text, KnobEffect::file, "",
             "folder for what is kept between runs; by default ridge in the user's cache folder"},
    KnobInfo{Knob::graphs, "RIDGE_GRAPHS", KnobType::integer, KnobEffect::decision, "2",
             "CUDA graphs: 0 each kernel by itself, 1 programs as graphs, 2 also with programmatic "
             "dependent launch (PDL)",
             0, 2},
    KnobInfo{Knob::nvrtc, "RIDGE_NVRTC", KnobType::text, KnobEffect::code, "",
             "the NVRTC library to load, a path or a name; by default the first one found"},
    KnobInfo{Knob::programs, "RIDGE_PROGRAMS", KnobType::integer, KnobEffect::decision, "128",
             "programs that a compiled function keeps, unless its options say; the least recently "
             "used one goes first",
             1, kMaxInt},
    KnobInfo{Knob::wait, "RIDGE_WAIT", KnobType::integer, KnobEffect::decision, "0",
             "on a GPU: 1 waits for each program and eager call, so that the one at fault throws",
             0, 1},
    KnobInfo{Knob::mapping, "RIDGE_MAPPING", KnobType::text, KnobEffect::decision, "",
             "how kernels run on a GPU, kernel=mapping;..., in place of the cheapest mapping"},
    KnobInfo{Knob::library, "RIDGE_LIBRARY", KnobType::text, KnobEffect::decision, "always",
             "matrix products on a GPU: always by the library that computes them, auto by the "
             "library or in tiles of a mapping, whichever is predicted to be faster, never by "
             "the library",
             0, 0, "never|auto|always"},
};

constexpr size_t index_of(Knob knob) { return static_cast<size_t>(knob); }

constexpr bool is_in_enum_order() {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (index_of(kTable[i].knob) != i) return false;
  }
  return kTable.size() == kKnobCount;
}
static_assert(is_in_enum_order(), "the table has one line per Knob, in the order of the enum");

std::string allowed_range(const KnobInfo& info) {
  const std::string upper = info.max == kMaxInt ? " or more" : concat(" to ", info.max);
  return concat("an integer, ", info.min, upper);
}

// Throws the value Error unless `text` is an integer in the range of the knob.
int64_t parse_integer(const KnobInfo& info, std::string_view text) {
  int64_t value = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, failure] = std::from_chars(begin, end, value);
  const bool is_good =
      failure == std::errc() && stop == end && value >= info.min && value <= info.max;
  RIDGE_CHECK(is_good, .code = ErrorCode::value, .op = std::string(info.name),
              .expected = allowed_range(info), .given = concat("`", text, "`"),
              .hint = std::string(info.help));
  return value;
}

// A variable set to nothing counts as not set: that is how shells switch one off for a command.
std::optional<std::string> set_text(const char* text) {
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

std::optional<std::string> from_environment(const KnobInfo& info) {
  const std::string name(info.name);
  const bool is_harmless =
      info.effect == KnobEffect::decision || info.effect == KnobEffect::message;
  return set_text(is_harmless ? std::getenv(name.c_str()) : ::secure_getenv(name.c_str()));
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

// The current value of every knob: what the environment said at first use, under a stack of
// scoped overrides. The lock guards texts and stacks; numbers and flags are also kept as atomics,
// so that hot paths take no lock.
class KnobValues {
 public:
  // A constructor that throws is run again at the next read, so every read repeats the Error.
  // Never destroyed: static destructors of the host may still read knobs.
  static KnobValues& instance() {
    static KnobValues& values = *new KnobValues;
    return values;
  }

  bool is_set(Knob knob) const { return at(knob).is_set.load(std::memory_order_relaxed); }

  std::string text(Knob knob) {
    const std::lock_guard lock(mutex_);
    return std::string(current(at(knob)));
  }

  void push(const ScopedKnob& scope) {
    check_knob(knob_info(scope.knob_), scope.value_);
    const std::lock_guard lock(mutex_);
    at(scope.knob_).scopes.push_back(&scope);
    publish(scope.knob_);
  }

  // Runs in a destructor: nothing here allocates, and the values were checked by push.
  void remove(const ScopedKnob& scope) {
    const std::lock_guard lock(mutex_);
    std::erase(at(scope.knob_).scopes, &scope);
    publish(scope.knob_);
  }

 private:
  struct Value {
    std::string base;  // from the environment, else the default
    std::vector<const ScopedKnob*> scopes;
    std::atomic<bool> is_set{false};
  };

  KnobValues() {
    check_environment();
    for (const KnobInfo& info : kTable) {
      at(info.knob).base = from_environment(info).value_or(std::string(info.default_value));
      publish(info.knob);
    }
  }

  Value& at(Knob knob) { return values_[index_of(knob)]; }
  const Value& at(Knob knob) const { return values_[index_of(knob)]; }

  static std::string_view current(const Value& value) {
    return value.scopes.empty() ? value.base : value.scopes.back()->value_;
  }

  void publish(Knob knob) {
    const KnobInfo& info = knob_info(knob);
    Value& value = at(knob);
    const std::string_view text = current(value);
    if (info.type == KnobType::integer) {
      detail::knob_numbers[index_of(knob)].value = parse_integer(info, text);
    }
    value.is_set = text != info.default_value;
  }

  std::mutex mutex_;
  std::array<Value, kTable.size()> values_;
};

std::string_view name(KnobEffect effect) {
  switch (effect) {
    case KnobEffect::decision: return "decision";
    case KnobEffect::message: return "message";
    case KnobEffect::file: return "file";
    case KnobEffect::code: return "code";
  }
  return "";
}

std::span<const KnobInfo> knob_table() { return kTable; }

const KnobInfo& knob_info(Knob knob) { return kTable[index_of(knob)]; }

void check_knob(const KnobInfo& info, std::string_view text) {
  if (info.type == KnobType::integer) parse_integer(info, text);
  if (info.choices.empty()) return;
  const std::vector<std::string_view> words = split_at(info.choices, "|");
  RIDGE_CHECK(std::ranges::find(words, text) != words.end(), .code = ErrorCode::value,
              .op = std::string(info.name), .expected = join(words, ", "),
              .given = concat("`", text, "`"), .hint = std::string(info.help));
}

const KnobInfo& find_knob(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &KnobInfo::name);
  if (found != kTable.end()) return *found;
  // Only what follows the prefix is compared: six shared letters would make all look alike.
  std::vector<std::string_view> endings;
  for (const KnobInfo& info : kTable) endings.push_back(info.name.substr(kPrefix.size()));
  const std::string_view ending = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  const auto closest = closest_name(ending, endings);
  throw Error({.code = ErrorCode::unknown_name,
               .expected = "the name of a knob",
               .given = concat("`", name, "`"),
               .hint = closest ? concat("did you mean `", kPrefix, *closest, "`?")
                               : "the knobs are " + join(kTable, ", ", &KnobInfo::name)});
}

constinit detail::KnobNumber detail::knob_numbers[kKnobCount];

int64_t detail::read_knob_number(Knob knob) {
  const KnobInfo& info = knob_info(knob);
  RIDGE_INTERNAL_CHECK(info.type == KnobType::integer, concat(info.name, " is not an integer"));
  KnobValues::instance();
  return knob_numbers[index_of(knob)].value.load(std::memory_order_relaxed);
}

std::string knob_text(Knob knob) { return KnobValues::instance().text(knob); }

std::vector<std::string> knob_list(Knob knob) {
  const std::string text = knob_text(knob);
  std::vector<std::string> items;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = trimmed(rest.substr(0, comma));
    if (!item.empty()) items.emplace_back(item);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return items;
}

bool is_knob_set(Knob knob) { return KnobValues::instance().is_set(knob); }

void check_environment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with(kPrefix)) continue;
    const KnobInfo& info = find_knob(text.substr(0, text.find('=')));
    if (const auto value = from_environment(info)) check_knob(info, *value);
  }
}

std::string cache_folder() {
  if (is_knob_set(Knob::cache)) return knob_text(Knob::cache);
  // The standard has relative paths ignored there.
  const auto xdg = set_text(::secure_getenv("XDG_CACHE_HOME"));
  if (xdg && xdg->starts_with('/')) return *xdg + "/ridge";
  const auto home = set_text(::secure_getenv("HOME"));
  return home ? *home + "/.cache/ridge" : std::string();
}

ScopedKnob::ScopedKnob(Knob knob, std::string_view value) : knob_(knob), value_(value) {
  KnobValues::instance().push(*this);
}
ScopedKnob::ScopedKnob(Knob knob, int64_t value) : ScopedKnob(knob, to_text(value)) {}
ScopedKnob::~ScopedKnob() { KnobValues::instance().remove(*this); }

}  // namespace ridge
