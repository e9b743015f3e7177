// Programs that `ridge explain` takes apart: from one op to a whole training step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"

namespace ridge::command {

// An example at some batch, compiled; it has run once.
struct ReadyExample {
  std::shared_ptr<driver::Entry> entry;
  std::function<void()> run;
};

struct Example {
  std::string name;
  std::string what;   // "rows of 1024 through softmax"
  std::string batch;  // what one of a batch is: "rows"
  int64_t usual_batch;
  std::function<ReadyExample(int64_t batch, Device device)> make;
};

const std::vector<Example>& examples();
// Error{unknown_name} with the nearest name.
const Example& find_example(const std::string& name);

}  // namespace ridge::command
