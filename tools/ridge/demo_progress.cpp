#include "demo_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ridge::command {

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

Progress::Progress(std::string title, int64_t steps, int64_t batch_size, bool is_quiet)
    : title_(std::move(title)),
      steps_(steps),
      batch_size_(batch_size),
      is_quiet_(is_quiet),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      start_(steady_clock::now()),
      printed_(start_) {}

void Progress::step(double loss, double correct) {
  ++done_;
  const double share = 1.0 / static_cast<double>(std::min<int64_t>(done_, 20));
  loss_ += share * (loss - loss_);
  accuracy_ += share * (correct / static_cast<double>(batch_size_) - accuracy_);
  const double interval = is_terminal_ ? 0.1 : 5;
  if (seconds_since(printed_) >= interval && done_ < steps_) print(false);
}

void Progress::finish() {
  if (done_ > 0) print(true);
}

void Progress::print(bool is_last) {
  printed_ = steady_clock::now();
  if (is_quiet_) return;
  const double elapsed = std::max(seconds_since(start_), 1e-9);
  const double rate = static_cast<double>(done_) / elapsed;
  std::string line =
      fmt::format("{}  step {}/{}  loss {:.4f}  accuracy {:.1f} %  {:.0f} images/s  ", title_,
                  done_, steps_, loss_, 100 * accuracy_, rate * static_cast<double>(batch_size_));
  line += is_last ? fmt::format("{:.1f} s", elapsed)
                  : fmt::format("{:.0f} s left", static_cast<double>(steps_ - done_) / rate);
  if (is_terminal_) {
    // To the start of the line, and away with what was there.
    fmt::print(stderr, "\r\x1b[K{}{}", line, is_last ? "\n" : "");
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

}  // namespace ridge::command
