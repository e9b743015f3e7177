// Sizes of an operation: how they are written, and counts made of them.
//
//   parse_sizes("240x8192x4096", {{"M"}, {"N"}, {"K"}})                  M=240 N=8192 K=4096
//   parse_sizes("B=240,D=4096,F=8192", {{"M", "B"}, {"N", "F"}, {"K", "D"}})   the same
//
// Counts are doubles. A size past 2^53, beyond which doubles skip whole numbers, is an error, and so
// is a product past 2^62, which no 64-bit integer shows.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::cost {

struct Dimension {
  std::string_view name;     // M
  std::string_view alias{};  // B: the other name it may be given by
};

struct Size {
  std::string name;
  double value = 0;
};

class Sizes {
 public:
  Sizes() = default;
  explicit Sizes(std::vector<Size> sizes) : sizes_(std::move(sizes)) {}

  // The size of that name, which must be there.
  double operator[](std::string_view name) const;
  // The same sizes but for one; crossovers are found by varying one at a time.
  Sizes with(std::string_view name, double value) const;
  // As digits, for messages: 1000000 and not 1e+06.
  std::string text(std::string_view name) const;
  std::string shape_text() const;  // [240,8192]
  const std::vector<Size>& all() const { return sizes_; }
  double product(std::string_view what) const;

 private:
  std::vector<Size> sizes_;
};

// Positive whole sizes, "AxBxC" in the order of `dimensions` or "NAME=SIZE,..." in any order; a
// shape of any rank, with dimensions named 0, 1, ..., where `dimensions` is empty. Error{parse}
// where it is neither, Error{shape} where names or their number do not fit, Error{value} where a
// size is zero, negative or past 2^53.
Sizes parse_sizes(std::string_view text, const std::vector<Dimension>& dimensions);

std::string whole_text(double whole);

// The product, as `what` in the Error{value} that says it is past 2^62.
double whole_product(std::initializer_list<double> factors, std::string_view what);

}  // namespace ridge::cost
