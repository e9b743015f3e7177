#include "gpu_bench_families.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/ops/long_rows.h"

namespace ridge::command {
namespace {

// Longer rows would keep the reference busy for minutes.
constexpr int64_t kLongestChecked = 1 << 22;
constexpr int64_t kShorterRow = 100003, kShorterLongRow = 1200000, kFewRows = 3;
// Bytes of several arrays with as many elements can still be counted.
constexpr int64_t kMostElements = int64_t{1} << 53;

const GpuFamily* find_family(std::string_view what) {
  const auto found = std::ranges::find(gpu_families(), what, &GpuFamily::what);
  return found == gpu_families().end() ? nullptr : &*found;
}

// movement.cat of gpu.movement.cat.bf16.16384x3072.
std::string what_of(const std::string& name) {
  const std::vector<std::string_view> words = split_at(name, ".");
  return concat(words[1], ".", words[2]);
}

// For messages: several names may be given.
std::string part_of(const std::string& name, std::string_view part) {
  return concat("`", part, "` in ", name);
}

const GpuFamily& family_of(const std::string& name) {
  const std::string what = what_of(name);
  if (const GpuFamily* family = find_family(what)) return *family;
  std::vector<std::string> known, listed;
  for (const GpuFamily& family : gpu_families()) known.push_back(family.what);
  for (const GpuCase& gpu_case : gpu_cases()) {
    const std::string of_list = what_of(gpu_case.name);
    if (of_list == what) listed.push_back(gpu_case.name);
    known.push_back(of_list);
  }
  RIDGE_CHECK(listed.empty(), .code = ErrorCode::value, .op = "bench",
              .expected = concat(join(listed, " or "), ", since ", what, " has no other cases"),
              .given = name);
  const std::string guess = did_you_mean(what, known);
  throw_error({.code = ErrorCode::unknown_name,
               .op = "bench",
               .expected = "a family of cases such as row.softmax",
               .given = part_of(name, what),
               .hint = concat(guess, guess.empty() ? "" : " ",
                              "`ridge bench --list 'gpu.*'` names cases of all")});
}

DType dtype_of(const GpuFamily& family, std::string_view text, const std::string& name) {
  const std::optional<DType> dtype = find_dtype(text);
  const auto spelled = [](DType each) { return ridge::name(each); };
  RIDGE_CHECK(
      dtype && std::ranges::count(family.dtypes, *dtype) > 0, .code = ErrorCode::dtype,
      .op = "bench",
      .expected = concat("one of ", join(family.dtypes, ", ", spelled), " for ", family.what),
      .given = part_of(name, text));
  return *dtype;
}

// Of a number that no integer holds, the largest.
int64_t size_of(std::string_view text, const std::string& form, const std::string& given) {
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  // Leading zeros would make two names of one case.
  const bool is_number = !digits.empty() &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos &&
                         (digits[0] != '0' || digits.size() == 1);
  RIDGE_CHECK(is_number, .code = ErrorCode::parse, .op = "bench",
              .expected = concat("whole numbers as ", form), .given = given);
  RIDGE_CHECK(!is_negative && digits != "0", .code = ErrorCode::value, .op = "bench",
              .expected = concat("sizes above 0 as ", form), .given = given);
  int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return result.ec == std::errc() ? value : std::numeric_limits<int64_t>::max();
}

Shape shape_of(const GpuFamily& family, std::string_view sizes, const std::string& name) {
  const std::string form = join(family.axes, "x"), given = part_of(name, sizes);
  const std::vector<std::string_view> parts = split_at(sizes, "x");
  const size_t count = family.axes.size();
  RIDGE_CHECK(parts.size() == count, .code = ErrorCode::shape, .op = "bench",
              .expected = concat(count, count == 1 ? " size, " : " sizes, ", form), .given = given);
  Shape shape;
  int64_t elements = 1;
  for (const std::string_view part : parts) {
    const int64_t size = size_of(part, form, given);
    RIDGE_CHECK(size <= kMostElements / elements, .code = ErrorCode::value, .op = "bench",
                .expected = "sizes whose product is at most 2^53", .given = given);
    elements *= size;
    shape.push_back(size);
  }
  return shape;
}

}  // namespace

const std::vector<GpuFamily>& gpu_families() {
  static const std::vector<GpuFamily>& families = *new std::vector<GpuFamily>([] {
    std::vector<GpuFamily> all;
    add_gpu_pointwise_families(all);
    add_gpu_row_families(all);
    add_gpu_gradient_families(all);
    add_gpu_movement_families(all);
    add_gpu_product_families(all);
    add_gpu_training_families(all);
    return all;
  }());
  return families;
}

GpuCase gpu_case(const std::string& what, const BenchInput& sizes) {
  const GpuFamily* family = find_family(what);
  RIDGE_INTERNAL_CHECK(family != nullptr, concat("no family ", what));
  GpuCase result = family->make(sizes);
  result.name = gpu_case_name(what, sizes);
  return result;
}

GpuCase gpu_case_named(const std::string& name) {
  const std::vector<std::string_view> words = split_at(name, ".");
  RIDGE_CHECK(
      words.size() == 5 && words[0] == "gpu", .code = ErrorCode::parse, .op = "bench",
      .expected = "a pattern such as gpu.row.*, or a name such as gpu.row.softmax.bf16.4096x32000",
      .given = name, .hint = "`ridge bench --list 'gpu.*'` names cases of all families");
  const GpuFamily& family = family_of(name);
  const DType dtype = dtype_of(family, words[3], name);
  return gpu_case(family.what, {shape_of(family, words[4], name), dtype});
}

GpuFamily matrix_family(std::string what, std::function<GpuCase(const BenchInput&)> make) {
  return {.what = std::move(what), .axes = {"ROWS", "COLUMNS"}, .make = std::move(make)};
}

// Of a row that is cut into chunks, one that is cut too: what is checked goes the way of what is timed.
int64_t checked_length(int64_t length) {
  if (length <= kLongestChecked) return length;
  return ops::row_chunk(length) ? kShorterLongRow : kShorterRow;
}

void check_rows_of(GpuCase& gpu_case) {
  const Shape& shape = gpu_case.inputs[0].shape;
  gpu_case.has_independent_rows = shape.size() < 2 || shape[1].value() <= kLongestChecked;
  if (gpu_case.has_independent_rows) return;
  gpu_case.small = gpu_case.inputs;
  for (BenchInput& input : gpu_case.small) {
    if (input.shape.size() > 1) input.shape[0] = std::min(input.shape[0].value(), kFewRows);
    input.shape.back() = checked_length(input.shape.back().value());
  }
}

}  // namespace ridge::command
