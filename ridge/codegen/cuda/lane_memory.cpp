#include "ridge/codegen/cuda/lane_memory.h"

#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {

bool is_in_pipeline(const Emission& emission) {
  return emission.pipeline != nullptr && emission.loop_depth > 1;
}

bool is_branch_free(const Emission& emission) {
  return is_in_pipeline(emission) || emission.has_short_rows;
}

bool LaneMemory::is_streaming(int buffer) const {
  return emission_.target.streaming_loads && emission_.buffer(buffer).space == loop::Space::global;
}

// `load_wide<16>`, or `load_wide<16, ridge::Streaming>`.
std::string LaneMemory::accessing(std::string_view function, int bytes, int buffer) {
  emission_.use(function);
  if (!is_streaming(buffer)) return concat(function, "<", bytes, ">");
  emission_.use("streaming");
  return concat(function, "<", bytes, ", ridge::Streaming>");
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

// In front of a load that is done only if some lane is active.
std::string LaneMemory::if_some() const {
  // In a pipeline every thread has an active lane.
  if (mask_.empty() || is_in_pipeline(emission_)) return "";
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
    const std::string function =
        concat("load_packed", is_streaming(load->index) ? "_streaming" : "");
    emission_.use(function);
    return emission_.out.line(if_some(), "ridge::", function, "<", bytes, ", ", region_.lanes, ">(",
                              to, ", ", from, ");");
  }
  const std::string_view function =
      can_load_misaligned(load) ? "load_misaligned_pairs" : "gather_packed";
  emission_.use(function);
  emission_.out.line("ridge::", function, "<", region_.lanes, ">(", to, ", ", from, mask_argument(),
                     ");");
}

// Under a mask, one of several words may lie outside of the array.
bool LaneMemory::may_read_words(int buffer, int bytes) const {
  return mask_.empty() || region_.lanes * emission_.buffer(buffer).dtype.bits <= 8 * bytes;
}

std::string LaneMemory::mask_argument() const { return mask_.empty() ? "" : concat(", ", mask_); }

// A misaligned contiguous run, loaded as whole words of 16 bytes.
bool LaneMemory::can_load_misaligned(const Expr& load) {
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
  // At the ends of long rows few lanes are active; loading each by itself takes fewer instructions.
  const bool may_be_misaligned = mask_.empty() || is_branch_free(emission_);
  const bool is_misaligned =
      !is_packed && !are_words && may_be_misaligned && can_load_misaligned(load);
  if (!is_packed && !are_words && !is_misaligned) return;
  const std::string from =
      is_packed ? packed_pointer(load->index, load->args[0]) : pointer(load->index, load->args[0]);
  WideLoad wide{load, emission_.names.add(concat(buffer.name, "_lanes"))};
  emission_.out.line(name(register_type(buffer.dtype)), " ", wide.lanes, "[", region_.lanes, "];");
  const bool is_row_invariant =
      is_packed && emission_.is_row_invariant[static_cast<size_t>(load->index)];
  std::string function = is_row_invariant ? "unpack_no_hoist"
                         : is_packed      ? "unpack"
                                          : "load_misaligned";
  if (are_words) {
    const bool is_widened = is_16_bit_float(buffer.dtype);
    function = accessing(is_widened ? "load_widened" : "load_wide", bytes, load->index);
  } else {
    emission_.use(function);
  }
  if (is_packed) function = concat(function, "<", element_type(buffer.dtype), ">");
  emission_.out.line(if_chosen, are_words ? if_some() : "", "ridge::", function, "(", wide.lanes,
                     ", ", from, is_misaligned ? mask_argument() : "", ");");
  region_.wide_loads.push_back(std::move(wide));
}

// Floats are rounded to 16 bits two at a time, so arrays over lanes hold floats.
bool LaneMemory::keeps_floats(const loop::Store& store) const {
  return is_16_bit_float(emission_.buffer(store.buffer).dtype) &&
         emission_.dtype_of(store.value) == f32;
}

void LaneMemory::declare_store(const loop::Store& store, std::string& lanes, std::string& after) {
  const int bytes = wide_bytes(emission_, store.buffer, store.index);
  if (bytes == 0) return;
  const loop::Buffer& buffer = emission_.buffer(store.buffer);
  const bool is_pair = keeps_floats(store);
  const bool is_masked = !mask_.empty() && is_branch_free(emission_);
  const std::string function =
      accessing(concat(is_pair ? "store_rounded" : "store_wide", is_masked ? "_masked" : ""), bytes,
                store.buffer);
  lanes = emission_.names.add(concat(buffer.name, "_lanes"));
  // Initialized, so that a masked-off lane does not keep the value of the iteration before alive.
  emission_.out.line(is_pair ? "float" : element_type(buffer.dtype), " ", lanes, "[", region_.lanes,
                     mask_.empty() ? "];" : "] = {};");
  after = concat(function, "(", pointer(store.buffer, store.index), ", ", lanes);
}

// Under a mask each active lane stores by itself, unless the code is branch-free.
void LaneMemory::write_store(const std::string& wide) {
  if (mask_.empty()) return emission_.out.line("ridge::", wide, ");");
  if (is_branch_free(emission_)) return emission_.out.line("ridge::", wide, ", ", mask_, ");");
  emission_.use("store_masked");
  emission_.out.line("ridge::store_masked", wide.substr(wide.find('(')), ", ", mask_, ");");
}

void LaneMemory::fill_lane(const loop::Store& store, const std::string& lanes) {
  const Operand value{emission_.text_of(store.value),
                      emission_.value_types[static_cast<size_t>(store.value)]};
  const DType dtype = emission_.buffer(store.buffer).dtype;
  const std::string element = keeps_floats(store) ? value.text : narrowed(emission_, value, dtype);
  emission_.out.line(lane_of(emission_, lanes), " = ", element, ";");
}

}  // namespace ridge::codegen::cuda
