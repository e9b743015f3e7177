#include "ridge/files/pickle.h"

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"

namespace ridge::files {
namespace {

// Values refer to others by number, since a pickle may use one in several places, or in itself.
using ValueId = size_t;
struct None {};
struct List {  // and tuple
  std::vector<ValueId> members;
};
struct Dict {
  std::vector<std::pair<ValueId, ValueId>> members;
};
struct OrderedDictName {};
struct RebuildTensorName {};
struct RebuildParameterName {};
struct StorageName {
  DType dtype;
};
struct StorageRef {
  std::string key;
  DType dtype;
  int64_t elements;
};
using Value = std::variant<None, bool, int64_t, double, std::string, List, Dict, OrderedDictName,
                           RebuildTensorName, RebuildParameterName, StorageName, StorageRef,
                           std::shared_ptr<PickledTensor>>;

struct StorageType {
  std::string_view name;
  DType dtype;
};
constexpr StorageType kStorageTypes[] = {{"DoubleStorage", f64}, {"FloatStorage", f32},
                                         {"HalfStorage", f16},   {"BFloat16Storage", bf16},
                                         {"LongStorage", i64},   {"IntStorage", i32},
                                         {"ShortStorage", i16},  {"CharStorage", i8},
                                         {"ByteStorage", u8},    {"BoolStorage", boolean}};

constexpr size_t kDeepestPickle = 64;
constexpr size_t kLongestPath = 1024;
constexpr size_t kLongestStorageName = 64;  // PyTorch numbers them
// The fewest that a tensor of its own takes in a pickle; one that is repeated takes two.
constexpr size_t kLeastTensorBytes = 32;

class PickleMachine {
 public:
  PickleMachine(std::span<const std::byte> pickle, std::string_view file)
      : reader_(pickle, file), most_tensors_(pickle.size() / kLeastTensorBytes) {}

  ValueId run() {
    while (!result_) step(reader_.read<uint8_t>("opcode"));
    return *result_;
  }
  const Value& value(ValueId id) const { return values_[id]; }
  [[noreturn]] void refuse(std::string_view expected, std::string_view given) const {
    reader_.refuse(expected, concat(given, " before byte ", reader_.position(), " of a pickle"));
  }

 private:
  void step(uint8_t opcode);
  bool step_constant(uint8_t opcode);
  bool step_memo(uint8_t opcode);
  bool step_container(uint8_t opcode);

  void push(Value value) {
    values_.push_back(std::move(value));
    stack_.push_back(values_.size() - 1);
  }
  ValueId pop() {
    // What lies below a mark is out of reach until it is closed.
    const size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= bottom) refuse("a value on the stack", "none");
    const ValueId id = stack_.back();
    stack_.pop_back();
    return id;
  }
  std::vector<ValueId> pop_to_mark() {
    if (marks_.empty()) refuse("a mark on the stack", "none");
    const size_t mark = marks_.back();
    marks_.pop_back();
    std::vector<ValueId> above(stack_.begin() + static_cast<std::ptrdiff_t>(mark), stack_.end());
    stack_.resize(mark);
    return above;
  }
  template <class T>
  T& as(ValueId id, std::string_view what) {
    if (T* found = std::get_if<T>(&values_[id])) return *found;
    refuse(what, "another value");
  }
  void put(uint64_t key) {
    const ValueId id = pop();
    memo_[key] = id;
    stack_.push_back(id);
  }
  void get(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) refuse("a value that was kept", concat("number ", key));
    stack_.push_back(found->second);
  }
  void push_tuple(size_t count) {
    List tuple;
    for (size_t i = 0; i < count; ++i) tuple.members.insert(tuple.members.begin(), pop());
    push(std::move(tuple));
  }
  void set_items(const std::vector<ValueId>& items) {
    if (items.size() % 2 != 0) refuse("keys with values", "a key without");
    const ValueId target = pop();
    auto& dict = as<Dict>(target, "a dict");
    for (size_t i = 0; i < items.size(); i += 2) dict.members.emplace_back(items[i], items[i + 1]);
    stack_.push_back(target);
  }
  void append(const std::vector<ValueId>& items) {
    const ValueId target = pop();
    auto& members = as<List>(target, "a list").members;
    members.insert(members.end(), items.begin(), items.end());
    stack_.push_back(target);
  }
  int64_t read_long() {
    const auto length = reader_.read<uint8_t>("length of an integer");
    if (length > 8) refuse("integers of at most 64 bits", concat(length * 8, " bits"));
    uint64_t word = 0;
    std::memcpy(&word, reader_.take(length, "integer").data(), length);
    const int unused = 64 - length * 8;
    return length == 0 ? 0 : static_cast<int64_t>(word << unused) >> unused;
  }
  double read_big_endian_double() {
    uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word = word << 8 | reader_.read<uint8_t>("number");
    return std::bit_cast<double>(word);
  }
  std::string_view read_line() {
    const size_t start = reader_.position();
    while (reader_.read<uint8_t>("name") != '\n') {}
    ByteReader again = whole_;
    again.take(start, "pickle");
    return again.text(reader_.position() - 1 - start, "name");
  }
  void push_name(std::string_view module, std::string_view name);
  void reduce();
  void rebuild_tensor(const std::vector<ValueId>& arguments);
  void push_storage();
  Ints sizes(ValueId id);

