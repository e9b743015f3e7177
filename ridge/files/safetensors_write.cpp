#include <algorithm>
#include <set>

#include "ridge/base/atomic_file.h"
#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"
#include "ridge/files/row_major.h"
#include "ridge/files/safetensors.h"
#include "ridge/files/safetensors_dtype.h"

namespace ridge::files {
namespace {

constexpr size_t kAlignment = 8;  // of the data, as other writers have it

void check_text(std::string_view what, std::string_view text) {
  RIDGE_CHECK(is_utf8(text), .code = ErrorCode::value, .expected = concat(what, " in UTF-8"),
              .given = "other bytes");
}

// Wider elements first, so that each tensor is aligned for its dtype; equal ones stay in order.
std::vector<const std::pair<std::string, Tensor>*> by_width(const NamedTensors& tensors) {
  std::vector<const std::pair<std::string, Tensor>*> order;
  for (const auto& named : tensors) order.push_back(&named);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const auto* named) { return named->second.dtype().bits; });
  return order;
}

std::string header_of(const std::vector<const std::pair<std::string, Tensor>*>& order,
                      const Metadata& metadata) {
  std::vector<std::string> members;
  if (!metadata.empty()) {
    members.push_back(concat("\"__metadata__\":{",
                             join(metadata, ",",
                                  [](const auto& pair) {
                                    return concat(json_text(pair.first), ":",
                                                  json_text(pair.second));
                                  }),
                             "}"));
  }
  size_t offset = 0;
  for (const auto* named : order) {
    const Tensor& tensor = named->second;
    const size_t end = offset + bytes_for(tensor.dtype(), tensor.numel().value());
    members.push_back(concat(
        json_text(named->first), ":{\"dtype\":\"", safetensors_name(tensor.dtype()),
        "\",\"shape\":[", join(tensor.shape(), ",", [](const Size& size) { return size.value(); }),
        "],\"data_offsets\":[", offset, ",", end, "]}"));
    offset = end;
  }
  std::string header = concat("{", join(members, ","), "}");
  header.append((kAlignment - header.size() % kAlignment) % kAlignment, ' ');
  return header;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const Metadata& metadata, Location where) {
  located("write_safetensors", where, [&] {
    std::set<std::string_view> names;
    for (const auto& [name, tensor] : tensors) {
      check_text("names", name);
      RIDGE_CHECK(name != "__metadata__" && names.insert(name).second, .code = ErrorCode::value,
                  .expected = "names that occur once and are not `__metadata__`",
                  .given = concat("`", name, "`"));
      tensor.impl(where);  // an Error if it is undefined
    }
    for (const auto& [key, text] : metadata) {
      check_text("metadata", key);
      check_text("metadata", text);
    }
    const auto order = by_width(tensors);
    const std::string header = header_of(order, metadata);
    const uint64_t length = header.size();
    // A file that cannot be read must not replace one that can.
    RIDGE_CHECK(length <= kMostHeaderBytes, .code = ErrorCode::value,
                .expected = concat("names and metadata of at most ", kMostHeaderBytes, " bytes"),
                .given = to_text(length));
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(&length, 1)));
    file.write(header);
    for (const auto* named : order) {
      const Tensor here = row_major_on_host(named->second);
      file.write(bytes_of(here));
    }
    file.commit();
  });
}

}  // namespace ridge::files
