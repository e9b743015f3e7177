#include "ridge/codegen/cuda/lane_memory.h"

#include <algorithm>

#include "ridge/codegen/cuda/lane_loop.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {

bool is_streamed(const Emission& emission) {
  return emission.stream != nullptr && emission.loop_depth > 1;
}

bool goes_one_way(const Emission& emission) {
  return is_streamed(emission) || emission.has_short_rows;
}

bool LaneMemory::is_touched_once(int buffer) const {
  return emission_.target.streams && emission_.buffer(buffer).space == loop::Space::global;
}

// `load_wide<16>`, or `load_wide<16, ridge::Once>`.
std::string LaneMemory::accessing(std::string_view function, int bytes, int buffer) {
  emission_.use(function);
  if (!is_touched_once(buffer)) return concat(function, "<", bytes, ">");
  emission_.use("once");
  return concat(function, "<", bytes, ", ridge::Once>");
}

std::string LaneMemory::pointer(int buffer, const Expr& index) {
  const std::string first = write_index(emission_, at_first_lane(emission_, index));
  return concat("&", emission_.buffers[static_cast<size_t>(buffer)], "[", first, "]");
}

std::string LaneMemory::packed_pointer(int buffer, const Expr& index) {
  const Expr pair = expr::simplify(expr::floor_div(at_first_lane(emission_, index), 2));
  return concat("&", emission_.buffers[static_cast<size_t>(buffer)], "[",
                write_index(emission_, pair), "]");
}

// In front of what happens only if some lane is there.
std::string LaneMemory::if_some() const {
  // Some lane of each vector is inside of a row that streams, or its thread is not there.
  if (mask_.empty() || is_streamed(emission_)) return "";
  return concat("if (", mask_, " != 0) ");
}

void LaneMemory::copy_packed(const Expr& load, const loop::Store& store) {
  if (emission_.is_packed[static_cast<size_t>(load->index)]) {
    emission_.use("copy_packed");
    return emission_.out.line("ridge::copy_packed<", region_.lanes, ">(",
                              packed_pointer(store.buffer, store.index), ", ",
                              packed_pointer(load->index, load->args[0]), ");");
  }
  const int bytes = wide_bytes(emission_, load->index, load->args[0]);
  const std::string to = packed_pointer(store.buffer, store.index);
  const std::string from = pointer(load->index, load->args[0]);
  if (bytes >= 4 && may_read_words(load->index, bytes)) {
    const std::string function = concat("load_packed", is_touched_once(load->index) ? "_once" : "");
    emission_.use(function);
    return emission_.out.line(if_some(), "ridge::", function, "<", bytes, ", ", region_.lanes, ">(",
                              to, ", ", from, ");");
  }
  const std::string_view function = can_shift(load) ? "load_shifted_pairs" : "gather_packed";
  emission_.use(function);
  emission_.out.line("ridge::", function, "<", region_.lanes, ">(", to, ", ", from, lanes_inside(),
                     ");");
}

// Of several words that lanes read together, some may have no element that may be read.
bool LaneMemory::may_read_words(int buffer, int bytes) const {
  return mask_.empty() || region_.lanes * emission_.buffer(buffer).dtype.bits <= 8 * bytes;
}

std::string LaneMemory::lanes_inside() const { return mask_.empty() ? "" : concat(", ", mask_); }

// Neighbors that start anywhere, as whole words of 16 bytes.
bool LaneMemory::can_shift(const Expr& load) {
  const loop::Buffer& buffer = emission_.buffer(load->index);
  const int bytes = buffer.dtype.bits / 8;
  return buffer.space == loop::Space::global && (bytes == 2 || bytes == 4) &&
         bytes * region_.lanes % 16 == 0 && lane_stride(emission_, load->args[0]) == 1;
}

