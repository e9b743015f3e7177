#include "ridge/core/storage.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ridge/base/error.h"
#include "ridge/base/log.h"
#include "ridge/core/device_runtime.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::storage_test {
namespace {

TEST(Storage, OwnsItsMemory) {
  const int64_t before = allocator_for(kCpu).stats().live_bytes;
  {
    const auto storage = Storage::allocate(1000, kCpu);
    EXPECT_NE(storage->data(), nullptr);
    EXPECT_EQ(storage->bytes(), 1000u);
    EXPECT_EQ(storage->device(), kCpu);
    EXPECT_EQ(allocator_for(kCpu).stats().live_bytes, before + 1000);
  }
  EXPECT_EQ(allocator_for(kCpu).stats().live_bytes, before);
}

TEST(Storage, MetaTakesNoMemory) {
  const int64_t before = allocator_for(kCpu).stats().live_bytes;
  const auto storage = Storage::allocate(size_t{10} << 40, kMeta);
  EXPECT_EQ(storage->data(), nullptr);
  EXPECT_EQ(storage->bytes(), size_t{10} << 40);
  EXPECT_EQ(allocator_for(kCpu).stats().live_bytes, before);
}

TEST(Storage, CountsVersions) {
  const auto storage = Storage::allocate(8, kCpu);
  EXPECT_EQ(storage->version(), 0u);
  storage->bump_version();
  EXPECT_EQ(storage->version(), 1u);
}

TEST(Storage, DonatedDataIsGone) {
  const auto storage = Storage::allocate(8, kCpu);
  storage->donate();
  EXPECT_TRUE(storage->is_donated());
  try {
    storage->data();
    FAIL() << "read donated memory";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
  }
}

TEST(Storage, DeleterRunsOnceAfterTheLastOwner) {
  int value = 0, calls = 0;
  auto storage = Storage::wrap(&value, sizeof(value), kCpu, [&](void* data) {
    EXPECT_EQ(data, &value);
    ++calls;
  });
  auto other = storage;
  storage.reset();
  EXPECT_EQ(calls, 0);
  other.reset();
  EXPECT_EQ(calls, 1);
}

TEST(Storage, WhatADeleterThrowsIsLogged) {
  std::string logged;
  auto previous = set_log_callback(
      [&](LogLevel, std::string_view, std::string_view message) { logged = message; });
  int value = 0;
  Storage::wrap(&value, 4, kCpu, [](void*) { throw std::runtime_error("disk on fire"); }).reset();
  EXPECT_NE(logged.find("disk on fire"), std::string::npos) << logged;
  Storage::wrap(&value, 4, kCpu, [](void*) { throw 42; }).reset();
  EXPECT_NE(logged.find("unknown type"), std::string::npos) << logged;

  set_log_callback([](LogLevel, std::string_view, std::string_view) { throw 1; });
  Storage::wrap(&value, 4, kCpu, [](void*) { throw 42; }).reset();
  set_log_callback(previous);
}

}  // namespace
}  // namespace ridge::storage_test
