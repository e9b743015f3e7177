// The emitter's memory: which planned buffers a kernel uses, what it calls them, and where in them the
// elements of a value are.
#include <cctype>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/emit.h"

namespace ridge::schedule {

std::string buffer_name(const Graph& graph, ValueId value, int planned) {
  const std::string& given = graph[value].name;
  std::string name = given.empty() ? concat("b", value.index) : given;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return concat(name, "_", planned);
}

std::string scratch_name(int planned) { return concat("scratch_", planned); }

int Emitter::buffer(ValueId value, loop::Access access) {
  const int id = places_[static_cast<size_t>(value.index)].buffer;
  RIDGE_INTERNAL_CHECK(id >= 0, concat("value %", value.index, " is read and has no memory"));
  const auto found = kernel_buffer_.find(id);
  if (found != kernel_buffer_.end()) {
    loop::Access& known = kernel_.buffers[static_cast<size_t>(found->second)].access;
    if (known != access) known = loop::Access::in_out;
    return found->second;
  }
  const graph::Value& info = program_.graph()[value];
  Expr elements = 1;
  const Shape& strides = places_[static_cast<size_t>(value.index)].strides;
  for (size_t i = 0; i < strides.size(); ++i) {
    elements = elements + (info.type.shape[i].expression() - 1) * strides[i].expression();
  }
  const int number = static_cast<int>(kernel_.buffers.size());
  kernel_.buffers.push_back({buffer_name(program_.graph(), value, id), info.type.dtype, access,
                             loop::Space::global, expr::simplify(elements)});
  buffer_ids_.push_back(id);
  kernel_buffer_[id] = number;
  return number;
}

int Emitter::scratch(int planned, DType dtype, const Shape& shape) {
  const int number = static_cast<int>(kernel_.buffers.size());
  kernel_.buffers.push_back({scratch_name(planned), dtype, loop::Access::in_out,
                             loop::Space::global, numel(shape).expression()});
  buffer_ids_.push_back(planned);
  return number;
}

Expr Emitter::address(ValueId value, const std::vector<Expr>& position) {
  const Shape& strides = places_[static_cast<size_t>(value.index)].strides;
  Expr index = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + position[i] * strides[i].expression();
  }
  return simplified(index);
}

int Emitter::load(ValueId value, const std::vector<Expr>& position) {
  const Expr index = address(value, position);
  const graph::Value& info = program_.graph()[value];
  return scopes_.once(value.index, index, [&] {
    const DType dtype = register_dtype(info.type.dtype);
    const int number = buffer(value, loop::Access::in);
    const DType arithmetic = dtype == f64 ? f64 : f32;
    return let(info.name, dtype, arithmetic,
               expr::load(number, scalar_type(info.type.dtype), {index}));
  });
}

}  // namespace ridge::schedule