  ByteReader reader_;
  ByteReader whole_ = reader_;
  std::vector<Value> values_;
  std::vector<ValueId> stack_;
  std::vector<size_t> marks_;
  std::map<uint64_t, ValueId> memo_;
  std::optional<ValueId> result_;
  size_t tensors_ = 0, most_tensors_;
};

void PickleMachine::push_name(std::string_view module, std::string_view name) {
  if (module == "collections" && name == "OrderedDict") return push(OrderedDictName{});
  if (module == "torch._utils" && name == "_rebuild_tensor_v2") return push(RebuildTensorName{});
  if (module == "torch._utils" && name == "_rebuild_parameter") return push(RebuildParameterName{});
  for (const StorageType& type : kStorageTypes) {
    if (module == "torch" && name == type.name) return push(StorageName{type.dtype});
  }
  refuse(
      "plain tensors: OrderedDict, _rebuild_tensor_v2, _rebuild_parameter and storage types of "
      "torch, no other code",
      concat("`", module, ".", name, "`"));
}

Ints PickleMachine::sizes(ValueId id) {
  Ints result;
  for (const ValueId member : as<List>(id, "a tuple of sizes").members) {
    if (result.size() == kMostDimensions)
      refuse(concat("at most ", kMostDimensions, " sizes"), "more");
    result.push_back(as<int64_t>(member, "a size"));
  }
  return result;
}

// (storage, offset, sizes, strides, requires_grad, hooks, and metadata in newer files)
void PickleMachine::rebuild_tensor(const std::vector<ValueId>& arguments) {
  if (arguments.size() != 6 && arguments.size() != 7)
    refuse("6 or 7 arguments of a tensor", "others");
  // A call of arguments that are there already takes five bytes, and copies them.
  if (tensors_++ == most_tensors_) refuse("each tensor in few places", "one made many times");
  const StorageRef& storage = as<StorageRef>(arguments[0], "a storage");
  auto tensor = std::make_shared<PickledTensor>();
  tensor->storage = storage.key;
  tensor->storage_elements = storage.elements;
  tensor->dtype = storage.dtype;
  tensor->offset = as<int64_t>(arguments[1], "the offset of a tensor");
  tensor->shape = sizes(arguments[2]);
  tensor->strides = sizes(arguments[3]);
  push(std::move(tensor));
}

void PickleMachine::reduce() {
  const ValueId arguments = pop(), function = pop();
  const std::vector<ValueId> members = as<List>(arguments, "arguments").members;
  if (std::holds_alternative<RebuildTensorName>(values_[function])) return rebuild_tensor(members);
  if (std::holds_alternative<RebuildParameterName>(values_[function])) {
    // (tensor, requires_grad, hooks)
    if (members.size() != 3) refuse("3 arguments of a parameter", "others");
    as<std::shared_ptr<PickledTensor>>(members[0], "the tensor of a parameter");
    return stack_.push_back(members[0]);
  }
  if (!std::holds_alternative<OrderedDictName>(values_[function])) {
    refuse("a call of OrderedDict, _rebuild_tensor_v2 or _rebuild_parameter",
           "another value called");
  }
  if (!members.empty()) refuse("OrderedDict()", "one with arguments");
  push(Dict{});
}

// ("storage", its type, the name of its entry, the device it was on, its elements)
void PickleMachine::push_storage() {
  const ValueId id = pop();
  const std::vector<ValueId> parts = as<List>(id, "the tuple of a storage").members;
  if (parts.size() != 5 || as<std::string>(parts[0], "`storage`") != "storage") {
    refuse("the five parts of a storage", "others");
  }
  const std::string& key = as<std::string>(parts[2], "the name of a storage");
  if (key.size() > kLongestStorageName) refuse("a storage with a short name", "a long one");
  push(StorageRef{key, as<StorageName>(parts[1], "the type of a storage").dtype,
                  as<int64_t>(parts[4], "the size of a storage")});
}

bool PickleMachine::step_constant(uint8_t opcode) {
  switch (opcode) {
    case 'N': push(None{}); return true;
    case 0x88: push(true); return true;
    case 0x89: push(false); return true;
    case 'J': push(int64_t{reader_.read<int32_t>("integer")}); return true;
    case 'K': push(int64_t{reader_.read<uint8_t>("integer")}); return true;
    case 'M': push(int64_t{reader_.read<uint16_t>("integer")}); return true;
    case 0x8a: push(read_long()); return true;
    case 'G': push(read_big_endian_double()); return true;
    case 'X':
      push(std::string(reader_.text(reader_.read<uint32_t>("length"), "text")));
      return true;
    case 0x8c:
      push(std::string(reader_.text(reader_.read<uint8_t>("length"), "text")));
      return true;
    case 'c': {
      const std::string_view module = read_line();
      push_name(module, read_line());
      return true;
    }
    case 0x93: {
      const ValueId name = pop(), module = pop();
      push_name(as<std::string>(module, "a module"), as<std::string>(name, "a name"));
      return true;
    }
    default: return false;
  }
}

