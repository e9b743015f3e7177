#include "ridge/driver/repro.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "ridge/base/dump.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"

namespace ridge::driver {
namespace {

std::filesystem::path next_folder(const std::string& name) {
  static std::atomic<int> number{0};
  const std::filesystem::path parent = is_knob_set(Knob::dump)
                                           ? std::filesystem::path(knob_text(Knob::dump))
                                           : std::filesystem::temp_directory_path();
  std::string safe = name;
  for (char& c : safe) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return parent / concat("ridge_repro_", safe, "_", getpid(), "_", number++);
}

// Knobs as the shell would set them; defaults left out.
std::string knobs_text() {
  std::string text;
  for (const KnobInfo& info : knob_table()) {
    if (is_knob_set(info.knob)) text += concat(info.name, "=", knob_text(info.knob), "\n");
  }
  return text;
}

// Of each input a line: its strides, or nothing where it is row-major.
std::string strides_text(const GraphOptions& options) {
  std::string text;
  for (const std::optional<Shape>& strides : options.input_strides) {
    if (strides) text += join(*strides, " ");
    text += "\n";
  }
  return text;
}

std::vector<std::optional<Shape>> read_strides(const std::string& text) {
  std::vector<std::optional<Shape>> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    std::optional<Shape>& strides = result.emplace_back();
    for (int64_t stride = 0; numbers >> stride;) {
      if (!strides) strides.emplace();
      strides->push_back(stride);
    }
  }
  return result;
}

std::string version_text() {
  return concat("ridge ", RIDGE_VERSION, ", LLVM ", RIDGE_LLVM_TEXT, "\n");
}

// The folder being reproduced on this thread: failing again leaves no further one.
thread_local const std::string* reproduced_folder = nullptr;

}  // namespace

bool is_reproducing() { return reproduced_folder != nullptr; }

std::string leave_reproduction(const graph::Graph& graph, const GraphOptions& options,
                               const std::string& what) {
  if (reproduced_folder != nullptr) return "reproduce: ridge repro " + *reproduced_folder;
  try {
    const std::filesystem::path folder = next_folder(options.name);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "graph.ir", to_text(graph));
    write_file_atomically(folder / "strides.txt", strides_text(options));
    write_file_atomically(folder / "knobs.txt", knobs_text());
    write_file_atomically(folder / "version.txt", version_text());
    write_file_atomically(folder / "error.txt", what + "\n");
    return "reproduce: ridge repro " + folder.string();
  } catch (const std::exception& error) {
    // The failure itself matters more than what could not be written about it.
    return concat("no reproduction could be written: ", error.what());
  }
}

namespace {

std::optional<std::string> content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

// The knobs of a reproduction, as knobs_text wrote them, for as long as it lives.
class RecordedKnobs {
 public:
  explicit RecordedKnobs(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t equals = line.find('=');
      if (equals == std::string::npos) continue;
      const Knob knob = find_knob(line.substr(0, equals)).knob;
      if (knob == Knob::dump || is_knob_set(knob)) continue;
      scopes_.push_back(std::make_unique<ScopedKnob>(knob, line.substr(equals + 1)));
    }
  }

 private:
  std::vector<std::unique_ptr<ScopedKnob>> scopes_;
};

struct Reproducing {
  explicit Reproducing(const std::string& folder) { reproduced_folder = &folder; }
  ~Reproducing() { reproduced_folder = nullptr; }
  Reproducing(const Reproducing&) = delete;
  Reproducing& operator=(const Reproducing&) = delete;
};

}  // namespace

void reproducing(const graph::Graph& graph, const GraphOptions& options,
                 const std::function<void()>& stages) {
  try {
    stages();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::internal) throw;
    const std::string own_hint = error.hint().empty() ? "" : error.hint() + "; ";
    throw Error({.code = ErrorCode::internal,
                 .op = error.op(),
                 .expected = error.expected(),
                 .given = error.given(),
                 .hint = own_hint + leave_reproduction(graph, options, error.what()),
                 .where = error.where()});
  } catch (const std::exception& error) {
    throw Error({.code = ErrorCode::internal,
                 .op = options.name,
                 .expected = "a program",
                 .given = error.what(),
                 .hint = leave_reproduction(graph, options, error.what())});
  }
}

void reproduce(const std::string& folder) {
  const std::filesystem::path path(folder);
  const std::optional<std::string> text = content(path / "graph.ir");
  RIDGE_CHECK(text.has_value(), .code = ErrorCode::io, .op = "repro",
              .expected = "a folder with a graph.ir in it", .given = folder);
  const RecordedKnobs knobs(content(path / "knobs.txt").value_or(""));
  const Reproducing current(folder);
  const std::string version = content(path / "version.txt").value_or("");
  if (!version.empty() && version != version_text()) {
    log(LogLevel::warning, "repro",
        concat("written by ", version.substr(0, version.find('\n')), ", read by ", version_text()));
  }
  const CompiledGraph compiled(
      graph::parse(*text),
      {.name = "repro", .input_strides = read_strides(content(path / "strides.txt").value_or(""))});
}

}  // namespace ridge::driver
