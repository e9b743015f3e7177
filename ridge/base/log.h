// Log: what the library has to say goes through one callback, which the host may replace.
//
//   RIDGE_LOG=kernels,memory ./train          shows these topics on stderr
//
//   if (is_logged("kernels")) log(LogLevel::info, "kernels", describe(kernel));
//   log(LogLevel::warning, "runtime", "no GPU found");
//
// The default callback writes warnings and errors to stderr, and info and debug messages whose
// topic RIDGE_LOG names ("all" names every topic). A callback of the host is given every message
// and filters for itself. Callbacks run on the thread that logs, several at once, with no lock
// held, so they may log or replace the callback; what they throw reaches the caller of log().
#pragma once

#include <functional>
#include <string_view>

namespace ridge {

enum class LogLevel { debug, info, warning, error };

std::string_view name(LogLevel level);

using LogCallback =
    std::function<void(LogLevel level, std::string_view topic, std::string_view message)>;

// Installs a callback and returns the previous one; an empty callback restores the default.
LogCallback set_log_callback(LogCallback callback);

void log(LogLevel level, std::string_view topic, std::string_view message);

// What a level of RIDGE_DEBUG asked for: an info message that no topic of RIDGE_LOG holds back.
void show(std::string_view topic, std::string_view message);

// Whether an info message on this topic has a reader: RIDGE_LOG names it, or the host listens.
// Ask before building a costly message.
bool is_logged(std::string_view topic);

}  // namespace ridge
