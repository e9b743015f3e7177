// Ctrl-C as a question that long work asks between its steps, so that it ends well.
//
//   note_interrupts();
//   while (!was_interrupted()) step();
//   if (was_interrupted()) return interrupt_exit_code();      130
//
//   while (const auto line = lines.next()) answer(*line);     ends at Ctrl-C too
#pragma once

#include <optional>
#include <string>

namespace ridge::command {

// From here on Ctrl-C ends nothing by itself.
void note_interrupts();
// The same for SIGTERM, which counts as an interrupt then.
void note_terminations();
bool was_interrupted();
void forget_interrupt();
// As shells have it of a process that a signal ended: 130 after Ctrl-C, 143 after SIGTERM.
int interrupt_exit_code();

// Lines of standard input, which nothing else reads then: reading by std::cin goes on after a signal.
class InputLines {
 public:
  // Without its line end. Nothing at the end of the input, and where Ctrl-C comes before the line does.
  std::optional<std::string> next();

 private:
  std::string pending_;
  bool has_ended_ = false;
};

}  // namespace ridge::command
