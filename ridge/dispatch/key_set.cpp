#include "ridge/dispatch/key_set.h"

namespace ridge::dispatch {

std::string_view name(Key key) {
  switch (key) {
    case Key::cpu: return "cpu";
    case Key::outside0: return "outside0";
    case Key::outside1: return "outside1";
    case Key::outside2: return "outside2";
    case Key::outside3: return "outside3";
    case Key::cuda: return "cuda";
    case Key::meta: return "meta";
    case Key::reference: return "reference";
    case Key::autograd: return "autograd";
    case Key::trace: return "trace";
    case Key::autocast: return "autocast";
    case Key::profile: return "profile";
  }
  return "unused";  // backend bits that no device kind uses yet
}

std::string to_text(KeySet keys) {
  std::string text = "{";
  for (int bit = kKeyCount - 1; bit >= 0; --bit) {
    const Key key = static_cast<Key>(bit);
    if (!keys.has(key)) continue;
    if (text.size() > 1) text += ", ";
    text += name(key);
  }
  return text + "}";
}

}  // namespace ridge::dispatch
