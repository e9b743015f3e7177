// The layers in their order, each masking itself, down to a backend registered from outside.
#include <gtest/gtest.h>

#include <cstring>

#include "ridge/core/allocator.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/derived.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"

namespace ridge::dispatch::layering_test {
namespace {

using Notes = std::vector<std::string>;

TEST(Layering, EachLayerMasksItselfAndPassesTheRestDown) {
  auto& table = OperatorTable::instance();
  const Operator& op =
      table.add(parse_schema("layered(Tensor x) -> Tensor"), nullptr, Location::current());
  Notes notes;
  std::vector<RegistrationHandle> handles;
  for (const Key key : {Key::profile, Key::autocast, Key::autograd}) {
    const auto layer = make_kernel([&notes, key](Frame& frame, KeySet keys) {
      notes.push_back(std::string(name(key)) + " sees " + to_text(keys));
      redispatch(frame, keys & KeySet::below(key));
    });
    handles.push_back(table.add_kernel("layered", key, layer, "layering test"));
  }
  const auto backend = make_kernel([&notes](Frame& frame, KeySet keys) {
    notes.push_back("backend sees " + to_text(keys));
    frame.results[0] = *frame.args[0].tensor;
  });
  handles.push_back(table.add_kernel("layered", Key::cpu, backend, "layering test"));

  const IncludeKeys on(KeySet{Key::profile, Key::autocast});
  call_one(op, Location::current(), Tensor::of<float>({1}, {1}));
  EXPECT_EQ(notes, (Notes{"profile sees {profile, autocast, autograd, cpu}",
                          "autocast sees {autocast, autograd, cpu}",
                          "autograd sees {autograd, cpu}", "backend sees {cpu}"}));
}

// A device of somebody else's: host memory under another name.
class OutsideRuntime : public DeviceRuntime {
 public:
  std::string name() const override { return "toaster"; }
  int device_count() const override { return 1; }
  bool has_host_memory() const override { return true; }
  Allocator& allocator(Device) override { return device_runtime(DeviceKind::cpu).allocator(kCpu); }
  void copy(void* to, const void* from, size_t bytes, Stream) override {
    std::memcpy(to, from, bytes);
  }
  Stream create_stream(Device device) override { return {device, 0}; }
  void synchronize(Stream) override {}
  std::shared_ptr<void> record_event(Stream) override { return std::make_shared<int>(0); }
  bool is_complete(void*) override { return true; }
  void synchronize(void*) override {}
  void wait(Stream, void*) override {}
  double elapsed_us(void*, void*) override { return 0; }
};

constexpr Device kToaster{DeviceKind::outside0, 0};

Tensor on(Device device, const Tensor& t) {
  return Tensor::from_blob_strided(
      t.raw_data(), t.shape(), t.strides(), t.dtype(), [t](void*) {}, device);
}

// Computes on the host and hands the results back as tensors of the outside device.
void run_on_host(Frame& frame, Notes& notes) {
  if (ops::run_derived(frame)) return;
  std::string note = frame.op.name();
  std::vector<Value> values;
  for (const Arg& arg : frame.args) {
    values.push_back(to_value(arg));
    if (auto* tensor = std::get_if<Tensor>(&values.back())) {
      note += " " + describe(*tensor);
      *tensor = tensor->is_weak() ? *tensor : on(kCpu, *tensor);
    }
    if (std::holds_alternative<Device>(values.back())) values.back() = kCpu;
  }
  notes.push_back(note);
  const Tensors results = call_values(frame.op, borrow(values));
  for (size_t i = 0; i < results.size(); ++i) frame.results[i] = on(kToaster, results[i]);
}

TEST(Layering, ABackendFromOutsideRunsUnderEveryLayer) {
  register_device_runtime(kToaster.kind, std::make_unique<OutsideRuntime>());
  EXPECT_EQ(to_text(kToaster), "toaster");
  Notes notes;
  auto& table = OperatorTable::instance();
  const auto fallback = table.add_fallback(
      Key::outside0, make_kernel([&](Frame& frame, KeySet) { run_on_host(frame, notes); }),
      "toaster");

  const Tensor x = on(kToaster, Tensor::of<float>({1, 2, 3, 4}, {2, 2}));
  set_requires_grad(x);
  Profile profile;
  Tensor y;
  {
    const AutocastScope autocast(bf16);
    y = matmul(x, x);
  }
  // Profile saw what the user called, autocast lowered it, autograd recorded it, the backend ran.
  ASSERT_EQ(profile.events().size(), 1U);
  EXPECT_EQ(profile.events()[0].op, "matmul");
  EXPECT_EQ(y.device(), kToaster);
  EXPECT_EQ(y.dtype(), bf16);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{7, 10, 15, 22}));
  bool ran_in_bf16 = false;
  for (const std::string& note : notes) {
    ran_in_bf16 |= note.find("matmul bf16[2, 2]") != std::string::npos;
  }
  EXPECT_TRUE(ran_in_bf16);
  const Tensor gradient = gradients({sum(cast(y, f32))}, {x})[0];
  EXPECT_EQ(gradient.device(), kToaster);
  EXPECT_EQ(gradient.dtype(), f32);
  EXPECT_EQ(gradient.to_vector<float>(), (std::vector<float>{7, 11, 9, 13}));
}

}  // namespace
}  // namespace ridge::dispatch::layering_test
