// Text: values to text, joined and split lists, indented output, and "did you mean".
//
//   to_text(Bytes(12900000))            "12.3 MiB"
//   to_text(Microseconds(4.21))         "4.2 us"
//   "[" + join(sizes, ", ") + "]"       "[2, 3]"
//   split_at("128x64", "xX")            {"128", "64"}
//   did_you_mean("slu", op_names)       "did you mean `silu`?"
//
// Every printable type of Ridge has `to_text(value)` beside it (a free function found by its
// namespace, or a member); join() and TextWriter accept any of them. Numbers are written
// without locale, and doubles with the fewest digits that read back the same.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridge {

// A quantity with its unit, so that to_text knows which unit to print.
struct Bytes {
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr explicit Bytes(Number number) : count(static_cast<double>(number)) {}
  double count;
};
struct Microseconds {
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr explicit Microseconds(Number number) : count(static_cast<double>(number)) {}
  double count;
};

std::string to_text(Bytes bytes);        // 512 B, 12.3 MiB, 1.5 GiB
std::string to_text(Microseconds time);  // 850.0 ns, 4.2 us, 12.0 ms, 3.5 s
std::string to_text(double value);       // 0.1, 1e+20, inf
std::string integer_to_text(int64_t value);
std::string integer_to_text(uint64_t value);

// Every width by one template: overloads for some widths would be ambiguous for the others.
template <std::integral T>
std::string to_text(T value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::same_as<T, char>) {
    return std::string(1, value);
  } else if constexpr (std::is_signed_v<T>) {
    return integer_to_text(static_cast<int64_t>(value));
  } else {
    return integer_to_text(static_cast<uint64_t>(value));
  }
}

// Appends a string, or the text of any printable value.
template <class T>
void append_text(std::string& out, const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    out += std::string_view(value);
  } else if constexpr (requires { value.to_text(); }) {
    out += value.to_text();
  } else {
    out += to_text(value);
  }
}

// concat("r", 3, " = ", 0.5) is "r3 = 0.5".
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

// The elements, each passed through `projection`, with `separator` between them.
template <class Range, class Projection = std::identity>
std::string join(const Range& range, std::string_view separator, Projection projection = {}) {
  std::string out;
  bool is_first = true;
  for (const auto& element : range) {
    if (!std::exchange(is_first, false)) out += separator;
    append_text(out, std::invoke(projection, element));
  }
  return out;
}

// The parts between separators, each of which is one of these characters. Parts may be empty: there is
// always one more of them than separators. They point into `text`.
std::vector<std::string_view> split_at(std::string_view text, std::string_view separators);

// Collects lines under an indentation that follows C++ scopes.
//
//   TextWriter writer;
//   writer.line("for (int i = 0; i < ", n, "; ++i) {");
//   {
//     auto indent = writer.indent();
//     writer.line("sum += x[i];");
//   }
//   writer.line("}");
class TextWriter {
 public:
  class [[nodiscard]] Indent {
   public:
    explicit Indent(TextWriter& writer) : writer_(writer) { ++writer_.depth_; }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;
    ~Indent() { --writer_.depth_; }

   private:
    TextWriter& writer_;
  };

  explicit TextWriter(size_t spaces_per_level = 2) : spaces_per_level_(spaces_per_level) {}

  Indent indent() { return Indent(*this); }

  // Writes the concatenated parts and a line end. Text of several lines is indented line by
  // line; empty lines stay empty.
  template <class... Parts>
  void line(const Parts&... parts) {
    write_lines(concat(parts...));
  }

  const std::string& str() const& { return text_; }
  std::string str() && { return std::move(text_); }

 private:
  void write_lines(std::string_view lines);

  size_t spaces_per_level_;
  size_t depth_ = 0;
  std::string text_;
};

// The least number of single-character insertions, deletions and replacements from `a` to `b`.
size_t edit_distance(std::string_view a, std::string_view b);

// Whether a distance is small enough to be a slip of the hand: at most max(2, length / 3), and
// some character must have survived.
bool is_plausible_typo(std::string_view given, std::string_view candidate, size_t distance);

inline constexpr size_t kLongestName = 1024;  // longer ones have no nearest

// The candidate nearest to `given`, the first of equals; nothing if none is plausible.
template <class Range>
std::optional<std::string> closest_name(std::string_view given, const Range& candidates) {
  std::optional<std::string> closest;
  size_t least = 0;
  for (const auto& candidate : candidates) {
    const std::string_view text = candidate;
    // The distance is at least the difference in length, and a file may have names of megabytes.
    const size_t difference =
        std::max(given.size(), text.size()) - std::min(given.size(), text.size());
    if (!is_plausible_typo(given, text, difference) || given.size() > kLongestName) continue;
    const size_t distance = edit_distance(given, text);
    if (!is_plausible_typo(given, text, distance)) continue;
    if (closest && distance >= least) continue;
    closest = std::string(text);
    least = distance;
  }
  return closest;
}

// "did you mean `x`?", ready for the hint of an Error; empty if nothing is close.
template <class Range>
std::string did_you_mean(std::string_view given, const Range& candidates) {
  const auto closest = closest_name(given, candidates);
  return closest ? "did you mean `" + *closest + "`?" : std::string();
}

}  // namespace ridge
