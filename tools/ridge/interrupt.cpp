#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace ridge::command {
namespace {

volatile std::sig_atomic_t noted_signal = 0;  // 0: none
// A pipe that the handler writes to: a signal wakes poll() up whichever thread it comes to, and just
// before poll() too.
std::array<int, 2> wake = {-1, -1};

void note(int signal) {
  const int number = errno;
  noted_signal = signal;
  [[maybe_unused]] const ssize_t written = ::write(wake[1], "", 1);
  errno = number;
}

void note_signal(int signal) {
  if (wake[0] < 0 && ::pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0) wake = {-1, -1};
  std::signal(signal, note);
}

}  // namespace

void note_interrupts() { note_signal(SIGINT); }
void note_terminations() { note_signal(SIGTERM); }
bool was_interrupted() { return noted_signal != 0; }
int interrupt_exit_code() { return 128 + noted_signal; }

void forget_interrupt() {
  std::array<char, 64> bytes{};
  while (::read(wake[0], bytes.data(), bytes.size()) > 0) {}
  noted_signal = 0;
}

std::optional<std::string> InputLines::next() {
  for (size_t searched = 0;;) {
    if (was_interrupted()) return {};
    if (const size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    if (has_ended_) {
      if (pending_.empty()) return {};
      return std::exchange(pending_, "");
    }
    searched = pending_.size();
    std::array<pollfd, 2> sources = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake[0], POLLIN, 0}};
    if (::poll(sources.data(), sources.size(), -1) < 0 || sources[0].revents == 0) continue;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) has_ended_ = true;
    if (count > 0) pending_.append(bytes.data(), static_cast<size_t>(count));
  }
}

}  // namespace ridge::command
