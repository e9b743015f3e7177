// Where this thread queues work on each CUDA device.
//
//   const StreamScope scope(stream);
//   current_stream(stream.device)      stream, until the scope ends
//
// A device starts with its default stream, handle 0. Allocations follow the current stream, since
// a request for memory names none. Costs one load; other threads are not affected.
#pragma once

#include "ridge/core/stream.h"

namespace ridge::runtime::cuda {

Stream current_stream(Device device);

class StreamScope {
 public:
  explicit StreamScope(Stream stream);  // Error{device} if it is not of a CUDA device
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Stream outer_;
};

}  // namespace ridge::runtime::cuda