void LaneMemory::load_wide(const Expr& load, const std::string& if_chosen) {
  const auto is_known = [&](const WideLoad& wide) { return expr::same(wide.load, load); };
  if (std::ranges::any_of(region_.wide_loads, is_known)) return;
  const loop::Buffer& buffer = emission_.buffer(load->index);
  const bool is_packed = emission_.is_packed[static_cast<size_t>(load->index)];
  const int bytes = wide_bytes(emission_, load->index, load->args[0]);
  const bool are_words = !is_packed && bytes > 0 && may_read_words(load->index, bytes);
  // Of the few lanes at the ends of long rows, each loads by itself in fewer instructions.
  const bool may_shift = mask_.empty() || goes_one_way(emission_);
  const bool is_shifted = !is_packed && !are_words && may_shift && can_shift(load);
  if (!is_packed && !are_words && !is_shifted) return;
  const std::string from =
      is_packed ? packed_pointer(load->index, load->args[0]) : pointer(load->index, load->args[0]);
  WideLoad wide{load, emission_.names.add(concat(buffer.name, "_lanes"))};
  emission_.out.line(name(register_type(buffer.dtype)), " ", wide.lanes, "[", region_.lanes, "];");
  const bool is_steady = is_packed && emission_.is_steady[static_cast<size_t>(load->index)];
  std::string function = is_steady ? "unpack_steady" : is_packed ? "unpack" : "load_shifted";
  if (are_words) {
    const bool is_widened = is_16_bit_float(buffer.dtype);
    function = accessing(is_widened ? "load_widened" : "load_wide", bytes, load->index);
  } else {
    emission_.use(function);
  }
  if (is_packed) function = concat(function, "<", element_type(buffer.dtype), ">");
  emission_.out.line(if_chosen, are_words ? if_some() : "", "ridge::", function, "(", wide.lanes,
                     ", ", from, is_shifted ? lanes_inside() : "", ");");
  region_.wide_loads.push_back(std::move(wide));
}

// Floats are rounded to 16 bits two at a time, so they are kept as they are until then.
bool LaneMemory::keeps_floats(const loop::Store& store) const {
  return is_16_bit_float(emission_.buffer(store.buffer).dtype) &&
         emission_.dtype_of(store.value) == f32;
}

void LaneMemory::declare_store(const loop::Store& store, std::string& lanes, std::string& after) {
  const int bytes = wide_bytes(emission_, store.buffer, store.index);
  if (bytes == 0) return;
  const loop::Buffer& buffer = emission_.buffer(store.buffer);
  const bool is_pair = keeps_floats(store);
  const bool asks = !mask_.empty() && goes_one_way(emission_);
  const std::string function = accessing(
      concat(is_pair ? "store_rounded" : "store_wide", asks ? "_inside" : ""), bytes, store.buffer);
  lanes = emission_.names.add(concat(buffer.name, "_lanes"));
  // Lanes that stand aside must not seem to keep what they had in the round of a loop before.
  emission_.out.line(is_pair ? "float" : element_type(buffer.dtype), " ", lanes, "[", region_.lanes,
                     mask_.empty() ? "];" : "] = {};");
  after = concat(function, "(", pointer(store.buffer, store.index), ", ", lanes);
}

// Where some lanes stand aside, the others store by themselves.
void LaneMemory::write_store(const std::string& wide) {
  if (mask_.empty()) return emission_.out.line("ridge::", wide, ");");
  if (goes_one_way(emission_)) return emission_.out.line("ridge::", wide, ", ", mask_, ");");
  emission_.use("store_each");
  emission_.out.line("ridge::store_each", wide.substr(wide.find('(')), ", ", mask_, ");");
}

void LaneMemory::fill_lane(const loop::Store& store, const std::string& lanes) {
  const Operand value{emission_.text_of(store.value),
                      emission_.value_types[static_cast<size_t>(store.value)]};
  const DType dtype = emission_.buffer(store.buffer).dtype;
  const std::string element = keeps_floats(store) ? value.text : narrowed(emission_, value, dtype);
  emission_.out.line(lane_of(emission_, lanes), " = ", element, ";");
}

}  // namespace ridge::codegen::cuda
