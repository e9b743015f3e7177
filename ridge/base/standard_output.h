// The end of a command: what it printed must have arrived, or it has not done its work.
//
//   return finish_output("ridge", code);     code; or 1, and a message on stderr, where the disk was full
#pragma once

namespace ridge {

// Flushes standard output, of C and of C++.
int finish_output(const char* program, int code);

}  // namespace ridge
