#include "ridge/codegen/cuda/batched.h"

#include <bit>
#include <cstring>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/expr/evaluate.h"

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
    for (size_t i = 0; i < emission_.kernel.argument_count(); ++i) {
      if (batch.is_common[i]) continue;
      text.line(pointer_type(emission_, i), " ", emission_.buffers[i], each);
    }
    for (const std::string& size : emission_.sizes) text.line(size_type_, " ", size, each);
    text.line("int ", first_block_, each);
  }
  text.line("};");
  return text.str();
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

BatchTable::BatchTable(const CudaKernel& kernel, std::span<const std::vector<int64_t>> sizes)
    : entries_(sizes.size()) {
  RIDGE_INTERNAL_CHECK(static_cast<int>(entries_) == kernel.batch.entries,
                       "a table of another number of entries than the kernel's");
  size_t columns = 0;
  for (const bool is_common : kernel.batch.is_common) {
    column_.push_back(columns);
    columns += is_common ? 0 : 1;
  }
  const size_t size_bytes = kernel.size_bits / 8;
  const size_t params = sizes.empty() ? 0 : sizes.front().size();
  const size_t all = entries_ * (columns * sizeof(void*) + params * size_bytes + sizeof(int32_t));
  bytes_.resize((all + alignof(void*) - 1) / alignof(void*) * alignof(void*));
  std::byte* const numbers = bytes_.data() + columns * entries_ * sizeof(void*);
  for (size_t e = 0; e < entries_; ++e) {
    for (size_t i = 0; i < params; ++i) {
      // The low half of a number that fits comes first.
      std::memcpy(numbers + (i * entries_ + e) * size_bytes, &sizes[e][i], size_bytes);
    }
    const auto first = static_cast<int32_t>(blocks_);
    std::memcpy(numbers + params * entries_ * size_bytes + e * sizeof first, &first, sizeof first);
    expr::Leaves leaves;
    leaves.param = [&](int index) {
      return expr::Number::of(sizes[e][static_cast<size_t>(index)]);
    };
    blocks_ += expr::evaluate(kernel.blocks, leaves).as_integer();
  }
  RIDGE_INTERNAL_CHECK(blocks_ < int64_t{1} << 31, "more blocks than a grid has");
}

void BatchTable::set_buffer(size_t entry, size_t buffer, void* address) {
  const size_t at = (column_[buffer] * entries_ + entry) * sizeof address;
  std::memcpy(bytes_.data() + at, &address, sizeof address);
}

}  // namespace ridge::codegen
