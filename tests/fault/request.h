// What Ridge asks of the system and may be refused, one request at a time (fault.h).
#pragma once

namespace ridge::fault {

enum class Request { allocation, thread, file };

// Asked at each request: is this the one to fail?
bool is_to_fail(Request request) noexcept;

}  // namespace ridge::fault
