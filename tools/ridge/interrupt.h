// Ctrl-C as a question that long work asks between its steps, so that it ends well.
//
//   note_interrupts();
//   while (!was_interrupted()) step();
#pragma once

namespace ridge::command {

// From here on Ctrl-C ends nothing by itself.
void note_interrupts();
bool was_interrupted();
void forget_interrupt();

}  // namespace ridge::command
