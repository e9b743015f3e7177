#include "ridge/files/safetensors.h"

#include "ridge/base/text.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::safetensors_test {
namespace {

std::string made(const std::string& header, size_t data_bytes) {
  return bytes(uint64_t{header.size()}, header, std::string(data_bytes, '\0'));
}
void refuse(const std::string& header, size_t data_bytes,
            std::initializer_list<std::string_view> parts) {
  expect_error(ErrorCode::parse, parts,
               [&] { read_safetensors(in_memory(made(header, data_bytes))); });
}
std::string entry(std::string_view name, std::string_view dtype, std::string_view shape,
                  int64_t begin, int64_t end) {
  return concat("\"", name, "\":{\"dtype\":\"", dtype, "\",\"shape\":", shape,
                ",\"data_offsets\":[", begin, ",", end, "]}");
}

TEST(Safetensors, ReadsFilesOfThePackage) {
  const WeightFile file = open_weights(frozen("numpy.safetensors"));
  EXPECT_EQ(file.format(), "safetensors");
  EXPECT_EQ(file.metadata().at("made by"), "numpy");
  EXPECT_EQ(file.tensor("f32").to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(describe(file.tensor("f32")), "f32[2, 3]");
  EXPECT_EQ(file.tensor("f64").to_vector<double>(), (std::vector<double>{0.1, -1e300}));
  EXPECT_EQ(file.tensor("bool").to_vector<bool>(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(file.tensor("i64").item<int64_t>(), -(int64_t{1} << 62));
  EXPECT_EQ(file.tensor("scalar").item<int32_t>(), 7);
  EXPECT_EQ(describe(file.tensor("empty")), "f32[0, 4]");
  const WeightFile torch = open_weights(frozen("torch.safetensors"));
  EXPECT_EQ(torch.tensor("brain").to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(describe(torch.tensor("e4m3")), "f8e4m3[2]");
  EXPECT_EQ(describe(torch.tensor("e5m2")), "f8e5m2[2]");
  EXPECT_EQ(describe(torch.tensor("u16")), "u16[1]");
}

TEST(Safetensors, GoesThereAndBackInEveryDType) {
  const OwnFolder folder;
  NamedTensors tensors;
  for (const DType dtype : all_dtypes()) {
    const Tensor t = Tensor::empty({3, 2}, dtype);
    std::memset(t.raw_data(), 1, bytes_for(dtype, 6));
    tensors.emplace_back(name(dtype), t);
  }
  tensors.emplace_back("a \"name\"\n", Tensor::of<float>({5}, {}));
  write_safetensors(folder / "a", tensors, {{"key", "välue"}});
  const WeightFile file = open_weights(folder / "a");
  EXPECT_EQ(file.metadata().at("key"), "välue");
  EXPECT_EQ(file.tensors().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const Tensor back = file.tensor(name);
    EXPECT_EQ(describe(back), describe(tensor));
    EXPECT_EQ(std::memcmp(back.raw_data(), tensor.raw_data(),
                          bytes_for(tensor.dtype(), tensor.numel().value())),
              0);
    if (tensor.dtype().bits >= 8) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(back.raw_data()) % (tensor.dtype().bits / 8u), 0u);
    }
  }
  write_safetensors(folder / "empty", {});
  EXPECT_TRUE(open_weights(folder / "empty").tensors().empty());
}

TEST(Safetensors, RefusesToWriteNamesThatAreWrong) {
  const OwnFolder folder;
  const Tensor t = Tensor::of<float>({5}, {});
  const auto refuse_names = [&](const NamedTensors& tensors) {
    expect_error(ErrorCode::value, {"write_safetensors"},
                 [&] { write_safetensors(folder / "a", tensors); });
  };
  refuse_names({{"a", t}, {"a", t}});
  refuse_names({{"__metadata__", t}});
  refuse_names({{"\xff", t}});
  expect_error(ErrorCode::state, {}, [&] { write_safetensors(folder / "a", {{"a", Tensor()}}); });
  // What would be read by nobody.
  expect_error(ErrorCode::value, {"at most 100000000 bytes"}, [&] {
    write_safetensors(folder / "a", {}, {{"note", std::string(100'000'000, 'x')}});
  });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Safetensors, RefusesHeadersThatAreWrong) {
  refuse("{\"a\":}", 0, {"json"});
  refuse(" {}", 0, {"starts with `{`"});
  refuse("{}x", 0, {"the end of the JSON"});
  refuse("{\"a\xff\":1}", 0, {"UTF-8"});
  refuse("{" + entry("a", "F32", "[1]", 0, 4) + "," + entry("a", "F32", "[1]", 4, 8) + "}", 8,
         {"`a` twice"});
  refuse("{\"__metadata__\":{\"a\":1}}", 0, {"metadata of texts"});
  refuse("{\"__metadata__\":{},\"__metadata__\":{}}", 0, {"twice"});
  refuse("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", 0, {"without one of them"});
  refuse("{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4],\"more\":1}}", 4,
         {"`more`"});
  expect_error(ErrorCode::parse, {"at most 100000000"},
               [] { read_safetensors(in_memory(bytes(uint64_t{100000001}, "{"))); });
  expect_error(ErrorCode::parse, {"header of 100 bytes"},
               [] { read_safetensors(in_memory(bytes(uint64_t{100}, "{}"))); });
  EXPECT_EQ(read_safetensors(in_memory(made("{}   \n", 0))).tensors().size(), 0u);
}

TEST(Safetensors, RefusesTensorsThatAreWrong) {
  const auto one = [](auto... parts) { return "{" + entry("a", parts...) + "}"; };
  refuse(one("C64", "[1]", 0, 8), 8, {"dtypes F64", "`C64` of `a`"});
  refuse(one("F32", "[2]", 0, 4), 4, {"as many bytes"});
  refuse(one("F32", "[-1]", 0, 4), 4, {"as many bytes"});
  refuse(one("F32", "[4611686018427387904,4]", 0, 0), 0, {"as many bytes"});
  refuse(one("F32", "[1]", 4, 8), 4, {"within 4 bytes"});
  refuse(one("F32", "[1]", 8, 4), 8, {"within"});
  refuse(one("F32", "[1]", -4, 0), 8, {"within"});
  refuse(one("F32", "[1]", 4, 8), 8, {"a hole before 4"});
  refuse(one("F32", "[1]", 0, 4), 8, {"all 8 bytes"});
  refuse("{" + entry("a", "F32", "[2]", 0, 8) + "," + entry("b", "F32", "[2]", 4, 12) + "}", 12,
         {"an overlap at 4", "`b`"});
  refuse(one("F32", "[" + join(std::vector<int>(65, 1), ",") + "]", 0, 4), 4,
         {"at most 64 dimensions"});
}

TEST(Safetensors, ReadsSeveralFilesByAnIndex) {
  const OwnFolder folder;
  write_safetensors(folder / "1.safetensors", {{"a", Tensor::of<float>({1}, {1})}});
  write_safetensors(folder / "2.safetensors", {{"b", Tensor::of<float>({2}, {1})}});
  const auto index = [&](std::string_view map) {
    write(folder / "model.safetensors.index.json",
          concat("{\"metadata\": {\"total_size\": 8}, \"weight_map\": ", map, "}"));
    return folder / "model.safetensors.index.json";
  };
  const WeightFile file = open_weights(index(R"({"a": "1.safetensors", "b": "2.safetensors"})"));
  EXPECT_EQ(file.format(), "safetensors index");
  EXPECT_EQ(file.tensor("b").item<float>(), 2);
  const auto refuse_map = [&](std::string_view map, std::string_view part) {
    expect_error(ErrorCode::parse, {part}, [&] { open_weights(index(map)); });
  };
  refuse_map(R"({"a": "1.safetensors", "c": "2.safetensors"})", "`c` of 2.safetensors missing");
  refuse_map(R"({"a": "../1.safetensors"})", "`../1.safetensors`");
  refuse_map(R"({"a": "/etc/passwd"})", "`/etc/passwd`");
  refuse_map(R"({"a": ".."})", "`..`");
  refuse_map(R"({"a": "x\u0000"})", "names of files");
  refuse_map(R"({"a": ""})", "names of files");
  refuse_map("{}", "weight_map");
  write(folder / "text", "no tensors, some words");
  refuse_map(R"({"a": "text"})", "expected a file of safetensors, given an unknown format");
  expect_error(ErrorCode::io, {"3.safetensors", "No such file"},
               [&] { open_weights(index(R"({"a": "3.safetensors"})")); });
}

TEST(Safetensors, ReadsOrRefusesDefectiveFiles) {
  const std::string good = content(frozen("numpy.safetensors"));
  expect_reads_or_refuses(good, [](std::string file) {
    for (const StoredTensor& t : read_safetensors(in_memory(std::move(file))).tensors())
      (void)describe(t);
  });
}

TEST(OpenWeights, RecognizesByContent) {
  const OwnFolder folder;
  EXPECT_EQ(open_weights(frozen("small.gguf")).format(), "GGUF");
  EXPECT_EQ(open_weights(frozen("stored.npz")).format(), "npz");
  EXPECT_EQ(open_weights(frozen("f32.npy")).tensor("array").numel().value(), 6);
  EXPECT_EQ(open_weights(frozen("checkpoint.pt")).format(), "PyTorch");
  for (const std::string& unknown :
       {std::string(), std::string("hello"), std::string(100, '\0'), std::string("PK")}) {
    write(folder / "a", unknown);
    expect_error(ErrorCode::parse, {"open_weights", "safetensors, an index of them, GGUF"},
                 [&] { open_weights(folder / "a"); });
  }
  write(folder / "a", "\x80\x02}q\x01.");
  expect_error(ErrorCode::parse, {"a zip file of PyTorch", "a pickle without one"},
               [&] { open_weights(folder / "a"); });
}

}  // namespace
}  // namespace ridge::files::safetensors_test
