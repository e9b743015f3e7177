#include "ridge/verify/repro_folder.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "ridge/base/files.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/verify/repro_text.h"

namespace ridge::verify {
namespace {

constexpr int64_t kMostInputBytes = int64_t{64} << 20;

// Knobs as the shell would set them; defaults left out.
std::string knobs_text() {
  std::string text;
  for (const KnobInfo& info : knob_table()) {
    if (is_knob_set(info.knob)) text += concat(info.name, "=", knob_text(info.knob), "\n");
  }
  return text;
}

std::string version_text() {
  return concat("ridge ", RIDGE_VERSION, ", LLVM ", RIDGE_LLVM_TEXT, "\n");
}

std::optional<std::string> content(const std::filesystem::path& path) {
  return read_file_if_there(path);
}

// A line that somebody else wrote, for the terminal: short, and nothing that controls it.
std::string shown(std::string_view text) {
  constexpr size_t kMostShown = 80;
  std::string line(text.substr(0, std::min(text.find('\n'), kMostShown)));
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' ' || c >= 127; }, '?');
  return line;
}

// NAME=value on each line, of knobs that there are.
void verify_knobs(const std::string& file, const std::string& text) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const std::string place = concat(file, ":", number);
    RIDGE_CHECK(equals != std::string::npos, .code = ErrorCode::parse, .op = place,
                .expected = "NAME=value", .given = concat("`", shown(line), "`"));
    try {
      check_knob(find_knob(line.substr(0, equals)), line.substr(equals + 1));
    } catch (const Error& error) {
      throw Error({.code = ErrorCode::parse,
                   .op = place,
                   .expected = error.expected(),
                   .given = shown(error.given()),
                   .hint = error.hint()});
    }
  }
}

bool are_kept(std::span<const Tensor> inputs) {
  int64_t bytes = 0;
  for (const Tensor& input : inputs) {
    bytes += static_cast<int64_t>(bytes_for(input.dtype(), input.numel().value()));
    if (bytes > kMostInputBytes) return false;
  }
  return !inputs.empty();
}

}  // namespace

void write_reproduction(const std::filesystem::path& folder, const graph::Graph& graph,
                        const graph::GraphOptions& options, std::span<const Tensor> inputs,
                        const std::string& what) {
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically(folder / name, text);
  };
  write("graph.ir", to_text(graph));
  // Those of tensors are numbers, where the program is for any.
  write("strides.txt", inputs.empty() ? strides_text(options.input_strides) : strides_text(inputs));
  write("knobs.txt", knobs_text());
  write("version.txt", version_text());
  write("error.txt", what + "\n");
  if (options.memory_budget > 0) write("budget.txt", concat(options.memory_budget, "\n"));
  if (are_kept(inputs)) write("inputs.ir", inputs_text(inputs));
}

Reproduction read_reproduction(const std::filesystem::path& path) {
  const bool is_folder = std::filesystem::is_directory(path);
  const std::filesystem::path folder = is_folder ? path : path.parent_path();
  const std::filesystem::path main_file = is_folder ? path / "graph.ir" : path;
  const std::optional<std::string> text = content(main_file);
  RIDGE_CHECK(text.has_value(), .code = ErrorCode::io, .op = "repro",
              .expected = "a folder with a graph.ir in it", .given = path.string());
  const auto read = [&](const char* name) { return content(folder / name).value_or(""); };
  const auto file = [&](const char* name) {
    return ReproductionText::File{(folder / name).string(), read(name)};
  };
  const std::string version = read("version.txt");
  if (!version.empty() && version != version_text()) {
    log(LogLevel::warning, "repro",
        concat("written by ", shown(version), ", read by ", shown(version_text())));
  }
  const ReproductionText::File knobs = file("knobs.txt");
  verify_knobs(knobs.name, knobs.text);
  RecordedRun run = parse_recorded_run({.graph = {main_file.string(), *text},
                                        .inputs = file("inputs.ir"),
                                        .strides = file("strides.txt"),
                                        .budget = file("budget.txt")});
  graph::GraphOptions options{
      .name = "repro", .input_strides = std::move(run.strides), .memory_budget = run.memory_budget};
  return {std::move(run.graph), std::move(options), std::move(run.inputs), knobs.text,
          path.string()};
}

RecordedKnobs::RecordedKnobs(const std::string& text, Trust trust) {
  std::vector<std::string_view> left_out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const KnobInfo& info = find_knob(line.substr(0, equals));
    if (info.knob == Knob::dump || is_knob_set(info.knob)) continue;
    if (trust == Trust::everything || info.effect == KnobEffect::decision) {
      scopes_.push_back(std::make_unique<ScopedKnob>(info.knob, line.substr(equals + 1)));
    } else {
      left_out.push_back(info.name);
    }
  }
  if (left_out.empty()) return;
  log(LogLevel::warning, "repro",
      concat("recorded, but not obeyed: ", join(left_out, ", "),
             "; only knobs that decide what is computed are, unless the reproduction is trusted "
             "(--trust)"));
}

}  // namespace ridge::verify
