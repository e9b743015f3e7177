#include "ridge/files/save.h"

#include "ridge/base/hash.h"
#include "ridge/base/random.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::save_test {
namespace {

enum class Mode { first, second };

struct Layer {
  Tensor weight, bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

struct State {
  std::vector<Layer> layers;
  Tensor average;
  Tensor steps;
  std::optional<Tensor> extra;
  std::map<std::string, Tensor> named;
  int64_t epoch = 0;
  bool is_done = false;
  Mode mode = Mode::first;
  uint8_t small = 0;
  double rate = 0.5;  // visited by its bits
  static void visit_tensors(auto& self, auto&& visit) {
    visit("layers", self.layers);
    visit(buffer("average"), self.average);
    visit("steps", self.steps);
    visit("extra", self.extra);
    visit("named", self.named);
    visit("epoch", self.epoch);
    visit("is_done", self.is_done);
    visit("mode", self.mode);
    visit("small", self.small);
    const auto bits = std::bit_cast<int64_t>(self.rate);
    visit("rate", bits);
  }
};

State make(float value) {
  State state;
  for (int i = 0; i < 2; ++i) {
    state.layers.push_back({Tensor::of<float>({value, value + 1, value + 2, value + 3}, {2, 2}),
                            i == 0 ? Tensor() : Tensor::of<float>({value}, {1})});
  }
  state.average = Tensor::of<double>({value}, {});
  state.steps = Tensor::of<int64_t>({static_cast<int64_t>(value)}, {});
  state.extra = Tensor::of<float>({value}, {});
  state.named["key"] = Tensor::of<bool>({true, false}, {2});
  return state;
}

std::string bytes_in(const State& state) {
  std::string all;
  for_each_tensor(state, [&](const std::string&, const Tensor& t) {
    if (t.defined())
      all.append(static_cast<const char*>(t.raw_data()), bytes_for(t.dtype(), t.numel().value()));
  });
  return all;
}

TEST(Save, GoesThereAndBack) {
  const OwnFolder folder;
  State saved = make(3);
  saved.epoch = -7;
  saved.is_done = true;
  saved.mode = Mode::second;
  saved.small = 200;
  save(folder / "a", saved);
  State loaded = make(0);
  const Tensor weight = loaded.layers[1].weight;
  load(folder / "a", loaded);
  EXPECT_EQ(bytes_in(loaded), bytes_in(saved));
  EXPECT_TRUE(loaded.layers[1].weight.is_same(weight)) << "its memory was replaced";
  EXPECT_FALSE(loaded.layers[0].bias.defined());
  EXPECT_EQ(loaded.epoch, -7);
  EXPECT_TRUE(loaded.is_done);
  EXPECT_EQ(loaded.mode, Mode::second);
  EXPECT_EQ(loaded.small, 200);
  EXPECT_EQ(open_weights(folder / "a").tensor("layers.0.weight").to_vector<float>(),
            (std::vector<float>{3, 4, 5, 6}));
}

TEST(Save, KeepsTiedTensorsTiedAndFillsUndefinedOnes) {
  const OwnFolder folder;
  save(folder / "a", Layer{Tensor::of<float>({1, 2}, {2}), Tensor::of<float>({1, 2}, {2})});
  const Tensor shared = Tensor::of<float>({0, 0}, {2});
  Layer tied{shared, shared.alias()};
  load(folder / "a", tied);
  EXPECT_EQ(shared.to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_TRUE(tied.bias.shares_storage_with(tied.weight));
  Layer undefined;
  load(folder / "a", undefined);
  EXPECT_EQ(undefined.weight.to_vector<float>(), (std::vector<float>{1, 2}));
}

TEST(Load, SaysAllThatDoesNotFit) {
  const OwnFolder folder;
  save(folder / "a", make(3));
  State other = make(0);
  other.layers[0].weight = Tensor::of<float>({0, 0}, {2});
  other.average = Tensor::of<float>({0}, {});
  other.named.clear();
  other.named["keys"] = Tensor::of<bool>({true, false}, {2});
  other.rate = 0.25;
  const std::string before = bytes_in(other);
  expect_error(ErrorCode::value,
               {"load", "`layers.0.weight` is f32[2], in the file f32[2, 2]",
                "`average` is f32[], in the file f64[]",
                "missing in the file: `named.keys` (nearest: `named.key`)",
                "only in the file: `named.key`", "integers: ", "`rate`"},
               [&] { load(folder / "a", other); });
  EXPECT_EQ(bytes_in(other), before);
  State fewer = make(0);
  fewer.layers.pop_back();
  expect_error(
      ErrorCode::value,
      {"only in the file: `layers.1.weight`, `layers.1.bias`", "`layers` is 1, in the file 2"},
      [&] { load(folder / "a", fewer); });
  State none = make(0);
  none.extra.reset();
  expect_error(ErrorCode::value, {"only in the file: `extra`", "`extra` is 0, in the file 1"},
               [&] { load(folder / "a", none); });
}

struct Wide {
  int64_t number = 300;
  static void visit_tensors(auto& self, auto&& visit) { visit("number", self.number); }
};
struct Narrow {
  int8_t number = 0;
  static void visit_tensors(auto& self, auto&& visit) { visit("number", self.number); }
};

TEST(Load, RefusesNumbersThatDoNotFit) {
  const OwnFolder folder;
  save(folder / "a", Wide());
  Narrow narrow;
  expect_error(ErrorCode::value, {"`number` is 0, in the file 300"},
               [&] { load(folder / "a", narrow); });
}

TEST(Load, RefusesFilesOfOthersAndTensorsThatCannotBeWritten) {
  const OwnFolder folder;
  Layer layer{Tensor::of<float>({1}, {1}), {}};
  write_safetensors(folder / "others", {{"weight", layer.weight}});
  expect_error(ErrorCode::parse, {"files::save", "open_weights"},
               [&] { load(folder / "others", layer); });
  expect_error(ErrorCode::io, {"No such file"}, [&] { load(folder / "missing", layer); });
  const auto expect_format = [&](const std::string& given, std::string_view format) {
    write(folder / "a", given);
    expect_error(ErrorCode::parse, {"load: expected a file of safetensors", format},
                 [&] { load(folder / "a", layer); });
  };
  expect_format(content(frozen("small.gguf")), "given GGUF in");
  expect_format(content(frozen("stored.npz")), "given a zip archive in");
  expect_format("{\"weight_map\": {}}", "given JSON in");
  expect_format("Model card of a model", "given an unknown format in");
  expect_format("", "given an unknown format in");
  save(folder / "a", layer);
  Layer donated{Tensor::of<float>({5}, {1}), {}};
  donated.weight.donate();
  expect_error(ErrorCode::state, {}, [&] { load(folder / "a", donated); });
}

// Whichever bit is turned over or wherever the file ends: refused, or everything is as it was saved.
TEST(Load, FindsDamage) {
  const OwnFolder folder;
  save(folder / "a", make(3));
  const std::string good = content(folder / "a");
  const std::string saved = bytes_in(make(3)), empty = bytes_in(make(0));
  size_t refused = 0, attempts = 0;
  const auto attempt = [&](const std::string& damaged) {
    ++attempts;
    write(folder / "damaged", damaged);
    State state = make(0);
    try {
      load(folder / "damaged", state);
      EXPECT_EQ(bytes_in(state), saved);
      EXPECT_EQ(state.epoch, 0);
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
      EXPECT_EQ(bytes_in(state), empty) << "half-loaded";
    }
  };
  for (size_t length = 0; length < good.size(); length += 29) attempt(good.substr(0, length));
  EXPECT_EQ(refused, attempts);
  for (size_t bit = 0; bit < good.size() * 8; bit += 17) {
    std::string damaged = good;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    attempt(damaged);
  }
  // White space of the header may differ and mean the same; nothing else.
  EXPECT_GT(refused, attempts - 16);
}

}  // namespace
}  // namespace ridge::files::save_test
