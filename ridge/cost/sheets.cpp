#include "ridge/cost/sheets.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"

namespace ridge::cost {
namespace {

namespace fs = std::filesystem;

using SheetRef = std::shared_ptr<const Sheet>;

constexpr std::string_view kStandIn = "generic-cpu";
constexpr std::string_view kThisCpu = "this-cpu";
constexpr std::string_view kThisGpu = "this-gpu";

struct Found {
  SheetRef sheet;
  std::string file;
};
using Collection = std::map<std::string, Found, std::less<>>;

[[noreturn]] void throw_unreadable(std::string_view expected, const fs::path& path,
                                   const std::error_code& reason) {
  throw Error({.code = ErrorCode::io,
               .expected = std::string(expected),
               .given = concat("`", path.string(), "`: ", reason.message())});
}

// The largest that is shipped has 12 KiB.
constexpr size_t kMostSheetBytes = size_t{1} << 20;

SheetRef read_sheet(const fs::path& path) {
  return std::make_shared<const Sheet>(
      parse_sheet(read_file(path, kMostSheetBytes), path.string()));
}

// Two sheets of one name within a place are a mistake; between places the later one hides.
void add(Collection& collection, const SheetRef& sheet, const std::string& file) {
  const auto [place, is_new] = collection.try_emplace(sheet->name, Found{sheet, file});
  RIDGE_CHECK(is_new, .code = ErrorCode::value,
              .expected = concat("one device sheet named `", sheet->name, "`"),
              .given = concat("`", place->second.file, "` and `", file, "`"));
}

// Parsed once: the texts are part of the library.
const Collection& shipped() {
  static const Collection& sheets = *new Collection([] {
    Collection result;
    for (const ShippedSheet& entry : shipped_sheets()) {
      const std::string file(entry.file);
      add(result, std::make_shared<const Sheet>(parse_sheet(entry.text, file)), file);
    }
    return result;
  }());
  return sheets;
}

Collection of_user() {
  Collection result;
  const fs::path folder = knob_text(Knob::devices);
  if (folder.empty()) return result;
  std::error_code failure;
  std::vector<fs::path> files;
  fs::directory_iterator entries(folder, failure);
  if (failure) throw_unreadable("a folder of device sheets in RIDGE_DEVICES", folder, failure);
  for (const fs::directory_entry& entry : entries) {
    if (entry.path().extension() == ".sheet") files.push_back(entry.path());
  }
  std::ranges::sort(files);  // folders have no order, errors should
  for (const fs::path& file : files) add(result, read_sheet(file), file.string());
  return result;
}

Collection collect() {
  Collection result = shipped();
  for (auto& [name, found] : of_user()) result.insert_or_assign(name, found);
  if (SheetRef sheet = calibrated_sheet()) {
    const std::string name = sheet->name;
    result.insert_or_assign(name, Found{std::move(sheet), calibrated_path()});
  }
  if (SheetRef sheet = calibrated_gpu_sheet()) {
    const std::string name = sheet->name;
    result.insert_or_assign(name, Found{std::move(sheet), calibrated_gpu_path()});
  }
  return result;
}

void warn_not_used(const std::string& path, std::string_view stand_in, std::string_view problem) {
  warn_once(concat("the calibrated sheet ", path, " is not used, ", stand_in,
                   " stands in: ", problem, "; `ridge devices --calibrate` writes a new one"));
}

// Families come first: `h100` is closer to `h200` than to `h100-sxm`, and not meant that way.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& names) {
  if (name == kThisCpu) return "`ridge devices --calibrate` measures this machine";
  if (name == kThisGpu) return "`ridge devices --calibrate --device cuda` measures this machine's";
  std::vector<std::string> family;
  for (const std::string_view known : names) {
    if (!name.empty() && known.starts_with(name)) family.push_back(concat("`", known, "`"));
  }
  if (!family.empty()) return concat("did you mean ", join(family, " or "), "?");
  const std::string guess = did_you_mean(name, names);
  return guess.empty() ? "the devices are " + join(names, ", ") : guess;
}

}  // namespace

void warn_once(const std::string& text) {
  static std::mutex& guard = *new std::mutex;
  static std::set<std::string>& said = *new std::set<std::string>;
  {
    const std::lock_guard lock(guard);
    if (!said.insert(text).second) return;
  }
  log(LogLevel::warning, "cost", text);
}

