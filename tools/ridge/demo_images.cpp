#include "demo_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "ridge/base/random.h"

namespace ridge::command {

namespace {

constexpr double kMaxRotation = 0.44;  // radians to either side
constexpr double kMaxNoise = 0.6;      // deviation, where strokes stand out by 2 to 3.5
constexpr double kDarkShare = 0.5;     // of the images, dark on light

struct Point {
  double x, y;
};
struct Segment {
  Point from, to;
};

// A figure in the unit circle: segments, and perhaps that circle itself.
struct DrawnFigure {
  std::string_view name;
  std::vector<Segment> segments;
  bool has_circle = false;
};

Point on_circle(double turns) {
  const double angle = turns * 2 * std::numbers::pi;
  return {std::sin(angle), -std::cos(angle)};
}

// Through the points in order.
std::vector<Segment> path(std::initializer_list<Point> points) {
  std::vector<Segment> segments;
  for (const Point* p = points.begin(); p + 1 != points.end(); ++p)
    segments.push_back({p[0], p[1]});
  return segments;
}

// From the middle to `count` points spread evenly over the circle.
std::vector<Segment> rays(int count) {
  std::vector<Segment> segments;
  for (int i = 0; i < count; ++i) segments.push_back({{0, 0}, on_circle(double(i) / count)});
  return segments;
}

std::vector<Segment> joined(std::vector<Segment> a, const std::vector<Segment>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::array<DrawnFigure, kClassCount>& figures() {
  static const std::array<DrawnFigure, kClassCount> list = {{
      {"ring", {}, true},
      {"triangle", path({on_circle(0), on_circle(1 / 3.), on_circle(2 / 3.), on_circle(0)})},
      {"square", path({on_circle(0.125), on_circle(0.375), on_circle(0.625), on_circle(0.875),
                       on_circle(0.125)})},
      {"cross", rays(4)},
      {"star", rays(6)},
      {"arrow", joined(path({{0, 1}, {0, -1}}), path({{-0.7, -0.2}, {0, -1}, {0.7, -0.2}}))},
      {"corner", path({{-0.6, -0.9}, {-0.6, 0.8}, {0.7, 0.8}})},
      {"tee", joined(path({{-0.8, -0.8}, {0.8, -0.8}}), path({{0, -0.8}, {0, 0.9}}))},
      {"zigzag", path({{-0.6, -0.8}, {0.7, -0.8}, {-0.7, 0.8}, {0.6, 0.8}})},
      {"bars", joined(path({{-0.5, -0.8}, {-0.5, 0.8}}), path({{0.5, -0.8}, {0.5, 0.8}}))},
  }};
  return list;
}

double length(double x, double y) { return std::sqrt(x * x + y * y); }

double distance_to(const Segment& segment, Point p) {
  const Point along = {segment.to.x - segment.from.x, segment.to.y - segment.from.y};
  const Point offset = {p.x - segment.from.x, p.y - segment.from.y};
  const double length2 = along.x * along.x + along.y * along.y;
  const double t = std::clamp((offset.x * along.x + offset.y * along.y) / length2, 0.0, 1.0);
  return length(offset.x - t * along.x, offset.y - t * along.y);
}

double distance_to(const DrawnFigure& figure, Point p) {
  double distance = figure.has_circle ? std::abs(length(p.x, p.y) - 1) : 1e9;
  for (const Segment& segment : figure.segments) {
    distance = std::min(distance, distance_to(segment, p));
  }
  return distance;
}

// How one image differs from the next.
struct Pose {
  double cosine, sine;
  double radius;  // of the figure, in pixels
  double center_x, center_y;
  double half_stroke;  // in pixels
  double contrast;     // negative: dark on light
  double noise;
};

Pose random_pose(SplitMix64& random) {
  const double angle = random.uniform(-kMaxRotation, kMaxRotation);
  const double middle = (kImageSide - 1) / 2.0;
  Pose pose{};
  pose.cosine = std::cos(angle);
  pose.sine = std::sin(angle);
  pose.radius = random.uniform(4.5, 6.5);
  pose.center_x = middle + random.uniform(-1, 1);
  pose.center_y = middle + random.uniform(-1, 1);
  pose.half_stroke = random.uniform(0.5, 0.9);
  pose.contrast = random.uniform(2, 3.5) * (random.uniform(0, 1) < kDarkShare ? -1 : 1);
  pose.noise = random.uniform(0.1, kMaxNoise);
  return pose;
}

// Near a normal distribution: the sum of four even ones, with deviation 1.
double noise(SplitMix64& random) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += random.uniform(-1, 1);
  return sum * std::sqrt(3.0 / 4);
}

void draw(const DrawnFigure& figure, const Pose& pose, SplitMix64& random,
          std::span<float> pixels) {
  for (int64_t row = 0; row < kImageSide; ++row) {
    for (int64_t column = 0; column < kImageSide; ++column) {
      const double x = (static_cast<double>(column) - pose.center_x) / pose.radius;
      const double y = (static_cast<double>(row) - pose.center_y) / pose.radius;
      const Point turned = {pose.cosine * x + pose.sine * y, pose.cosine * y - pose.sine * x};
      const double distance = distance_to(figure, turned) * pose.radius;
      // The edge of a stroke is one pixel wide.
      const double ink = std::clamp(pose.half_stroke - distance + 0.5, 0.0, 1.0);
      const double value = pose.contrast * (ink - 0.25) + pose.noise * noise(random);
      pixels[static_cast<size_t>(row * kImageSide + column)] = static_cast<float>(value);
    }
  }
}

}  // namespace

ImageSet draw_images(int64_t count, uint64_t seed) {
  SplitMix64 random(seed);
  ImageSet images;
  images.labels.resize(static_cast<size_t>(count));
  images.pixels.resize(static_cast<size_t>(count * kPixelCount));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t label = i % kClassCount;
    images.labels[static_cast<size_t>(i)] = label;
    const Pose pose = random_pose(random);
    draw(figures()[static_cast<size_t>(label)], pose, random,
         std::span(images.pixels).subspan(static_cast<size_t>(i * kPixelCount), kPixelCount));
  }
  return images;
}

std::string image_text(const ImageSet& images, int64_t count) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  std::string text;
  for (int64_t row = 0; row < kImageSide; ++row) {
    for (int64_t i = 0; i < std::min(count, images.count()); ++i) {
      for (int64_t column = 0; column < kImageSide; ++column) {
        const auto pixel = static_cast<size_t>(i * kPixelCount + row * kImageSide + column);
        const double shade = std::clamp((images.pixels[pixel] + 3.0) / 6 * 10, 0.0, 9.0);
        text += std::string(2, kShades[static_cast<size_t>(shade)]);
      }
      text += "  ";
    }
    text += "\n";
  }
  return text;
}

}  // namespace ridge::command
