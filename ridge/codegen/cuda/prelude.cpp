#include "ridge/codegen/cuda/prelude.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/kernels/cuda_headers.h"

namespace ridge::codegen::cuda {
namespace {

constexpr std::string_view kInclude = "#include \"ridge/kernels/cuda/", kHelper = "// @helper ",
                           kPtxHelper = "// @ptx_helper ", kEnd = "}  // namespace ridge\n";

std::string_view header_text(std::string_view file) {
  for (const kernels::CudaHeader& header : kernels::cuda_headers()) {
    if (header.file == file) return header.text;
  }
  RIDGE_INTERNAL_CHECK(false, concat("no device header ", file));
  return "";
}

// "name needs a b"
DeviceHelper read_mark(std::string_view mark, bool is_ptx) {
  std::vector<std::string_view> words;
  while (!mark.empty()) {
    const size_t length = std::min(mark.find(' '), mark.size());
    words.push_back(mark.substr(0, length));
    mark.remove_prefix(std::min(length + 1, mark.size()));
  }
  RIDGE_INTERNAL_CHECK(words.size() == 1 || (words.size() > 2 && words[1] == "needs"),
                       "a device helper is marked `// @helper name needs others`");
  const std::vector<std::string_view> needs(words.begin() + (words.size() > 1 ? 2 : 1),
                                            words.end());
  return {.name = words[0], .needs = needs, .is_ptx = is_ptx, .text = ""};
}

void read_header(std::string_view text, std::vector<DeviceHelper>& helpers) {
  const size_t first = helpers.size();
  text = text.substr(0, text.rfind(kEnd));
  const char* begin = nullptr;  // of the text of the last helper
  const auto end_helper = [&](const char* end) {
    if (helpers.size() == first) return;
    while (end[-2] == '\n') --end;
    helpers.back().text = std::string_view(begin, static_cast<size_t>(end - begin));
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool is_ptx = line.starts_with(kPtxHelper);
    if (is_ptx || line.starts_with(kHelper)) {
      end_helper(line.data());
      helpers.push_back(read_mark(line.substr((is_ptx ? kPtxHelper : kHelper).size()), is_ptx));
      begin = line.data() + line.size() + 1;
    }
    text.remove_prefix(line.size() + 1);
  }
  end_helper(text.data());
}

std::vector<DeviceHelper> read_helpers() {
  std::vector<DeviceHelper> helpers;
  std::string_view includes = header_text("prelude.cuh");
  for (size_t at = includes.find(kInclude); at != includes.npos; at = includes.find(kInclude)) {
    includes.remove_prefix(at + kInclude.size());
    read_header(header_text(includes.substr(0, includes.find('"'))), helpers);
  }
  return helpers;
}

void add(std::string_view name, std::set<std::string_view>& names) {
  const auto helper = std::ranges::find(device_helpers(), name, &DeviceHelper::name);
  RIDGE_INTERNAL_CHECK(helper != device_helpers().end(), concat("no device helper ", name));
  if (!names.insert(helper->name).second) return;
  for (const std::string_view needed : helper->needs) add(needed, names);
}

}  // namespace

std::span<const DeviceHelper> device_helpers() {
  // Never destroyed: destructors of static objects may still call ops.
  static const std::vector<DeviceHelper>& helpers = *new std::vector<DeviceHelper>(read_helpers());
  return helpers;
}

std::string prelude_text(const std::set<std::string>& used) {
  std::set<std::string_view> names;
  for (const std::string& name : used) add(name, names);
  std::string ptx, rest;
  for (const DeviceHelper& helper : device_helpers()) {
    if (!names.contains(helper.name)) continue;
    std::string& text = helper.is_ptx ? ptx : rest;
    text += '\n';
    text += helper.text;
  }
  if (names.empty()) return "";
  if (!ptx.empty()) {
    ptx = concat("#ifdef RIDGE_ON_HOST  // how tests bring their own\nRIDGE_ON_HOST\n#else", ptx,
                 "#endif\n");
  }
  return concat("namespace ridge {\n", ptx, rest, "}  // namespace ridge\n");
}

}  // namespace ridge::codegen::cuda
