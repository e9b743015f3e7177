// How far a training is, on stderr: one line that rewrites itself on a terminal, else plain lines.
//
//   Progress progress("vision transformer", 900, 64, is_quiet);
//   progress.step(loss, correct);      // after every step
//   progress.finish();
//
//   vision transformer  step 312/900  loss 0.123  accuracy 95.3 %  3210 images/s  12 s left
//
// Loss and accuracy are running means over about twenty steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ridge::command {

class Progress {
 public:
  Progress(std::string title, int64_t steps, int64_t batch_size, bool is_quiet);

  void step(double loss, double correct);
  // A terminal's line is ended; a last plain line is written.
  void finish();

 private:
  void print(bool is_last);

  std::string title_;
  int64_t steps_;
  int64_t batch_size_;
  bool is_quiet_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_, printed_;
  int64_t done_ = 0;
  double loss_ = 0;
  double accuracy_ = 0;
};

// Seconds since `start`.
double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace ridge::command
