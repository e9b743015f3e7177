#include "ridge/files/pytorch.h"

#include "ridge/base/text.h"
#include "ridge/files/pickle.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::pytorch_test {
namespace {

TEST(PyTorch, ReadsACheckpoint) {
  const WeightFile file = open_weights(frozen("checkpoint.pt"));
  EXPECT_EQ(join(file.tensors(), " ", &StoredTensor::name),
            "model.weight model.bias views.0 views.1 views.2 views.3 brain flags integers empty 5");
  EXPECT_EQ(file.tensor("model.weight").to_vector<float>(), std::vector<float>(6, 0.25));
  EXPECT_EQ(describe(file.tensor("model.weight")), "f32[3, 2]");
  EXPECT_EQ(file.tensor("views.1").to_vector<float>(),
            (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(file.tensor("views.2").to_vector<float>(), (std::vector<float>{6, 7, 10, 11}));
  EXPECT_EQ(file.tensor("views.3").item<float>(), 0);
  EXPECT_EQ(file.tensor("brain").to_vector<float>(), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(file.tensor("flags").to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(file.tensor("integers").to_vector<int64_t>(),
            (std::vector<int64_t>{-1, int64_t{1} << 40}));
  EXPECT_EQ(describe(file.tensor("empty")), "f32[0, 3]");
  EXPECT_EQ(file.tensor("5").item<double>(), 1.5);
}

TEST(PyTorch, RunsNoCode) {
  expect_error(ErrorCode::parse, {"no other code", "`__main__.Anything`"},
               [] { open_weights(frozen("code.pt")); });
}

TEST(PyTorch, ReadsOrRefusesDefectiveFiles) {
  const std::string good = content(frozen("checkpoint.pt"));
  expect_reads_or_refuses(good, [](std::string file) {
    for (const StoredTensor& t : read_pytorch(ZipFile(in_memory(std::move(file)))).tensors())
      (void)describe(t);
  });
}

auto read(const std::string& pickle) {
  return read_pickled_tensors(std::as_bytes(std::span(pickle)), "test");
}
void refuse(const std::string& pickle, std::string_view part) {
  expect_error(ErrorCode::parse, {part}, [&] { read(pickle); });
}

// A storage of four f32 named "0", and a tensor of it.
const std::string kStorage = "(X\x07" + std::string(3, '\0') + "storage" +
                             "ctorch\nFloatStorage\nX\x01" + std::string(3, '\0') + "0X\x03" +
                             std::string(3, '\0') + "cpuK\x04tQ";
const std::string kTensor =
    "ctorch._utils\n_rebuild_tensor_v2\n(" + kStorage + "K\x01K\x02K\x02\x86K\x02K\x01\x86\x89NtR";

// Two elements of that storage, behind its first.
const std::string kPair =
    "ctorch._utils\n_rebuild_tensor_v2\n(" + kStorage + "K\x01K\x02\x85K\x01\x85\x89NtR";

// A zip archive of stored entries; their checksums are not read.
std::string stored_archive(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string out, directory;
  for (const auto& [name, data] : entries) {
    const auto size = static_cast<uint32_t>(data.size());
    const std::string fields = bytes(uint32_t{0}, uint32_t{0}, uint32_t{0}, size, size,
                                     static_cast<uint16_t>(name.size()), uint16_t{0});
    directory += bytes("PK\x01\x02", uint32_t{20}, fields, uint16_t{0}, uint32_t{0}, uint32_t{0},
                       static_cast<uint32_t>(out.size()), name);
    out += bytes("PK\x03\x04", uint16_t{20}, fields, name, data);
  }
  const auto count = static_cast<uint16_t>(entries.size());
  return bytes(out, directory, "PK\x05\x06", uint32_t{0}, count, count,
               static_cast<uint32_t>(directory.size()), static_cast<uint32_t>(out.size()),
               uint16_t{0});
}

// Also where the storage is not aligned and is copied: or a file that names one often would fill memory.
TEST(PyTorch, TensorsOfOneStorageShareItsMemory) {
  for (size_t shift = 0; shift < 4; ++shift) {
    const WeightFile file = read_pytorch(
        ZipFile(in_memory(stored_archive({{"m/data.pkl", bytes("](", kPair, kPair, "e.")},
                                          {"m/shift", std::string(shift, ' ')},
                                          {"m/data/0", bytes(1.0f, 2.0f, 3.0f, 4.0f)}}))));
    const Tensor a = file.tensor("0"), b = file.tensor("1");
    EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{2, 3}));
    EXPECT_EQ(&a.storage(), &b.storage()) << shift;
  }
}

TEST(Pickle, ReadsTensors) {
  const auto tensors = read(bytes("\x80\x02", "]", kTensor, "a."));
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].first, "0");
  const PickledTensor& tensor = tensors[0].second;
  EXPECT_EQ(tensor.storage, "0");
  EXPECT_EQ(tensor.storage_elements, 4);
  EXPECT_EQ(tensor.dtype, f32);
  EXPECT_EQ(tensor.offset, 1);
  EXPECT_EQ(tensor.shape, (Ints{2, 2}));
  EXPECT_EQ(tensor.strides, (Ints{2, 1}));
  EXPECT_TRUE(read("}.").empty());
}

TEST(Pickle, ReadsParametersAsTensors) {
  const std::string parameter = "ctorch._utils\n_rebuild_parameter\n";
  const auto tensors = read(bytes("](", parameter, "(", kTensor, "\x88NtRe."));
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].second.shape, (Ints{2, 2}));
  refuse(parameter + "(NNNtR.", "the tensor of a parameter");
  refuse(parameter + ")R.", "3 arguments of a parameter");
}

