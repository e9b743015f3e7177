#include "tests/fuzz/view_shrink.h"

#include <algorithm>

namespace ridge::fuzz {
namespace {

// Tensor `gone` is no more: who used it uses `instead`, and those behind it move up.
void renumber(ViewProgram& program, int gone, int instead) {
  const auto fix = [&](int& number) {
    if (number == gone) number = instead;
    if (number > gone) --number;
  };
  for (ViewStep& step : program.steps) {
    fix(step.target);
    if (step.other >= 0) fix(step.other);
  }
  for (int& result : program.results) fix(result);
  for (ViewProgram::Replacement& replaced : program.replaced) fix(replaced.tensor);
}

void add_without_steps(const ViewProgram& program, std::vector<ViewProgram>& smaller) {
  for (size_t i = program.steps.size(); i-- > 0;) {
    ViewProgram less = program;
    less.steps.erase(less.steps.begin() + static_cast<ptrdiff_t>(i));
    const int gone = static_cast<int>(program.arguments.size() + i);
    renumber(less, gone, program.steps[i].target);
    smaller.push_back(std::move(less));
  }
}

void add_without_arguments(const ViewProgram& program, std::vector<ViewProgram>& smaller) {
  for (size_t i = 0; i < program.arguments.size() && program.arguments.size() > 1; ++i) {
    ViewProgram less = program;
    less.arguments.erase(less.arguments.begin() + static_cast<ptrdiff_t>(i));
    const int gone = static_cast<int>(i);
    renumber(less, gone, gone == 0 ? 1 : 0);
    std::erase_if(less.replaced, [&](const auto& replaced) { return replaced.argument == gone; });
    for (auto& replaced : less.replaced) replaced.argument -= replaced.argument > gone ? 1 : 0;
    smaller.push_back(std::move(less));
  }
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    for (size_t step = 0; step < program.arguments[i].steps.size(); ++step) {
      ViewProgram less = program;
      auto& steps = less.arguments[i].steps;
      steps.erase(steps.begin() + static_cast<ptrdiff_t>(step));
      smaller.push_back(std::move(less));
    }
  }
}

std::vector<ViewProgram> smaller_programs(const ViewProgram& program) {
  std::vector<ViewProgram> smaller;
  add_without_steps(program, smaller);
  for (size_t i = 0; i < program.results.size() && program.results.size() > 1; ++i) {
    ViewProgram less = program;
    less.results.erase(less.results.begin() + static_cast<ptrdiff_t>(i));
    smaller.push_back(std::move(less));
  }
  for (size_t i = 0; i < program.resized.size(); ++i) {
    ViewProgram less = program;
    less.resized.erase(less.resized.begin() + static_cast<ptrdiff_t>(i));
    smaller.push_back(std::move(less));
  }
  if (!program.replaced.empty()) {
    ViewProgram less = program;
    less.replaced.clear();
    smaller.push_back(std::move(less));
  }
  add_without_arguments(program, smaller);
  return smaller;
}

}  // namespace

ViewProgram shrink(const ViewProgram& failing, ViewPath path, Plant plant) {
  ViewProgram smallest = failing;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const ViewProgram& candidate : smaller_programs(smallest)) {
      if (!is_runnable(candidate) || run_on_path(candidate, path, plant).empty()) continue;
      smallest = candidate;
      has_changed = true;
      break;
    }
  }
  return smallest;
}

}  // namespace ridge::fuzz
