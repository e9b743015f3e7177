#include "ridge/loop/kernel_reader.h"

#include <array>
#include <charconv>

namespace ridge::loop {

KernelReader::KernelReader(std::string_view text) : lines(text) {
  context_.symbol = [this](std::string_view name) { return named(name); };
  context_.element = [this](std::string_view name, std::vector<Expr> position) {
    return element(name, std::move(position));
  };
}

std::vector<Expr> KernelReader::expressions() {
  std::vector<Expr> list;
  do {
    list.push_back(expression());
  } while (lines.accept(","));
  return list;
}

Combine KernelReader::combine(const char* expected) {
  constexpr std::array kCombines = {Combine::sum, Combine::prod, Combine::max,
                                    Combine::min, Combine::any,  Combine::all};
  return one_of<Combine>(kCombines, expected);
}

int KernelReader::known_buffer(const char* expected) {
  const std::string name = lines.name();
  const int buffer = find_buffer(name);
  if (buffer < 0) lines.fail(concat(expected, "; `", name, "` is none"));
  return buffer;
}

Expr KernelReader::position() {
  lines.expect("[");
  Expr index = expression();
  lines.expect("]");
  return index;
}

int KernelReader::number(const char* expected) {
  const std::string word = lines.word();
  int number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, number);
  if (failure != std::errc() || stop != end) lines.fail(expected);
  return number;
}

int KernelReader::axis() {
  const int axis = lines.numbered('i');
  kernel.axis_count = std::max(kernel.axis_count, axis + 1);
  return axis;
}

Expr KernelReader::in_extent() {
  lines.expect("in");
  return expression();
}

DType KernelReader::dtype() {
  const std::string word = lines.word();
  const std::optional<DType> found = find_dtype(word);
  if (!found) lines.fail(concat("a dtype, but `", word, "` is none"));
  return *found;
}

DType KernelReader::arithmetic(int value) {
  return lines.accept("in") ? dtype() : usual_arithmetic(value_info(value).dtype);
}

int KernelReader::defined_value() {
  const int value = lines.numbered('v');
  lines.expect(":");
  if (is_known(value)) lines.fail(concat("one definition of v", value));
  kernel.values.resize(std::max(kernel.values.size(), static_cast<size_t>(value) + 1));
  is_known_.resize(kernel.values.size());
  value_info(value).dtype = dtype();
  is_known_[static_cast<size_t>(value)] = true;
  return value;
}

int KernelReader::known_value() {
  const int value = lines.numbered('v');
  if (!is_known(value)) lines.fail(concat("v", value, " to be defined before"));
  return value;
}

void KernelReader::value_name(int value) {
  if (lines.accept("# ")) value_info(value).name = lines.rest_of_line();
  end_of_line();
}

void KernelReader::end_of_line() {
  if (!lines.at_line_end() && !lines.accept("#")) lines.fail("the end of the line");
}

int KernelReader::find_buffer(std::string_view name) const {
  const auto found = std::ranges::find(kernel.buffers, name, &Buffer::name);
  return found == kernel.buffers.end() ? -1 : static_cast<int>(found - kernel.buffers.begin());
}

Expr KernelReader::named(std::string_view name) const {
  int value = -1;
  if (name.size() > 1 && name[0] == 'v') {
    const char* const end = name.data() + name.size();
    if (std::from_chars(name.data() + 1, end, value).ptr != end) value = -1;
  }
  if (value >= 0 && is_known(value)) {
    return expr::input(value, scalar_type(kernel.values[static_cast<size_t>(value)].dtype));
  }
  int param = 0;
  for (const auto* sizes : {&kernel.sizes, &kernel.tile_sizes}) {
    for (const std::string& size : *sizes) {
      if (size == name) return expr::param(param, expr::Type::integer);
      ++param;
    }
  }
  return {};
}

Expr KernelReader::element(std::string_view name, std::vector<Expr> position) const {
  const int buffer = find_buffer(name);
  if (buffer < 0) return {};
  const DType dtype = kernel.buffers[static_cast<size_t>(buffer)].dtype;
  return expr::load(buffer, scalar_type(dtype), std::move(position));
}

}  // namespace ridge::loop
