#include "tests/fuzz/report.h"

#include <cstdio>
#include <filesystem>

#include "ridge/base/files.h"
#include "ridge/base/text.h"
#include "tests/fuzz/shrink.h"

namespace ridge::fuzz {
namespace {

constexpr uint64_t kMostBefore = 1000;

class Search {
 public:
  Search(const Settings& settings, const Outcome& outcome)
      : options_(settings.run), path_(outcome.path) {
    options_.only = path_;
  }

  bool fails(const std::vector<Case>& cases) const {
    const Outcome now = run_apart(cases, options_);
    return now.is_failure() && now.path == path_;
  }

  // What must run before `given` for it to fail, halved as long as one half is enough.
  std::vector<Case> needed(std::vector<Case> before, const Case& given) const {
    while (before.size() > 1) {
      const auto middle = before.begin() + std::ssize(before) / 2;
      std::vector<Case> half(middle, before.end());
      if (!fails(followed(half, given))) half.assign(before.begin(), middle);
      if (!fails(followed(half, given))) break;
      before = std::move(half);
    }
    return before;
  }

  std::vector<Case> smallest(std::vector<Case> cases) const {
    for (size_t i = cases.size(); i-- > 0;) {
      cases[i] = shrink(cases[i], [&](const Case& smaller) {
        std::vector<Case> tried = cases;
        tried[i] = smaller;
        return fails(tried);
      });
    }
    return cases;
  }

  void print_again(const std::vector<Case>& cases) const { print(run_apart(cases, options_)); }

  static std::vector<Case> followed(std::vector<Case> before, const Case& given) {
    before.push_back(given);
    return before;
  }

 private:
  RunOptions options_;
  Path path_;
};

// The cases that the same worker ran before, oldest first.
std::vector<Case> cases_before(const Settings& settings, uint64_t number) {
  const auto step = static_cast<uint64_t>(settings.jobs);
  uint64_t first = number;
  for (uint64_t i = 0; i < kMostBefore && first >= settings.first + step; ++i) first -= step;
  std::vector<Case> cases;
  for (; first < number; first += step) cases.push_back(judgeable_case(settings.seed, first));
  return cases;
}

std::vector<Case> smallest_cases(const Settings& settings, uint64_t number,
                                 const Outcome& outcome) {
  const Search search(settings, outcome);
  const Case given = judgeable_case(settings.seed, number);
  std::vector<Case> cases = {given};
  if (!search.fails(cases)) {
    std::printf("it passes by itself; looking for what it needs to run before\n");
    cases = search.followed(search.needed(cases_before(settings, number), given), given);
    if (!search.fails(cases)) {
      std::printf("it passes after those too: not the same every time\n");
      return {given};
    }
  }
  // Many would take too long, and say too little.
  if (cases.size() <= 4) cases = search.smallest(cases);
  for (const Case& smaller : cases) std::printf("made small:\n%s\n", to_text(smaller).c_str());
  search.print_again(cases);
  return cases;
}

}  // namespace

void print(const Outcome& outcome) {
  std::printf("%s: %s\n", std::string(name(outcome.path)).c_str(), outcome.message.c_str());
}

size_t report(const Settings& settings, const ReportOptions& options, uint64_t number,
              const Outcome& outcome) {
  std::printf("\ngraph %llu of seed %llu fails\n", static_cast<unsigned long long>(number),
              static_cast<unsigned long long>(settings.seed));
  print(outcome);
  std::fflush(stdout);
  const std::vector<Case> cases = options.is_shrunk
                                      ? smallest_cases(settings, number, outcome)
                                      : std::vector<Case>{judgeable_case(settings.seed, number)};
  std::string files;
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string suffix = cases.size() == 1 ? "" : concat("_", i);
    const auto file = std::filesystem::path(options.folder) /
                      concat("ridge_fuzz_", settings.seed, "_", number, suffix, ".graph");
    write_file_atomically(file, to_text(cases[i]));
    files += concat(i == 0 ? "" : ",", file.string());
  }
  std::printf("run it again: ridge_fuzz --replay=%s --only=%s\n", files.c_str(),
              std::string(name(outcome.path)).c_str());
  std::fflush(stdout);
  return cases.back().graph.nodes.size();
}

}  // namespace ridge::fuzz
