#include "ridge/cost/roofline/sizes.h"

#include <algorithm>
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::cost {

namespace {

constexpr double kLargestCount = 0x1p62;

std::string form_of(const std::vector<Dimension>& dimensions) {
  if (dimensions.empty()) return "sizes such as 4096x4096";
  std::string form = join(dimensions, "x", &Dimension::name);
  const bool has_alias =
      std::ranges::any_of(dimensions, [](const Dimension& d) { return !d.alias.empty(); });
  const auto shortest = [&](const Dimension& d) {
    return concat(has_alias && !d.alias.empty() ? d.alias : d.name, "=...");
  };
  return concat(form, " or ", join(dimensions, ",", shortest));
}

double parse_size(std::string_view text, std::string_view whole, const std::string& form) {
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  const bool is_number =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  RIDGE_CHECK(is_number, .code = ErrorCode::parse, .expected = form,
              .given = concat("`", whole, "`"));
  uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool fits = result.ec == std::errc() && value <= (uint64_t{1} << 53);
  RIDGE_CHECK(fits || is_negative, .code = ErrorCode::value,
              .expected = "sizes up to 2^53, which doubles count exactly",
              .given = std::string(text));
  RIDGE_CHECK(!is_negative && value > 0, .code = ErrorCode::value, .expected = "positive sizes",
              .given = concat("`", text, "` in `", whole, "`"));
  return static_cast<double>(value);
}

size_t index_of(std::string_view name, std::string_view whole,
                const std::vector<Dimension>& dimensions) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].name == name || dimensions[i].alias == name) return i;
  }
  throw_error({.code = ErrorCode::shape,
               .expected = form_of(dimensions),
               .given = concat("`", name, "` in `", whole, "`")});
}

Sizes parse_named(std::string_view text, const std::vector<Dimension>& dimensions) {
  const std::string form = form_of(dimensions);
  std::vector<Size> sizes;
  for (const Dimension& dimension : dimensions) sizes.push_back({std::string(dimension.name), 0});
  for (const std::string_view item : split_at(text, ",")) {
    const size_t equals = item.find('=');
    RIDGE_CHECK(equals != std::string_view::npos, .code = ErrorCode::parse, .expected = form,
                .given = concat("`", text, "`"));
    Size& size = sizes[index_of(item.substr(0, equals), text, dimensions)];
    RIDGE_CHECK(size.value == 0, .code = ErrorCode::shape, .expected = "each size once",
                .given = concat("`", text, "`"));
    size.value = parse_size(item.substr(equals + 1), text, form);
  }
  for (const Size& size : sizes) {
    RIDGE_CHECK(size.value > 0, .code = ErrorCode::shape, .expected = form,
                .given = concat("`", text, "`, which lacks ", size.name));
  }
  return Sizes(std::move(sizes));
}

}  // namespace

double Sizes::operator[](std::string_view name) const {
  const auto found = std::ranges::find(sizes_, name, &Size::name);
  RIDGE_INTERNAL_CHECK(found != sizes_.end(), concat("no size ", name));
  return found->value;
}

std::string Sizes::text(std::string_view name) const { return whole_text((*this)[name]); }

std::string Sizes::shape_text() const {
  return concat("[", join(sizes_, ",", [](const Size& size) { return whole_text(size.value); }),
                "]");
}

Sizes Sizes::with(std::string_view name, double value) const {
  Sizes changed = *this;
  for (Size& size : changed.sizes_) {
    if (size.name == name) size.value = value;
  }
  return changed;
}

double Sizes::product(std::string_view what) const {
  double product = 1;
  for (const Size& size : sizes_) product = whole_product({product, size.value}, what);
  return product;
}

Sizes parse_sizes(std::string_view text, const std::vector<Dimension>& dimensions) {
  if (text.find('=') != std::string_view::npos && !dimensions.empty()) {
    return parse_named(text, dimensions);
  }
  const std::string form = form_of(dimensions);
  std::vector<Size> sizes;
  for (const std::string_view part : split_at(text, "xX")) {
    const double value = parse_size(part, text, form);
    sizes.push_back({ridge::to_text(sizes.size()), value});
  }
  if (dimensions.empty()) return Sizes(std::move(sizes));
  RIDGE_CHECK(sizes.size() == dimensions.size(), .code = ErrorCode::shape, .expected = form,
              .given = concat("`", text, "`"));
  for (size_t i = 0; i < sizes.size(); ++i) sizes[i].name = dimensions[i].name;
  return Sizes(std::move(sizes));
}

std::string whole_text(double whole) { return ridge::to_text(static_cast<int64_t>(whole)); }

double whole_product(std::initializer_list<double> factors, std::string_view what) {
  double product = 1;
  for (const double factor : factors) product *= factor;
  RIDGE_CHECK(product <= kLargestCount, .code = ErrorCode::value,
              .expected = concat(what, " up to 2^62, which 64-bit integers count"),
              .given = concat("sizes whose product is ", product));
  return product;
}

}  // namespace ridge::cost
