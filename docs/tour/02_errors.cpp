// Lesson 2: errors say what was expected, what was given, and where you wrote it.
#include <iostream>
#include <string>

#include "ridge/ridge.h"

using namespace ridge;

// Prints the error without the folder of the file, so that this lesson reads the same everywhere.
template <class Mistake>
void show(Mistake mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    std::string text = error.what();
    const size_t end = text.rfind("02_errors.cpp");
    const size_t start = text.rfind(' ', end);
    if (end != std::string::npos) text.erase(start + 1, end - start - 1);
    std::cout << text << "\n";
  }
}

int main() {
  const Tensor a = ones({2, 3});
  const Tensor b = ones({4});
  show([&] { a + b; });
  show([&] { matmul(a, b); });
  show([&] { gather(b, 0, Tensor::of<int64_t>({0, 9}, {2})); });
  show([&] { set_requires_grad(arange(3)); });
  Tensor moved = ones({1});
  const Tensor taken = std::move(moved);
  show([&] { moved + taken; });

  // Nothing is left half done: the same tensors work on.
  std::cout << "still fine: " << sum(a).item<float>() << "\n";
}