std::vector<SheetRef> all_sheets() {
  std::vector<SheetRef> sheets;
  for (const auto& [name, found] : collect()) sheets.push_back(found.sheet);
  return sheets;
}

SheetRef find_sheet(std::string_view name) {
  const Collection sheets = collect();
  std::string small(name);  // H200 is what people write
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto exact = sheets.find(name);
  const auto found = exact == sheets.end() ? sheets.find(small) : exact;
  if (found != sheets.end()) return found->second.sheet;
  std::vector<std::string_view> names;
  for (const auto& [known, unused] : sheets) names.push_back(known);
  throw Error({.code = ErrorCode::unknown_name,
               .expected = "the name of a device",
               .given = concat("`", name, "`"),
               .hint = suggestion(name, names)});
}

std::shared_ptr<const Sheet> described_gpu(std::string_view device_name) {
  for (const auto& sheet : all_sheets()) {
    const bool is_described = sheet->kind == SheetKind::gpu && !sheet->is_measured;
    if (is_described && sheet->describes(device_name)) return sheet;
  }
  return nullptr;
}

std::shared_ptr<const Sheet> gpu_sheet(std::string_view device_name) {
  const SheetRef measured = calibrated_gpu_sheet();
  if (measured && measured->title == device_name) return measured;
  const SheetRef described = described_gpu(device_name);
  if (described) return described;
  const SheetRef stand_in = find_sheet("h200");
  warn_once(concat("no device sheet has the line `device-name ", device_name, "`: figures of ",
                   stand_in->name,
                   " stand in; `ridge devices --calibrate --device cuda` "
                   "measures this GPU"));
  return stand_in;
}

std::string calibrated_path() {
  const std::string folder = cache_folder();
  return folder.empty() ? folder : concat(folder, "/", kThisCpu, ".sheet");
}

std::string calibrated_gpu_path() {
  const std::string folder = cache_folder();
  return folder.empty() ? folder : concat(folder, "/", kThisGpu, ".sheet");
}

SheetRef calibrated_gpu_sheet() {
  const std::string path = calibrated_gpu_path();
  std::error_code failure;
  if (path.empty() || !fs::exists(path, failure)) return nullptr;
  try {
    return read_sheet(path);
  } catch (const Error& error) {
    warn_not_used(path, "the datasheet", error.what());
  }
  return nullptr;
}

SheetRef calibrated_sheet() {
  const std::string path = calibrated_path();
  std::error_code failure;
  if (path.empty() || !fs::exists(path, failure)) return nullptr;
  try {
    SheetRef sheet = read_sheet(path);
    if (sheet->title == processor_name()) return sheet;
    warn_not_used(path, kStandIn,
                  concat("it is of `", sheet->title, "`, this is `", processor_name(), "`"));
  } catch (const Error& error) {
    warn_not_used(path, kStandIn, error.what());
  }
  return nullptr;
}

SheetRef this_cpu() {
  // Never destroyed: static destructors of the host may still compile.
  static const SheetRef& sheet = *new SheetRef([] {
    SheetRef calibrated = calibrated_sheet();
    return calibrated ? calibrated : find_sheet(kStandIn);
  }());
  return sheet;
}

namespace {

// What a sheet's title can hold, which is a line without quotes and comments.
std::string as_title(std::string_view text) {
  std::string title;
  for (const char c : text) {
    const bool is_good = c > ' ' && c <= '~' && c != '"' && c != '#';
    if (is_good) {
      title += c;
    } else if (!title.empty() && title.back() != ' ') {
      title += ' ';
    }
  }
  if (title.ends_with(' ')) title.pop_back();
  return title;
}

// Behind the colon of the first line that starts with `key`.
std::string field(std::string_view text, std::string_view key) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string_view::npos) {
      return as_title(line.substr(colon + 1));
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::string processor_name_in(std::string_view cpuinfo) {
  const std::string model = field(cpuinfo, "model name");
  if (!model.empty()) return model;
  const std::string implementer = field(cpuinfo, "CPU implementer");
  if (implementer.empty()) return "processor without a name";
  return concat("processor ", implementer, " part ", field(cpuinfo, "CPU part"));
}

const std::string& processor_name() {
  static const std::string& name = *new std::string([] {
    std::ifstream file("/proc/cpuinfo");
    return processor_name_in(std::string{std::istreambuf_iterator<char>(file), {}});
  }());
  return name;
}

}  // namespace ridge::cost
