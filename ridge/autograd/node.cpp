#include "ridge/autograd/node.h"

#include <mutex>

namespace ridge::autograd {

namespace {

// The nodes whose last reference fell while another node was being destroyed on this thread. A
// pointer, so that nothing is destroyed at thread exit and tensors may outlive it.
constinit thread_local std::vector<Ref<Node>>* t_falling = nullptr;

void drop_without_recursion(Ref<Node> node) noexcept {
  if (t_falling != nullptr) {
    t_falling->push_back(std::move(node));
    return;
  }
  std::vector<Ref<Node>> falling;
  t_falling = &falling;
  node.reset();
  while (!falling.empty()) {
    const Ref<Node> next = std::move(falling.back());
    falling.pop_back();
  }
  t_falling = nullptr;
}

uint64_t next_sequence() {
  static std::atomic<uint64_t> counter{0};
  return counter.fetch_add(1, std::memory_order_relaxed);
}

// Hooks are few and run rarely, so one mutex does for all.
std::mutex& hook_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

}  // namespace

Edge::~Edge() {
  // Only a last reference destroys anything. Losing a race here costs one level of stack.
  if (node && node->use_count() == 1) drop_without_recursion(std::move(node));
}

Node::Node(std::string_view name, Location where, size_t result_count, Edges edges)
    : name_(name),
      where_(where),
      sequence_(next_sequence()),
      result_count_(result_count),
      edges_(std::move(edges)) {}

Ref<Hook> Node::add_hook(uint32_t index, HookFunction function) {
  Ref<Hook> hook = make_ref<Hook>();
  hook->index = index;
  hook->function = std::move(function);
  const std::lock_guard lock(hook_mutex());
  // Removed ones stay until here: a handle does not know the node it hooked.
  std::erase_if(hooks_, [](const Ref<Hook>& old) { return !old->function; });
  hooks_.push_back(hook);
  has_hooks_.store(true, std::memory_order_release);
  return hook;
}

void Node::remove_hook(Hook& hook) {
  HookFunction removed;  // destroyed after the lock is released
  const std::lock_guard lock(hook_mutex());
  removed.swap(hook.function);
}

Tensor Node::run_hooks(uint32_t index, Tensor grad) const {
  std::vector<HookFunction> functions;
  {
    const std::lock_guard lock(hook_mutex());
    for (const Ref<Hook>& hook : hooks_) {
      if (hook->index == index && hook->function) functions.push_back(hook->function);
    }
  }
  for (const HookFunction& function : functions) {
    if (Tensor replaced = function(grad); replaced.defined()) grad = std::move(replaced);
  }
  return grad;
}

}  // namespace ridge::autograd
