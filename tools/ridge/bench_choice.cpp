#include "bench_choice.h"

#include <algorithm>
#include <iterator>

#include "gpu_bench_families.h"
#include "host_bench.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  }
  return !text.empty() && pattern[0] == text[0] && matches(pattern.substr(1), text.substr(1));
}

std::vector<std::string> listed_names() {
  std::vector<std::string> names;
  for (const BenchCase& bench_case : cpu_cases()) names.push_back(bench_case.name);
  for (const GpuCase& gpu_case : gpu_cases()) names.push_back(gpu_case.name);
  for (const std::string& name : host_case_names()) names.push_back(name);
  return names;
}

[[noreturn]] void fail_on(const std::string& pattern, const std::vector<std::string>& names) {
  const std::string guess = did_you_mean(pattern, names);
  throw_error(
      {.code = ErrorCode::unknown_name,
       .op = "bench",
       .expected = "the name of a case, or a pattern such as cpu.pointwise.*",
       .given = pattern,
       .hint = concat(guess, guess.empty() ? "" : " ", "`ridge bench --list '*'` names all")});
}

}  // namespace

ChosenCases chosen_cases(const std::vector<std::string>& patterns) {
  const auto is_chosen = [&](const std::string& name) {
    return std::ranges::any_of(patterns, [&](const std::string& p) { return matches(p, name); });
  };
  ChosenCases cases;
  std::ranges::copy_if(cpu_cases(), std::back_inserter(cases.cpu), is_chosen, &BenchCase::name);
  std::ranges::copy_if(gpu_cases(), std::back_inserter(cases.gpu), is_chosen, &GpuCase::name);
  std::ranges::copy_if(host_case_names(), std::back_inserter(cases.host), is_chosen);
  const std::vector<std::string> names = listed_names();
  for (const std::string& pattern : patterns) {
    const auto is_matched = [&](const std::string& name) { return matches(pattern, name); };
    if (std::ranges::any_of(names, is_matched)) continue;
    if (!pattern.starts_with("gpu.") || pattern.find('*') != std::string::npos)
      fail_on(pattern, names);
    // A name that is given twice is one case.
    if (std::ranges::count(cases.gpu, pattern, &GpuCase::name) > 0) continue;
    cases.gpu.push_back(gpu_case_named(pattern));
  }
  return cases;
}

}  // namespace ridge::command