bool PickleMachine::step_memo(uint8_t opcode) {
  switch (opcode) {
    case 'q': put(reader_.read<uint8_t>("number")); return true;
    case 'r': put(reader_.read<uint32_t>("number")); return true;
    case 0x94: put(memo_.size()); return true;
    case 'h': get(reader_.read<uint8_t>("number")); return true;
    case 'j': get(reader_.read<uint32_t>("number")); return true;
    default: return false;
  }
}

bool PickleMachine::step_container(uint8_t opcode) {
  switch (opcode) {
    case '(': marks_.push_back(stack_.size()); return true;
    case '}': push(Dict{}); return true;
    case ']':
    case ')': push(List{}); return true;
    case 't': push(List{pop_to_mark()}); return true;
    case 0x85:
    case 0x86:
    case 0x87: push_tuple(opcode - 0x84u); return true;
    case 's': {
      const ValueId item = pop(), key = pop();
      set_items({key, item});
      return true;
    }
    case 'u': set_items(pop_to_mark()); return true;
    case 'a': append({pop()}); return true;
    case 'e': append(pop_to_mark()); return true;
    default: return false;
  }
}

void PickleMachine::step(uint8_t opcode) {
  if (step_constant(opcode) || step_memo(opcode) || step_container(opcode)) return;
  switch (opcode) {
    case 0x80: {
      const auto version = reader_.read<uint8_t>("version");
      if (version < 2 || version > 5) refuse("pickle protocol 2 to 5", to_text(int{version}));
      return;
    }
    case 0x95: reader_.read<uint64_t>("length of a frame"); return;
    case 'R': return reduce();
    case 'Q': return push_storage();
    // What a dict has beside its members, such as versions of modules, is left out.
    case 'b': {
      pop();
      const ValueId target = pop();
      as<Dict>(target, "a dict with a state");
      stack_.push_back(target);
      return;
    }
    case '.': result_ = pop(); return;
    default: refuse("an opcode of plain data", concat("opcode ", int{opcode}));
  }
}

// Collects tensors along all ways that lead to them. A pickle may refer to one value many times over, so
// ways, tensors and the length of names are limited: they cost no more than a multiple of its bytes.
class TensorWalk {
 public:
  TensorWalk(const PickleMachine& machine, size_t bytes)
      : machine_(machine), steps_left_(bytes), most_tensors_(bytes / kLeastTensorBytes) {}

  void walk(ValueId id, const std::string& path, size_t depth) {
    if (depth > kDeepestPickle)
      machine_.refuse(concat("lists nested at most ", kDeepestPickle), "more");
    if (steps_left_-- == 0) machine_.refuse("each value in few places", "too many ways to one");
    const Value& value = machine_.value(id);
    if (const auto* tensor = std::get_if<std::shared_ptr<PickledTensor>>(&value)) {
      if (found.size() == most_tensors_)
        machine_.refuse("each tensor in few places", "one in many");
      found.emplace_back(path, **tensor);
    } else if (const auto* list = std::get_if<List>(&value)) {
      for (size_t i = 0; i < list->members.size(); ++i) {
        walk(list->members[i], child(path, to_text(i)), depth + 1);
      }
    } else if (const auto* dict = std::get_if<Dict>(&value)) {
      for (const auto& [key, member] : dict->members)
        walk(member, child(path, key_text(key)), depth + 1);
    }
  }

  std::vector<std::pair<std::string, PickledTensor>> found;

 private:
  std::string child(const std::string& path, const std::string& name) const {
    if (path.size() + name.size() > kLongestPath) {
      machine_.refuse(concat("names of at most ", kLongestPath, " characters"), "a longer one");
    }
    return path.empty() ? name : concat(path, ".", name);
  }
  std::string key_text(ValueId id) const {
    const Value& key = machine_.value(id);
    if (const auto* text = std::get_if<std::string>(&key)) return *text;
    if (const auto* number = std::get_if<int64_t>(&key)) return to_text(*number);
    machine_.refuse("dicts by texts or integers", "another key");
  }

  const PickleMachine& machine_;
  size_t steps_left_, most_tensors_;
};

}  // namespace

std::vector<std::pair<std::string, PickledTensor>> read_pickled_tensors(
    std::span<const std::byte> pickle, std::string_view file) {
  PickleMachine machine(pickle, file);
  const ValueId result = machine.run();
  TensorWalk walk(machine, pickle.size());
  walk.walk(result, "", 0);
  return std::move(walk.found);
}

}  // namespace ridge::files
