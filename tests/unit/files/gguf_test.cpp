#include "ridge/files/gguf.h"

#include "tests/unit/files/file_bytes.h"

namespace ridge::files::gguf_test {
namespace {

std::string text(std::string_view t) { return bytes(uint64_t{t.size()}, t); }

// A file put together by hand, with metadata and tensors as they come.
struct Made {
  uint32_t version = 3;
  uint64_t pairs = 0, tensors = 0;
  std::string metadata{}, infos{}, data{};
  size_t alignment = 32;

  Made& pair(std::string_view key, uint32_t type, const std::string& value) {
    metadata += bytes(text(key), type, value);
    ++pairs;
    return *this;
  }
  Made& tensor(std::string_view name, std::vector<uint64_t> dimensions, uint32_t type,
               uint64_t offset) {
    infos += bytes(text(name), static_cast<uint32_t>(dimensions.size()));
    for (const uint64_t size : dimensions) infos += bytes(size);
    infos += bytes(type, offset);
    ++tensors;
    return *this;
  }
  std::string file() const {
    std::string out = bytes("GGUF", version, tensors, pairs, metadata, infos);
    if (alignment != 0) out.resize((out.size() + alignment - 1) / alignment * alignment);
    return out + data;
  }
  Gguf read() const { return Gguf::read(in_memory(file())); }
  void refuse(std::initializer_list<std::string_view> parts) const {
    expect_error(ErrorCode::parse, parts, [&] { read(); });
  }
};

TEST(Gguf, ReadsAFileOfThePackage) {
  const Gguf gguf = Gguf::open(frozen("small.gguf"));
  EXPECT_EQ(gguf.version(), 3u);
  EXPECT_EQ(gguf.text("general.architecture"), "llama");
  EXPECT_EQ(gguf.integer("llama.block_count"), 30);
  EXPECT_EQ(gguf.integer("test.u8"), 200);
  EXPECT_EQ(gguf.integer("test.i8"), -100);
  EXPECT_EQ(gguf.integer("test.u16"), 60000);
  EXPECT_EQ(gguf.integer("test.i16"), -30000);
  EXPECT_EQ(gguf.integer("test.i32"), -2000000000);
  EXPECT_EQ(gguf.integer("test.i64"), -(int64_t{1} << 62));
  EXPECT_EQ(gguf.real("test.f32"), 0.1f);
  EXPECT_EQ(gguf.real("test.f64"), 0.1);
  EXPECT_EQ(gguf.real("test.u8"), 200);
  EXPECT_TRUE(gguf.flag("test.yes"));
  EXPECT_EQ(gguf.texts("tokenizer.ggml.tokens"),
            (std::vector<std::string_view>{"a", "", "Ġthe", "日本"}));
  EXPECT_EQ(gguf.integers("test.integers"), (std::vector<int64_t>{1, -2, 3}));
  EXPECT_EQ(gguf.reals("test.reals"), (std::vector<double>{0.5, -1.5}));
  EXPECT_EQ(gguf.flags("test.flags"), (std::vector<bool>{true, false, true}));
  expect_error(ErrorCode::value, {"below 2^63", "test.u64"},
               [&] { (void)gguf.integer("test.u64"); });
}

TEST(Gguf, HasTensorsOfThePackage) {
  const Gguf gguf = Gguf::open(frozen("small.gguf"));
  const WeightFile& weights = gguf.weights();
  EXPECT_EQ(weights.tensors().size(), 4u);
  EXPECT_EQ(weights.tensor("norm").to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4}));
  EXPECT_EQ(describe(weights.tensor("half")), "f16[2, 3]");
  EXPECT_EQ(describe(weights.tensor("brain")), "bf16[2, 3]");
  EXPECT_EQ(weights.tensor("brain").to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  const StoredTensor& weight = weights.stored("weight");
  EXPECT_EQ(describe(weight), "q4_1[3, 64]");
  EXPECT_EQ(describe(weight.data), "u8[3, 40]");
  EXPECT_EQ(describe(weights.dense("weight")), "f32[3, 64]");
  expect_error(ErrorCode::dtype, {"plain elements", "q4_1[3, 64]"},
               [&] { (void)weights.tensor("weight"); });
  expect_error(ErrorCode::unknown_name, {"`wieght`", "did you mean `weight`?"},
               [&] { (void)weights.tensor("wieght"); });
}

TEST(Gguf, OutlivesNothingButItself) {
  std::optional<Gguf> first = Gguf::open(frozen("small.gguf"));
  const Gguf copy = *first;
  Tensor norm = first->weights().tensor("norm");
  first.reset();
  EXPECT_EQ(copy.text("tokenizer.ggml.model"), "gpt2");
  EXPECT_EQ(norm.to_vector<float>()[4], 4);
}

TEST(Gguf, SaysWhichKeyIsWrong) {
  const Gguf gguf = Gguf::open(frozen("small.gguf"));
  expect_error(ErrorCode::unknown_name, {"llama.block_cuont", "did you mean `llama.block_count`?"},
               [&] { (void)gguf.integer("llama.block_cuont"); });
  expect_error(ErrorCode::dtype, {"a text at `llama.block_count`", "u32"},
               [&] { (void)gguf.text("llama.block_count"); });
  expect_error(ErrorCode::dtype, {"a text", "tokenizer.ggml.tokens", "array of text"},
               [&] { (void)gguf.text("tokenizer.ggml.tokens"); });
  expect_error(ErrorCode::dtype, {"an array"}, [&] { (void)gguf.texts("tokenizer.ggml.model"); });
  expect_error(ErrorCode::dtype, {"an integer"},
               [&] { (void)gguf.integers("tokenizer.ggml.tokens"); });
  EXPECT_EQ(gguf.integer_or("none", 5), 5);
  EXPECT_EQ(gguf.text_or("none", "x"), "x");
  expect_error(ErrorCode::dtype, {}, [&] { (void)gguf.integer_or("tokenizer.ggml.model", 5); });
}

TEST(Gguf, ReadsVersion2AndNestedArrays) {
  Made made{.version = 2};
  const std::string inner = bytes(uint32_t{0}, uint64_t{2}, uint8_t{1}, uint8_t{2});
  made.pair("nested", 9, bytes(uint32_t{9}, uint64_t{2}, inner, inner));
  const Gguf gguf = made.read();
  EXPECT_EQ(gguf.version(), 2u);
  const std::vector<GgufValue> rows = gguf.value("nested").elements();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].integers(), (std::vector<int64_t>{1, 2}));
}

