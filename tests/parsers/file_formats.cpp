#include "file_formats.h"

#include <stdexcept>
#include <string>

#include "ridge/base/json_reader.h"
#include "ridge/files/dequantize.h"
#include "ridge/files/gguf.h"
#include "ridge/files/npy.h"
#include "ridge/files/pickle.h"
#include "ridge/files/safetensors.h"

namespace ridge::parsers {
namespace {

using namespace files;

Ref<MappedFile> as_file(std::string_view bytes) {
  return MappedFile::of_bytes(std::string(bytes), "fuzzed");
}

// Reads every element: what lies outside of the file is found by a sanitizer.
void use(const Tensor& tensor) {
  if (tensor.numel().value() > 1 << 20) return;  // of a view with stride 0
  if (!is_storage_only(tensor.dtype())) (void)tensor.to_vector<double>();
}
void use(const WeightFile& file) {
  for (const StoredTensor& stored : file.tensors()) {
    (void)describe(stored);
    use(dequantized(stored));
    if (file.find(stored.name) == nullptr)
      throw std::logic_error("a tensor is not found by its name");
  }
}
// One of 64 bits without sign may be too large, which is no fault of the file.
void use_integer(const GgufValue& value) {
  try {
    (void)value.integer();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::value) throw;
  }
}
void use(const GgufValue& value) {
  switch (value.kind()) {
    case GgufKind::boolean: (void)value.flag(); break;
    case GgufKind::integer: use_integer(value); break;
    case GgufKind::real: (void)value.real(); break;
    case GgufKind::text: (void)value.text(); break;
    case GgufKind::array:
      for (const GgufValue& element : value.elements()) use(element);
  }
}

void read_gguf(std::string_view bytes) {
  const Gguf gguf = Gguf::read(as_file(bytes));
  use(gguf.weights());
  for (const auto& [key, value] : gguf.metadata()) use(value);
}
void read_json(std::string_view bytes) {
  JsonReader json(bytes, "fuzzed");
  json.skip();
  json.end();
}
void read_any(std::string_view bytes) { use(read_weights(as_file(bytes))); }
void read_one_npy(std::string_view bytes) { use(read_npy(as_file(bytes))); }
void read_one_safetensors(std::string_view bytes) { use(read_safetensors(as_file(bytes))); }
void read_pickle(std::string_view bytes) {
  (void)read_pickled_tensors(std::as_bytes(std::span(bytes)), "fuzzed");
}

template <void (*read)(std::string_view)>
bool is_accepted(std::string_view bytes) {
  try {
    read(bytes);
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return false;
  }
}

constexpr FileFormat kFileFormats[] = {
    {"gguf", is_accepted<read_gguf>},
    {"safetensors", is_accepted<read_one_safetensors>},
    {"npy", is_accepted<read_one_npy>},
    {"zip", is_accepted<read_any>},  // npz and PyTorch's files
    {"pickle", is_accepted<read_pickle>},
    {"json", is_accepted<read_json>},
};

}  // namespace

std::span<const FileFormat> file_formats() { return kFileFormats; }

const FileFormat& find_file_format(std::string_view name) {
  for (const FileFormat& format : kFileFormats) {
    if (format.name == name) return format;
  }
  throw std::invalid_argument("no file format `" + std::string(name) + "`");
}

}  // namespace ridge::parsers
