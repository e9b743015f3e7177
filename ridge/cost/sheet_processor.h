// The name of this machine's processor, which tells whether a measured sheet is of this machine.
#pragma once

#include <string>
#include <string_view>

namespace ridge::cost {

// As the operating system has it, fit for the title of a sheet. Read once in a process.
const std::string& processor_name();

// From the text of /proc/cpuinfo: its model name, else implementer and part (ARM), else words that
// say there is none. Printable ASCII without quotes and `#`, single blanks.
std::string processor_name_in(std::string_view cpuinfo);

}  // namespace ridge::cost