TEST(Pickle, RefusesOtherOpcodesAndNames) {
  refuse("cos\nsystem\n(X\x02" + std::string(3, '\0') + "lstR.", "`os.system`");
  refuse("cbuiltins\neval\n.", "`builtins.eval`");
  refuse("cnumpy.core.multiarray\n_reconstruct\n.", "`numpy.core.multiarray._reconstruct`");
  refuse("\x8c\x02os\x8c\x06system\x93.", "`os.system`");
  for (const char* opcode :
       {"i", "o", "P", "I1\n", "S'a'\n", "\x81", "\x92", "\x82", "0", "2", "1"}) {
    refuse(std::string("N") + opcode, "opcode");
  }
  refuse("\x80\x06", "protocol 2 to 5");
}

TEST(Pickle, RefusesProgramsThatAreWrong) {
  refuse("", "opcode");
  refuse(".", "a value on the stack");
  refuse("R", "a value on the stack");
  refuse("u", "a mark");
  refuse("N(R", "a value on the stack");
  refuse("h\x05.", "number 5");
  refuse("NNs.", "a value on the stack");
  refuse("NNNs.", "a dict");
  refuse("}(Nu.", "a key without");
  refuse("NNb.", "a dict with a state");
  refuse("N)R.", "a call of");
  refuse("NQ.", "the tuple of a storage");
  refuse(")Q.", "five parts");
  refuse(bytes("(X", uint32_t{7}, "storagectorch\nFloatStorage\nX", uint32_t{65},
               std::string(65, '0'), "NK\x04tQ."),
         "a short name");
  refuse("X\xff\xff\xff\xff", "text");
  refuse("\x8a\x09", "64 bits");
  refuse("ccollections\nOrderedDict\nN\x85R.", "one with arguments");
  refuse("ctorch._utils\n_rebuild_tensor_v2\n)R.", "6 or 7 arguments");
}

TEST(Pickle, RefusesCyclesAndManyWays) {
  refuse(
      "]q\x01h\x01"
      "a.",
      "too many ways");
  refuse(std::string(70, ']') + std::string(69, 'a') + ".", "nested at most 64");
  // Each list has the one before ten times: ten to the twentieth ways to the first.
  std::string laughs = "]q" + std::string(1, '\0');
  for (char i = 1; i <= 20; ++i) {
    laughs += "](";
    for (int k = 0; k < 10; ++k) laughs += bytes('h', static_cast<char>(i - 1));
    laughs += bytes("eq", i);
  }
  refuse(laughs + ".", "too many ways");
  // One tensor in a thousand places, each of two bytes; a name of a megabyte.
  std::string many = bytes("](", kTensor, "q\x01");
  for (int i = 0; i < 1000; ++i) many += "h\x01";
  refuse(many + "e.", "one in many");
  // One call of the same arguments after another, each of five bytes.
  many = bytes("](ctorch._utils\n_rebuild_tensor_v2\nq\x01(", kStorage,
               "K\x01K\x02\x85K\x01\x85\x89Ntq\x02R");
  for (int i = 0; i < 1000; ++i) many += "h\x01h\x02R";
  refuse(many + "e.", "one made many times");
  const uint32_t long_name = 1 << 20;
  refuse(bytes("}X", long_name, std::string(long_name, 'x'), kTensor, "s."), "at most 1024");
}

}  // namespace
}  // namespace ridge::files::pytorch_test
