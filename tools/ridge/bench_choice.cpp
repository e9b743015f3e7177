#include "bench_choice.h"

#include <algorithm>
#include <iterator>

#include "gpu_bench_families.h"
#include "host_bench.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

// Where the rest does not fit, only the last `*` need stand for more: what one before it would take, the
// last one can take as well. So the time is at most the product of the lengths.
bool matches(std::string_view pattern, std::string_view text) {
  constexpr size_t kNone = std::string_view::npos;
  size_t at = 0, star = kNone,
         after_star = 0;  // the text from `after_star` on is behind the last star
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      after_star = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != kNone) {
      at = star + 1;
      i = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == kNone;
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
