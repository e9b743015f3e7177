#include "interrupt.h"

#include <csignal>

namespace ridge::command {
namespace {

volatile std::sig_atomic_t has_interrupt = 0;

}  // namespace

void note_interrupts() {
  std::signal(SIGINT, [](int) { has_interrupt = 1; });
}
bool was_interrupted() { return has_interrupt != 0; }
void forget_interrupt() { has_interrupt = 0; }

}  // namespace ridge::command
