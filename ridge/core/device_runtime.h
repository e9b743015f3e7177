// What a device must provide, and where it is registered.
//
// Lower layers get devices by registration, not by include: the CPU registers itself, a GPU
// runtime or an outside backend calls register_device_runtime at start-up, with a name that
// errors and `to_text` quote.
#pragma once

#include <memory>
#include <string>

#include "ridge/base/error.h"
#include "ridge/core/allocator.h"
#include "ridge/core/device.h"

namespace ridge {

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  virtual std::string name() const = 0;  // "cpu", "cuda", ...
  virtual int device_count() const = 0;
  virtual bool has_host_memory() const = 0;  // can the host read its pointers?
  virtual Allocator& allocator(Device device) = 0;
  // Copies bytes between this device and itself or the host, in order on the stream.
  virtual void copy(void* to, const void* from, size_t bytes, Stream stream) = 0;

  // Where the calling thread's work goes unless it says otherwise.
  virtual Stream current_stream(Device device) { return {device, 0}; }
  virtual Stream create_stream(Device device) = 0;
  virtual void synchronize(Stream stream) = 0;
  virtual std::shared_ptr<void> record_event(Stream stream) = 0;
  virtual bool is_complete(void* event) = 0;
  virtual void synchronize(void* event) = 0;
  virtual void wait(Stream stream, void* event) = 0;
  virtual double elapsed_us(void* from, void* to) = 0;
};

// Registering a second runtime for a kind is an error that names both places.
void register_device_runtime(DeviceKind kind, std::unique_ptr<DeviceRuntime> runtime,
                             Location where = Location::current());
// Asked once, when a device of the kind is first needed, to register its runtime: looking for a
// driver takes time that programs without that device need not spend. What it throws says why there
// is none.
void set_device_provider(DeviceKind kind, void (*provide)());
bool has_device_runtime(DeviceKind kind);
DeviceRuntime& device_runtime(DeviceKind kind);  // Error{device} where there is none
// How many devices of the kind can be used: 0 where there is none, or no driver for it. Why that is so
// says the error of a tensor that is to go there.
int device_count(DeviceKind kind);

// The allocator used for new tensors of a device: the runtime's, unless the user set another.
Allocator& allocator_for(Device device);
void set_allocator(Device device, Allocator* allocator);  // null restores the runtime's

// The CPU as a device: host memory behind a cache, streams that are always finished.
//
// It registers itself by being asked for: device_runtime(DeviceKind::cpu) comes here, so nothing
// depends on a static initializer being linked in.

// Made at the first call and never destroyed, because tensors in static variables of the host may
// live longer than any static of ours. At exit it gives back what it has cached, and from then on
// what is released to it.
DeviceRuntime& cpu_runtime();
Location cpu_runtime_location();  // where it "registered", for errors

}  // namespace ridge
