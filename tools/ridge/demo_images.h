// The data set of the demo: ten figures drawn with strokes, none twice the same.
//
//   const ImageSet train = draw_images(8192, 1);
//   train.pixels    8192 x kImageSide x kImageSide, row-major; around 0, deviation near 1
//   train.labels    8192 numbers below kClassCount, evenly spread
//
// Every image has its own rotation, scale, place, stroke width, contrast, sign of the contrast
// (light on dark or dark on light) and noise. The sign and the rotation are what a linear
// classifier cannot undo. The same seed gives the same images on every machine up to rounding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::command {

inline constexpr int64_t kImageSide = 16;
inline constexpr int64_t kPixelCount = kImageSide * kImageSide;
inline constexpr int64_t kClassCount = 10;

struct ImageSet {
  std::vector<float> pixels;
  std::vector<int64_t> labels;
  int64_t count() const { return static_cast<int64_t>(labels.size()); }
};

ImageSet draw_images(int64_t count, uint64_t seed);

// The first images side by side as lines of text, for a person to look at.
std::string image_text(const ImageSet& images, int64_t count);

}  // namespace ridge::command
