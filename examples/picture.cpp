// Draws the picture of the README: two knots, their touching triangles, and the curves in which
// their surfaces meet.
//
//   example_picture docs/pictures/knots.svg
#include <tandem/output_file.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

namespace {

using tandem::Vec3d;

constexpr int k_width = 2000;
constexpr int k_height = 1280;

Vec3d normalised(const Vec3d& v) {
  return 1 / std::sqrt(dot(v, v)) * v;
}

Vec3d moved(const tandem::Pose& pose, const Vec3d& point) {
  const auto row = [&](int i) {
    return dot(Vec3d(pose.rotation(i, 0), pose.rotation(i, 1), pose.rotation(i, 2)), point);
  };
  return Vec3d(row(0), row(1), row(2)) + pose.translation();
}

/// A triangle in the world.
struct Face {
  std::array<Vec3d, 3> corner;
  Vec3d centre;
  Vec3d normal;
  int knot = 0;
  bool touching = false;
  /// The share of the sky above it that it sees, 0 to 1.
  double openness = 0;
};

/// A point on the screen, in pixels from the upper left. `nearness` grows towards the viewer by
/// about one for each unit of length, and is linear on the screen.
struct ScreenPoint {
  double x;
  double y;
  double nearness;
};

/// Looks at the origin from `eye`, with y upwards.
class Camera {
 public:
  /// A unit of length at the origin is `scale` pixels.
  Camera(const Vec3d& eye, int width, int height, double scale)
      : distance_(std::sqrt(dot(eye, eye))),
        back_(normalised(eye)),
        right_(normalised(cross(Vec3d(0, 1, 0), back_))),
        up_(cross(back_, right_)),
        centre_x_(width / 2.0),
        centre_y_(height / 2.0),
        scale_(scale) {}

  ScreenPoint project(const Vec3d& point) const {
    const double magnification = distance_ / (distance_ - dot(back_, point));
    const double pixels = scale_ * magnification;
    return {centre_x_ + pixels * dot(right_, point), centre_y_ - pixels * dot(up_, point),
            magnification * distance_};
  }

  std::array<ScreenPoint, 3> project(const Face& face) const {
    return {project(face.corner[0]), project(face.corner[1]), project(face.corner[2])};
  }

 private:
  double distance_;
  Vec3d back_;
  Vec3d right_;
  Vec3d up_;
  double centre_x_;
  double centre_y_;
  double scale_;
};

/// For each pixel the nearest face.
class DepthBuffer {
 public:
  DepthBuffer(const Camera& camera, int width, int height, const std::vector<Face>& faces)
      : width_(width),
        height_(height),
        nearness_(static_cast<std::size_t>(width * height), -1e30),
        face_(nearness_.size(), k_nothing) {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      draw(camera.project(faces[f]), static_cast<int>(f));
    }
  }

  /// True when nothing covers the point by more than `tolerance` in nearness.
  bool sees(const ScreenPoint& p, double tolerance) const {
    const int x = std::clamp(static_cast<int>(p.x), 0, width_ - 1);
    const int y = std::clamp(static_cast<int>(p.y), 0, height_ - 1);
    return p.nearness + tolerance >= nearness_[pixel(x, y)];
  }

  /// The faces that are seen somewhere, each once.
  std::vector<int> faces() const {
    std::vector<int> result = face_;
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    std::erase(result, k_nothing);
    return result;
  }

 private:
  static constexpr int k_nothing = -1;

  std::size_t pixel(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

  /// Twice the area of the triangle a, b, (x, y).
  static double area(const ScreenPoint& a, const ScreenPoint& b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
  }

  void draw(const std::array<ScreenPoint, 3>& c, int face) {
    const double whole = area(c[0], c[1], c[2].x, c[2].y);
    if (whole == 0) return;
    const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x});
    const auto [top, bottom] = std::minmax({c[0].y, c[1].y, c[2].y});
    const int last_x = std::min(width_ - 1, static_cast<int>(right));
    const int last_y = std::min(height_ - 1, static_cast<int>(bottom));
    for (int y = std::max(0, static_cast<int>(top)); y <= last_y; ++y) {
      for (int x = std::max(0, static_cast<int>(left)); x <= last_x; ++x) {
        const double w0 = area(c[1], c[2], x + 0.5, y + 0.5) / whole;
        const double w1 = area(c[2], c[0], x + 0.5, y + 0.5) / whole;
        const double w2 = 1 - w0 - w1;
        if (w0 < 0 || w1 < 0 || w2 < 0) continue;
        const double nearness = w0 * c[0].nearness + w1 * c[1].nearness + w2 * c[2].nearness;
        if (nearness <= nearness_[pixel(x, y)]) continue;
        nearness_[pixel(x, y)] = nearness;
        face_[pixel(x, y)] = face;
      }
    }
  }

  int width_;
  int height_;
  std::vector<double> nearness_;
  std::vector<int> face_;
};

void add_faces(std::vector<Face>& faces, const tandem::Mesh& mesh, const tandem::Pose& in_world,
               int knot) {
  for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
    Face face;
    for (int i = 0; i < 3; ++i) {
      face.corner[i] = moved(in_world, Vec3d(mesh.triangle(id).corner[i]));
    }
    const auto& [a, b, c] = face.corner;
    face.centre = 1.0 / 3 * (a + b + c);
    face.normal = normalised(cross(b - a, c - a));
    face.knot = knot;
    faces.push_back(face);
  }
}

