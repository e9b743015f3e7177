#include "ridge/codegen/cuda/batched.h"

#include <bit>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen {
namespace cuda {
namespace {

std::string pointer_type(const Emission& emission, size_t buffer) {
  const loop::Buffer& info = emission.kernel.buffers[buffer];
  const std::string_view constant = info.access == loop::Access::in ? "const " : "";
  return concat(constant, element_type(info.dtype), "*");
}

}  // namespace

EntryWriter::EntryWriter(Emission& emission, int size_bits)
    : emission_(emission),
      size_bits_(size_bits),
      size_type_(size_bits == 32 ? "int" : "long long"),
      type_(emission.names.add("Entries")),
      table_(emission.names.add("entries")),
      entry_(emission.names.add("entry")),
      first_block_(emission.names.add("first_block")) {}

std::string EntryWriter::argument() const {
  return concat("const __grid_constant__ ", type_, " ", table_);
}

std::string EntryWriter::type() const {
  const CudaBatch& batch = emission_.target.batch;
  const std::string each = concat("[", batch.entries, "];");
  TextWriter text;
  text.line("// Tensors of one launch: the blocks of each begin at its ", first_block_, ".");
  text.line("struct ", type_, " {");
  {
    const auto indent = text.indent();
    const BatchLayout layout = batch_layout(batch, emission_.sizes.size(), size_bits_);
    for (const BatchLayout::Array& array : layout.arrays) text.line(member(array), each);
  }
  text.line("};");
  return text.str();
}

std::string EntryWriter::member(const BatchLayout::Array& array) const {
  switch (array.holds) {
    case BatchLayout::Holds::address:
      return concat(pointer_type(emission_, array.index), " ", emission_.buffers[array.index]);
    case BatchLayout::Holds::param: return concat(size_type_, " ", emission_.sizes[array.index]);
    case BatchLayout::Holds::first_block: return concat("int ", first_block_);
  }
  return {};
}

std::string EntryWriter::write() const {
  const CudaBatch& batch = emission_.target.batch;
  TextWriter& out = emission_.out;
  const unsigned half = std::bit_floor(static_cast<unsigned>(batch.entries - 1));
  out.line("int ", entry_, " = 0;");
  out.line("#pragma unroll");
  out.line("for (int step = ", half, "; step > 0; step /= 2) {");
  {
    const auto indent = out.indent();
    out.line("const int next = ", entry_, " + step;");
    out.line("if (next < ", batch.entries, " && ", table_, ".", first_block_,
             "[next] <= int(blockIdx.x)) ", entry_, " = next;");
  }
  out.line("}");
  const auto of_entry = [&](const std::string& array) {
    return concat(table_, ".", array, "[", entry_, "]");
  };
  const std::string_view restricted = emission_.may_overlap ? " const " : " __restrict__ const ";
  for (size_t i = 0; i < emission_.kernel.argument_count(); ++i) {
    if (batch.is_common[i]) continue;
    const std::string& name = emission_.buffers[i];
    out.line(pointer_type(emission_, i), restricted, name, " = ", of_entry(name), ";");
  }
  for (const std::string& size : emission_.sizes) {
    out.line("const ", size_type_, " ", size, " = ", of_entry(size), ";");
  }
  return concat("(blockIdx.x - ", of_entry(first_block_), ")");
}

}  // namespace cuda

}  // namespace ridge::codegen
