#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

using Clock = std::chrono::steady_clock;

void check_system(bool is_good, const char* call) {
  RIDGE_CHECK(is_good, .code = ErrorCode::state, .op = call, .expected = "a process of its own",
              .given = std::strerror(errno));
}

// Passes on lines until the other end is closed; false if it was silent for too long.
bool read_lines(int from, double seconds, const std::function<void(const std::string&)>& on_line) {
  std::string pending;
  auto heard = Clock::now();
  while (true) {
    const std::chrono::duration<double> silent = Clock::now() - heard;
    const double left = seconds - silent.count();
    if (left <= 0) return false;
    pollfd waiting{.fd = from, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(1e3 * left) + 1) <= 0) continue;
    char bytes[4096];
    const ssize_t count = read(from, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    heard = Clock::now();
    pending.append(bytes, static_cast<size_t>(count));
    for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      on_line(pending.substr(0, end));
      pending.erase(0, end + 1);
    }
  }
  if (!pending.empty()) on_line(pending);
  return true;
}

// Ends with the scope, whatever is thrown there.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (id_ > 0) end();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void end() {
    kill(id_, SIGKILL);
    status();
  }
  int status() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    id_ = -1;
    return status;
  }

 private:
  pid_t id_;
};

[[noreturn]] void be_child(const std::function<int(int)>& work, int out) {
  int code = 1;
  try {
    code = work(out);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  // Not what the parent registered for its own end.
  _exit(code);
}

}  // namespace

std::string ChildEnd::to_text() const {
  switch (kind) {
    case Kind::exited: return concat("exited with ", code);
    case Kind::died: return concat("ended by signal ", code, " (", strsignal(code), ")");
    case Kind::timed_out: return concat("killed: nothing was heard of it for ", seconds, " s");
  }
  return {};
}

ChildEnd run_child(const std::function<int(int out)>& work, double seconds_of_silence,
                   const std::function<void(const std::string& line)>& on_line) {
  int ends[2];
  check_system(pipe2(ends, O_CLOEXEC) == 0, "pipe");
  std::fflush(nullptr);  // or the child would write it once more
  const pid_t id = fork();
  if (id < 0) {
    close(ends[0]);
    close(ends[1]);
  }
  check_system(id >= 0, "fork");
  if (id == 0) {
    close(ends[0]);
    be_child(work, ends[1]);
  }
  close(ends[1]);
  Child child(id);
  bool has_ended = false;
  try {
    has_ended = read_lines(ends[0], seconds_of_silence, on_line);
  } catch (...) {
    close(ends[0]);
    throw;
  }
  close(ends[0]);
  if (!has_ended) {
    child.end();
    return {ChildEnd::Kind::timed_out, 0, seconds_of_silence};
  }
  const int status = child.status();
  if (WIFSIGNALED(status)) return {ChildEnd::Kind::died, WTERMSIG(status), 0};
  return {ChildEnd::Kind::exited, WEXITSTATUS(status), 0};
}

void write_line(int out, std::string line) {
  line += "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t count = write(out, line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR) return;  // nobody reads any more
    if (count > 0) done += static_cast<size_t>(count);
  }
}

}  // namespace ridge::command
