#include "ridge/base/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

bool is_topic_wanted(std::string_view topic) {
  if (!is_knob_set(Knob::log)) return false;  // the usual case costs one atomic load
  return std::ranges::any_of(knob_list(Knob::log), [&](const std::string& wanted) {
    return wanted == topic || wanted == "all";
  });
}

void write_to_stderr(LogLevel level, std::string_view topic, std::string_view message) {
  // One call, so that lines of several threads do not mix.
  const std::string line = concat("ridge ", name(level), " [", topic, "] ", message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void log_to_stderr(LogLevel level, std::string_view topic, std::string_view message) {
  if (level < LogLevel::warning && !is_topic_wanted(topic)) return;
  write_to_stderr(level, topic, message);
}

// What log() calls. A snapshot is taken under the lock and called outside it; whoever still runs
// an old callback keeps it alive. Never destroyed: static destructors of the host may log.
struct Sink {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback = std::make_shared<LogCallback>(log_to_stderr);
  std::atomic<bool> is_default{true};  // read without the lock: is_logged is asked often
};

Sink& sink() {
  static Sink* const only = new Sink;
  return *only;
}

}  // namespace

std::string_view name(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
  }
  return "message";  // a value outside the enum, cast from somewhere
}

LogCallback set_log_callback(LogCallback callback) {
  using Function = void (*)(LogLevel, std::string_view, std::string_view);
  if (!callback) callback = log_to_stderr;
  // Giving back the default as we returned it must count as the default.
  const Function* function = callback.target<Function>();
  const bool is_default = function != nullptr && *function == log_to_stderr;
  auto installed = std::make_shared<const LogCallback>(std::move(callback));
  {
    const std::lock_guard lock(sink().mutex);
    sink().callback.swap(installed);
    sink().is_default = is_default;
  }
  return *installed;
}

void log(LogLevel level, std::string_view topic, std::string_view message) {
  std::shared_ptr<const LogCallback> callback;
  {
    const std::lock_guard lock(sink().mutex);
    callback = sink().callback;
  }
  (*callback)(level, topic, message);
}

void show(std::string_view topic, std::string_view message) {
  if (sink().is_default) {
    write_to_stderr(LogLevel::info, topic, message);
  } else {
    log(LogLevel::info, topic, message);
  }
}

bool is_logged(std::string_view topic) { return !sink().is_default || is_topic_wanted(topic); }

}  // namespace ridge
