// What autograd keeps with a tensor: where its value came from, and whom it shares memory with.
//
// A tensor without a record has no history. TensorImpl::requires_grad says the same where every
// call looks first; only the functions here change it. A tensor that is not a leaf never loses the
// flag: a constant written over it leaves a history that leads nowhere.
//
// Threads: reading the record of a tensor that requires grad takes no lock, because only a write to
// that tensor changes it, and a write needs the tensor for itself. Making a record for a tensor
// that had none happens behind its stripe: threads may make views of one plain tensor at once.
#pragma once

#include <memory>
#include <mutex>

#include "ridge/autograd/node.h"

namespace ridge::autograd {

struct ViewOf;

struct AutogradRecord : AutogradMeta {
  Edge edge;                     // what computed the value; a LeafNode for a leaf
  bool owns_leaf = false;        // the tensor the user sees, not a saved alias of it
  std::unique_ptr<ViewOf> view;  // set on a view
  // For a tensor that others view: how often a write gave it (and so them) a new history, and those
  // views that were made while it did not require grad, which a write must reach.
  uint32_t rebase_count = 0;
  std::vector<ViewOf*> views;  // behind this record's stripe

  AutogradRecord();
  ~AutogradRecord() override;
  void disown_leaf() noexcept;
};

// The record, or null; for a tensor that requires grad or that no other thread uses.
inline AutogradRecord* find_record(const Tensor& tensor) {
  return static_cast<AutogradRecord*>(tensor.impl().autograd.get());
}
// The record, made if there is none.
AutogradRecord& record_of(const Tensor& tensor);

// What computed the current value; no node for a tensor that needs no gradient. The edge of a view
// is made anew here if its base was written to since.
Edge edge_of(const Tensor& tensor);

// Gives a history to a fresh tensor that nobody else has seen.
void attach(const Tensor& fresh, Edge edge);
// Gives another history to a tensor that was written to and is no view; its views follow.
void rebase(const Tensor& written, Edge edge);
// Another tensor of the same elements, with that history (none if the edge leads nowhere).
Tensor with_history(const Tensor& values, const Edge& edge);

// Locks for objects that are many, small and rarely contended: one of a fixed set of mutexes,
// chosen by address.
//
// What they protect: the saved values of a node while it runs or is released, the list of views of
// a tensor, and the making of a tensor's autograd record. Two objects may share a mutex, so a
// thread never takes a second stripe, nor runs an op or foreign code, while it holds one.

std::mutex& stripe(const void* object);

}  // namespace ridge::autograd
