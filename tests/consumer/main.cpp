// The smallest user of an installed Ridge: it computes, and catches an error of the library.
#include <ridge/ridge.h>

#include <iostream>
#include <vector>

// Names of a program stay its own: folders that are no part of the interface declare nothing that users see.
using namespace ridge;  // NOLINT: what is tested

Tensor execute(const Tensor& x) { return x + x; }
Tensor recompute(const Tensor& x) { return execute(x); }

int main() {
  const Tensor a = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  const Tensor doubled = recompute(a);
  std::cout << doubled << "\n";
  if (doubled.to_vector<float>() != std::vector<float>{2, 4, 6, 8}) return 1;

  try {
    const Tensor wrong = a + Tensor::of<float>({1, 2, 3}, {3});
    std::cout << "no error for " << wrong << "\n";
  } catch (const ridge::Error& error) {
    std::cout << error.what() << "\n";
    return error.code() == ridge::ErrorCode::shape ? 0 : 1;
  }
  return 1;
}
