#include "tests/fuzz/fuzz_case.h"

#include <cctype>
#include <limits>

#include "ridge/base/hash.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/graph/graph.h"

namespace ridge::fuzz {
namespace {

constexpr std::string_view kWithGradients = " with gradients";

bool starts_with(const std::string& name, std::string_view kind) {
  return std::string_view(name).substr(0, kind.size()) == kind;
}

double whole(SplitMix64& random, int64_t low, int64_t high) {
  return static_cast<double>(random.integer(low, high));
}

double special(SplitMix64& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (random.integer(0, 15)) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return infinity;
    case 3: return -infinity;
    case 4: return std::numeric_limits<double>::quiet_NaN();
    default: return random.uniform(-2, 2);
  }
}

// "eighths-8to4_2" is {-8, 4}.
std::pair<int64_t, int64_t> eighths_of(const std::string& name) {
  size_t digits = 0;
  const std::string numbers = name.substr(std::string_view("eighths").size());
  const int64_t low = std::stoll(numbers, &digits);
  return {low, std::stoll(numbers.substr(digits + 2))};
}

double draw(SplitMix64& random, DType dtype, const std::string& name) {
  if (starts_with(name, "index")) {
    const int64_t bound = std::stoll(name.substr(5));
    return whole(random, 0, std::max<int64_t>(bound - 1, 0));
  }
  if (is_boolean(dtype)) return whole(random, 0, 1);
  const bool is_positive = starts_with(name, "positive");
  if (is_integer(dtype)) {
    const bool is_signed = dtype.kind == DTypeKind::signed_integer;
    return is_positive ? whole(random, 1, 4) : whole(random, is_signed ? -4 : 0, 4);
  }
  if (is_positive) return whole(random, 1, 24) / 8;
  if (starts_with(name, "eighths")) {
    const auto [low, high] = eighths_of(name);
    return whole(random, low, high) / 8;
  }
  if (starts_with(name, "fine")) return random.uniform(-2, 2);
  if (starts_with(name, "special")) return special(random);
  return whole(random, -16, 16) / 8;
}

Shape strides_of(const Shape& shape, const std::string& name) {
  const bool is_transposed = name.find("transposed") != std::string::npos;
  const int64_t gap = name.find("spaced") != std::string::npos ? 2 : 1;
  if (!is_transposed) {
    Shape strides = contiguous_strides(shape);
    for (Size& stride : strides) stride = known(stride) * gap;
    return strides;
  }
  Shape strides(shape.size(), Size(1));
  int64_t step = gap;
  for (size_t i = 0; i < shape.size(); ++i) {
    strides[i] = step;
    step *= std::max<int64_t>(1, known(shape[i]));
  }
  return strides;
}

// Mixed by hand, because the same data must come on every machine.
uint64_t seed_of(const std::string& name, uint64_t data_seed) {
  uint64_t seed = data_seed;
  for (const char c : name) seed = SplitMix64(seed ^ static_cast<uint64_t>(c)).next();
  return seed;
}

}  // namespace

int64_t known(const Size& size) { return size.known().value(); }
int64_t elements_of(const Shape& shape) { return known(numel(shape)); }

Tensor make_input(const graph::Type& type, const std::string& name, uint64_t data_seed) {
  const Shape strides = strides_of(type.shape, name);
  int64_t extent = 1;
  for (size_t i = 0; i < strides.size(); ++i) {
    extent += std::max<int64_t>(known(type.shape[i]) - 1, 0) * known(strides[i]);
  }
  SplitMix64 random(seed_of(name, data_seed));
  const Tensor room = Tensor::empty({extent}, type.dtype);
  // The gaps are filled too: a kernel that reads them gets plausible numbers in the wrong place.
  for (int64_t i = 0; i < extent; ++i) {
    const double value = draw(random, type.dtype, name);
    store_element(type.dtype, room.raw_data(), i, expr::Number::of(value));
  }
  return Tensor::view_of(Ref<Storage>(&room.storage()), type.shape, strides, 0, type.dtype);
}

std::vector<Tensor> make_inputs(const Case& given) {
  std::vector<Tensor> inputs;
  for (const graph::ValueId id : given.graph.inputs) {
    const graph::Value& value = given.graph[id];
    inputs.push_back(make_input(value.type, value.name, given.data_seed));
  }
  return inputs;
}

std::string to_text(const Case& given) {
  return concat("# data seed: ", given.data_seed, given.has_gradients ? kWithGradients : "", "\n",
                graph::to_text(given.graph));
}

Case parse_case(std::string_view text) {
  constexpr std::string_view header = "# data seed: ";
  RIDGE_CHECK(text.substr(0, header.size()) == header, .code = ErrorCode::parse, .op = "replay",
              .expected = "a first line `# data seed: N`",
              .given = std::string(text.substr(0, text.find('\n'))));
  Case result;
  const size_t end = text.find('\n');
  const std::string first_line(text.substr(0, end));
  result.data_seed = std::stoull(first_line.substr(header.size()));
  result.has_gradients = first_line.find(kWithGradients) != std::string::npos;
  result.graph = graph::read(text.substr(end + 1), "replay");
  return result;
}

}  // namespace ridge::fuzz
