// Work in a process of its own: it may hang, crash or leave a GPU in a state that no later work survives,
// and the caller goes on.
//
//   const ChildEnd end = run_child([](int out) { ...; return 0; }, 30, [](const std::string& line) { ... });
//   if (!end.is_success()) std::puts(end.to_text().c_str());      // "killed: 30 s without a line"
//
// In: a function that is given where to write lines, and how many seconds it may stay silent. A child that
// is to use a GPU must be forked before the parent has asked for one, or execute a program anew.
#pragma once

#include <functional>
#include <string>

namespace ridge::command {

struct ChildEnd {
  enum class Kind : uint8_t { exited, died, timed_out } kind = Kind::exited;
  int code = 0;        // exit status, or signal
  double seconds = 0;  // of the limit

  bool is_success() const { return kind == Kind::exited && code == 0; }
  std::string to_text() const;
};

// Error{state} where there can be no process.
ChildEnd run_child(const std::function<int(int out)>& work, double seconds_of_silence,
                   const std::function<void(const std::string& line)>& on_line);

// To where a child writes: all of it, whatever interrupts.
void write_line(int out, std::string line);

}  // namespace ridge::command