TEST(Gguf, RefusesOtherVersions) {
  Made{.version = 1}.refuse({"version 2 or 3", "version 1"});
  Made{.version = 4}.refuse({"version 4"});
  Made{.version = 0x03000000}.refuse({"big-endian"});
  expect_error(ErrorCode::parse, {"GGUF"}, [] { Gguf::read(in_memory("GGML")); });
}

TEST(Gguf, RefusesCountsThatCannotBe) {
  Made made;
  made.pairs = ~uint64_t{0};
  made.refuse({"metadata pairs"});
  made = {};
  made.tensors = uint64_t{1} << 60;
  made.refuse({"tensors"});
  Made{}.pair("a", 9, bytes(uint32_t{0}, uint64_t{1} << 62)).refuse({"elements"});
  Made{}.pair("a", 9, bytes(uint32_t{8}, uint64_t{1} << 61)).refuse({"elements"});
  Made{}.pair("a", 8, bytes(~uint64_t{0})).refuse({"value"});
  Made{}.pair(std::string(70000, 'k'), 0, "x").refuse({"keys of at most 65535"});
}

TEST(Gguf, RefusesMetadataThatIsWrong) {
  Made{}.pair("a", 13, "x").refuse({"type 13"});
  Made{}.pair("a", 7, "\x02").refuse({"bool"});
  Made{}.pair("a", 9, bytes(uint32_t{7}, uint64_t{1}, "\x02")).refuse({"bool"});
  Made{}.pair("a", 0, "x").pair("a", 0, "x").refuse({"`a` twice"});
  std::string deep = bytes(uint32_t{0}, uint64_t{0});
  for (int i = 0; i < 3; ++i) deep = bytes(uint32_t{9}, uint64_t{1}, deep);
  Made{}.pair("a", 9, deep).read();
  Made{}.pair("a", 9, bytes(uint32_t{9}, uint64_t{1}, deep)).refuse({"at most 4 deep"});
}

TEST(Gguf, RefusesAlignmentsThatAreNone) {
  for (const uint32_t wrong : {0u, 3u, 48u, 1u << 21, 1u << 31}) {
    Made made{.alignment = 0};
    made.pair("general.alignment", 4, bytes(wrong));
    made.refuse({"general.alignment", std::to_string(wrong)});
  }
  Made{}.pair("general.alignment", 8, text("32")).refuse({"general.alignment", "text"});
  Made made{.alignment = 64};
  made.pair("general.alignment", 4, bytes(uint32_t{64})).tensor("a", {1}, 0, 0).data = bytes(2.5f);
  EXPECT_EQ(made.read().weights().tensor("a").item<float>(), 2.5f);
}

TEST(Gguf, RefusesTensorsThatAreWrong) {
  const auto one = [](std::vector<uint64_t> dimensions, uint32_t type, uint64_t offset) {
    Made made;
    made.tensor("a", std::move(dimensions), type, offset).data = std::string(64, '\0');
    return made;
  };
  one({17}, 0, 0).refuse({"end within", "`a`"});
  one({1}, 0, 64).refuse({"end within"});
  one({1}, 0, ~uint64_t{31}).refuse({"end within"});
  one({1}, 0, 4).refuse({"multiples of 32"});
  one({uint64_t{1} << 40, uint64_t{1} << 40}, 0, 0).refuse({"number of elements"});
  one({~uint64_t{0}}, 0, 0).refuse({"number of elements"});
  one({33}, 2, 0).refuse({"whole blocks of 32", "[33]"});
  one({1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 0).refuse({"at most 8 dimensions"});
  one({32}, 16, 0).refuse({"tensors of type F32, F16", "IQ2_XXS", "`a`"});
  one({32}, 99, 0).refuse({"type 99 (unknown)"});
  EXPECT_EQ(one({16}, 0, 0).read().weights().tensor("a").numel().value(), 16);
  Made made;
  made.tensor("a", {16}, 0, 0).tensor("b", {1}, 0, 32).data = std::string(64, '\0');
  made.refuse({"do not overlap", "`a` and `b`"});
  made = {};
  made.tensor("a", {1}, 0, 0).tensor("a", {1}, 0, 32).data = std::string(64, '\0');
  made.refuse({"`a` twice"});
}

TEST(Gguf, ReadsOrRefusesDefectiveFiles) {
  expect_reads_or_refuses(
      content(frozen("small.gguf")),
      [](std::string file) {
        const Gguf gguf = Gguf::read(in_memory(std::move(file)));
        for (const StoredTensor& tensor : gguf.weights().tensors()) {
          (void)gguf.weights().dense(tensor.name);
        }
      },
      8);  // bytes of padding behind the last tensor
}

}  // namespace
}  // namespace ridge::files::gguf_test
