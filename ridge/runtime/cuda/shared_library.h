// Libraries of the CUDA stack, found when they are first needed and not when Ridge is linked.
//
// The same binary must start on a machine without a GPU, so nothing here is linked: a table lists
// the functions it wants, each with its signature, and is filled from the first library that opens.
//
//   struct MathApi : EntryTable {
//     Entry<double(double)> cosine{*this, "cos"};
//   };
//   MathApi api;
//   std::string problem = api.load({.names = {"libm.so.6"}, .remedy = "install a C library"});
//   if (problem.empty()) api.cosine(0.5);
//
// A library stays open once loaded: CUDA does not survive being closed.
#pragma once

#include <string>
#include <vector>

namespace ridge::runtime::cuda {

// Where to look, in this order: each name as the system's loader finds it, then in each folder.
struct LibrarySearch {
  std::vector<std::string> names;
  std::vector<std::string> folders{};
  std::string remedy{};  // what to install, for the text of a failure
};

class EntryTable {
 public:
  EntryTable() = default;
  EntryTable(const EntryTable&) = delete;  // its entries point into it
  EntryTable& operator=(const EntryTable&) = delete;

  // Opens a library and finds every entry. Returns why it could not, or nothing; never throws for
  // a library that is missing or too old.
  std::string load(const LibrarySearch& search);

  const std::string& path() const { return path_; }  // what was opened

 private:
  friend class EntryBase;

  struct Slot {
    const char* symbol;
    void** address;
  };

  void* open_first(const LibrarySearch& search, std::string& problem);

  std::vector<Slot> slots_;
  std::string path_;
};

class EntryBase {
 public:
  EntryBase(EntryTable& table, const char* symbol) : symbol_(symbol) {
    table.slots_.push_back({symbol, &address_});
  }
  EntryBase(const EntryBase&) = delete;
  EntryBase& operator=(const EntryBase&) = delete;

  const char* symbol() const { return symbol_; }
  bool is_loaded() const { return address_ != nullptr; }

 protected:
  const char* symbol_;
  void* address_ = nullptr;
};

template <class Signature>
class Entry;

// One function of a library; called like a function once its table is loaded.
template <class Result, class... Args>
class Entry<Result(Args...)> : public EntryBase {
 public:
  using EntryBase::EntryBase;
  Result operator()(Args... args) const {
    return reinterpret_cast<Result (*)(Args...)>(address_)(args...);
  }
  // A stand-in, for tests of what is made of the answers.
  void set(Result (*function)(Args...)) { address_ = reinterpret_cast<void*>(function); }
};

}  // namespace ridge::runtime::cuda