/// Looks at the faces from all around: a face gets the sky's light from where it can be seen.
void find_openness(std::vector<Face>& faces) {
  constexpr int k_direction_count = 200;
  constexpr int k_size = 300;
  std::vector<double> all(faces.size());
  for (int i = 0; i < k_direction_count; ++i) {
    // Evenly over the sphere: points on a spiral that turn by the golden angle.
    const double height = 1 - (2 * i + 1.0) / k_direction_count;
    const double radius = std::sqrt(1 - height * height);
    const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3d direction(radius * std::cos(angle), height, radius * std::sin(angle));
    const Camera camera(100.0 * direction, k_size, k_size, k_size / 12.0);
    const DepthBuffer buffer(camera, k_size, k_size, faces);
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const double cosine = dot(faces[f].normal, direction);
      if (cosine <= 0) continue;
      all[f] += cosine;
      if (buffer.sees(camera.project(faces[f].centre), 0.12)) faces[f].openness += cosine;
    }
  }
  for (std::size_t f = 0; f < faces.size(); ++f) faces[f].openness /= all[f];
}

/// A colour by the light that its surface sends back, as the text that SVG wants.
std::string colour(const Vec3d& surface, double light) {
  std::string text = "#";
  for (int channel = 0; channel < 3; ++channel) {
    // Light beyond 1 turns the colour towards white.
    const double s = surface[channel];
    const double linear = light <= 1 ? s * light : s + (1 - s) * (light - 1);
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned>(255 * std::pow(std::clamp(linear, 0.0, 1.0), 1 / 2.2)));
    text += digits;
  }
  return text;
}

std::string path(std::span<const ScreenPoint> points) {
  std::string text;
  for (const ScreenPoint& p : points) {
    char step[40];
    std::snprintf(step, sizeof step, "%c%.1f %.1f", text.empty() ? 'M' : 'L', p.x, p.y);
    text += step;
  }
  return text;
}

/// The faces that are seen, from back to front, each in the light that falls on it.
std::string draw_faces(const std::vector<Face>& faces, std::vector<int> seen,
                       const Camera& camera) {
  const auto nearness = [&](int f) { return camera.project(faces[f].centre).nearness; };
  std::sort(seen.begin(), seen.end(), [&](int f, int g) { return nearness(f) < nearness(g); });
  const Vec3d k_calm[2] = {{0.10, 0.25, 0.46}, {0.58, 0.46, 0.28}};
  const Vec3d k_strong[2] = {{0.95, 0.09, 0.02}, {1.00, 0.28, 0.01}};
  const Vec3d to_lamp = normalised({-0.5, 0.8, 0.7});
  // The strokes close the cracks between neighbours and show the triangles.
  std::string svg = "<g stroke-width=\"1.2\" stroke-linejoin=\"round\">\n";
  for (const int f : seen) {
    const Face& face = faces[f];
    const double lamp = std::max(0.0, dot(face.normal, to_lamp));
    const double light = 0.04 + face.openness * (0.72 + 0.62 * lamp);
    const Vec3d& surface = face.touching ? k_strong[face.knot] : k_calm[face.knot];
    const double shown = face.touching ? 0.45 + 0.6 * light : light;
    svg += "<path d=\"" + path(camera.project(face)) + "z\" fill=\"" + colour(surface, shown) +
           "\" stroke=\"" + colour(surface, 0.85 * shown) + "\"/>\n";
  }
  return svg + "</g>\n";
}

std::string draw_curves(const std::vector<std::array<Vec3d, 2>>& segments, const Camera& camera,
                        const DepthBuffer& buffer) {
  std::string lines;
  for (const auto& [from, to] : segments) {
    if (!buffer.sees(camera.project(0.5 * (from + to)), 0.05)) continue;
    lines += path(std::array{camera.project(from), camera.project(to)});
  }
  const std::string drawn = "<path d=\"" + lines + "\" fill=\"none\" stroke-linecap=\"round\" ";
  return drawn + "stroke=\"#521a0a\" stroke-width=\"7\"/>\n" + drawn +
         "stroke=\"#fff\" stroke-width=\"3.6\"/>\n";
}

std::string draw_knots() {
  // Two knots, and what they share
  const tandem::Model knot(tandem::make_shape("knot", 4000));
  const auto a_in_world = tandem::Pose::from_axis_angle({0, 1, 0}, 0.2, {-1.85, 0, 0});
  const auto b_in_world = tandem::Pose::from_axis_angle({0, -0.3, 1}, 0.8, {1.65, 0, 0});
  const auto b_in_a = tandem::relative_pose(a_in_world, b_in_world);
  const auto pairs = tandem::collide(knot, knot, b_in_a).pairs;
  std::vector<std::array<Vec3d, 2>> segments;
  for (const tandem::TrianglePair pair : pairs) {
    const auto shared = tandem::intersection(knot, knot, b_in_a, pair);
    if (shared.count != 2) continue;
    segments.push_back({moved(a_in_world, shared.points[0]), moved(a_in_world, shared.points[1])});
  }

  // Their triangles in the world
  std::vector<Face> faces;
  add_faces(faces, knot.mesh(), a_in_world, 0);
  add_faces(faces, knot.mesh(), b_in_world, 1);
  for (const auto& [a, b] : pairs) {
    faces[a].touching = true;
    faces[knot.mesh().triangle_count() + b].touching = true;
  }
  find_openness(faces);

  // As the viewer sees them
  const Camera camera({0, 2.5, 17}, k_width, k_height, 184);
  const DepthBuffer buffer(camera, k_width, k_height, faces);
  const std::string size = std::to_string(k_width) + " " + std::to_string(k_height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\">\n" +
         "<title>Two knots and their touching triangles</title>\n" +
         draw_faces(faces, buffer.faces(), camera) + draw_curves(segments, camera, buffer) +
         "</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tandem::OutputFile file(argc > 1 ? argv[1] : "knots.svg");
    file.write(draw_knots());
    file.commit();
  } catch (const tandem::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
