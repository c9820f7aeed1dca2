#include "render/collision_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "render/path_tracer.h"
#include "render/png_file.h"
#include "render/scene_builder.h"

namespace tandem::cli {

namespace {

/// What touching triangles share, and a ball that it is in.
struct Contact {
  std::span<const TriangleIntersection> shared;
  Vec3d centre{0, 0, 0};
  double radius = 0;
};

Contact find_contact(std::span<const TriangleIntersection> shared) {
  Contact contact{.shared = shared};
  Vec3d lower{1e300, 1e300, 1e300};
  Vec3d upper{-1e300, -1e300, -1e300};
  for (const TriangleIntersection& each : shared) {
    for (const Vec3d& point : each) {
      lower = min(lower, point);
      upper = max(upper, point);
    }
  }
  if (!shared.empty()) {
    contact.centre = 0.5 * (lower + upper);
    contact.radius = 0.5 * length(upper - lower);
  }
  return contact;
}

void add_body(SceneBuilder& builder, const PictureBody& body) {
  const std::uint32_t plain = builder.add_material({.albedo = body.colour, .emission = {}});
  const std::uint32_t marked = builder.add_material(
      {.albedo = body.touching_colour, .emission = {}, .glow = 0.35 * body.touching_colour});
  builder.add(*body.mesh, 1, body.in_world,
              [&](std::uint32_t id) { return body.touching[id] ? marked : plain; });
}

/// Thin beside the touching triangles, so that these can be seen, but not too thin for the picture.
double curve_thickness(const Contact& contact, double view_radius) {
  double sum = 0;
  double count = 0;
  for (const TriangleIntersection& shared : contact.shared) {
    if (shared.count != 2) continue;
    sum += length(shared.points[1] - shared.points[0]);
    ++count;
  }
  const double mean_length = count > 0 ? sum / count : view_radius;
  return std::clamp(0.12 * mean_length, 0.0012 * view_radius, 0.004 * view_radius);
}

void add_curves(SceneBuilder& builder, const Contact& contact, double thickness) {
  const std::uint32_t material =
      builder.add_material({.albedo = {0.9, 0.9, 0.88}, .emission = {}, .glow = {0.9, 0.9, 0.85}});
  const Mesh ball = make_icosphere(2);
  for (const TriangleIntersection& shared : contact.shared) {
    if (shared.count == 1) {
      builder.add(ball, 2 * thickness, Pose::from_translation(shared.points[0]), material);
    }
    // A segment has one side; a polygon has as many sides as corners.
    const int side_count = shared.count == 2 ? 1 : shared.count > 2 ? shared.count : 0;
    for (int i = 0; i < side_count; ++i) {
      builder.add_bar(shared.points[i], shared.points[(i + 1) % shared.count], thickness, 8,
                      material);
    }
  }
}

/// The direction above the ground from which most of the contact can be seen. Among directions that
/// are about equally good, the one nearest to a usual view wins.
Vec3d best_direction(const Model& scene, const Contact& contact, double size) {
  const Vec3d usual = normalised(Vec3d{0.4, 0.45, 1});
  if (contact.shared.empty()) return usual;
  constexpr int k_directions = 96;
  constexpr std::size_t k_points = 400;
  Vec3d best = usual;
  double best_score = -1;
  for (int i = 0; i < k_directions; ++i) {
    // Points of a spiral over the upper half of a ball.
    const double height = 0.15 + 0.75 * (i + 0.5) / k_directions;
    const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const double across = std::sqrt(1 - height * height);
    const Vec3d direction{across * std::cos(angle), height, across * std::sin(angle)};
    std::vector<Ray> rays;
    const std::size_t step = std::max<std::size_t>(1, contact.shared.size() / k_points);
    for (std::size_t k = 0; k < contact.shared.size(); k += step) {
      if (contact.shared[k].empty()) continue;
      const Vec3d from = contact.shared[k].points[0] + (0.004 * size) * direction;
      rays.push_back({Vec3f(from), Vec3f(direction)});
    }
    std::vector<std::uint8_t> hidden(rays.size());
    any_hits(scene, rays, hidden);
    const auto seen = static_cast<double>(std::count(hidden.begin(), hidden.end(), 0));
    const double score = seen / static_cast<double>(std::max<std::size_t>(1, rays.size())) +
                         0.15 * dot(direction, usual);
    if (score > best_score) {
      best_score = score;
      best = direction;
    }
  }
  return best;
}

/// A camera in that direction from which all of the contact can be seen, and some of what is around
/// it; `extent` is that of all bodies.
Camera frame_contact(const Contact& contact, const Vec3d& direction, double extent,
                     const PictureSize& size) {
  const double radius = std::clamp(1.1 * contact.radius, 0.1 * extent, 0.32 * extent);
  Camera camera = frame_ball(contact.centre, radius, direction);
  std::vector<Vec3d> points;
  for (const TriangleIntersection& shared : contact.shared) {
    points.insert(points.end(), shared.begin(), shared.end());
  }
  move_back(&camera, points, static_cast<double>(size.width) / size.height);
  return camera;
}

/// Of what the camera sees around its target.
double view_radius(const Camera& camera) {
  const double half_angle = camera.field_of_view_degrees / 2 * std::numbers::pi / 180;
  return length(camera.eye - camera.target) * std::sin(half_angle);
}

}  // namespace

std::vector<TriangleIntersection> shared_in_world(const Model& a, const Model& b,
                                                  const Pose& a_in_world, const Pose& b_in_world,
                                                  std::span<const TrianglePair> pairs) {
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  std::vector<TriangleIntersection> all;
  all.reserve(pairs.size());
  for (const TrianglePair& pair : pairs) {
    TriangleIntersection shared = intersection(a, b, b_in_a, pair);
    for (int i = 0; i < shared.count; ++i) {
      shared.points[i] = transform_point(a_in_world, shared.points[i]);
    }
    all.push_back(shared);
  }
  return all;
}

void write_contact_picture(const std::filesystem::path& path, std::span<const PictureBody> bodies,
                           std::span<const TriangleIntersection> shared,
                           const CollisionPicture& picture, Reporting reporting) {
  const Contact contact = find_contact(shared);
  SceneBuilder builder;
  for (const PictureBody& body : bodies) add_body(builder, body);
  const Bounds box = builder.bounds();
  const Vec3d lower(box.lower);
  const Vec3d upper(box.upper);
  const double size = length(upper - lower);

  // Choose the direction of the view. Only the bodies can hide the contact.
  SceneBuilder without_curves = builder;
  const Scene hiding = std::move(without_curves).build("", {}, {}, Reporting::off, "fast");
  const Vec3d direction = best_direction(hiding.model, contact, size);
  const Camera camera = contact.shared.empty()
                            ? frame_ball(0.5 * (lower + upper), 0.4 * size, direction)
                            : frame_contact(contact, direction, size, picture.size);

  add_curves(builder, contact, curve_thickness(contact, view_radius(camera)));
  Sky sky;
  add_stage(builder, builder.bounds(), &sky);
  const Scene scene = std::move(builder).build("collision", sky, camera, reporting, "fast");

  ProgressBar bar("rendering", reporting);
  const RenderOptions how{.width = picture.size.width,
                          .height = picture.size.height,
                          .samples = picture.samples,
                          .bounces = picture.bounces,
                          .progress = bar.callback()};
  const Image image = render(scene, how).image;
  constexpr double k_exposure = 0.8;
  write_png(path, image.width, image.height, develop(image, k_exposure));
}

void write_picture_of_two(const std::filesystem::path& path, const Model& a, const Model& b,
                          const Pose& a_in_world, const Pose& b_in_world,
                          std::span<const TrianglePair> pairs,
                          std::span<const TriangleIntersection> shared,
                          const CollisionPicture& picture, Reporting reporting) {
  if (a.mesh().empty() && b.mesh().empty()) {
    throw Error(path.string() + ": there is nothing to render, as neither mesh has triangles");
  }
  std::vector<PictureBody> bodies = {{&a.mesh(),
                                      a_in_world,
                                      std::vector<bool>(a.mesh().triangle_count()),
                                      {0.1, 0.26, 0.5},
                                      k_crossing_colour},
                                     {&b.mesh(),
                                      b_in_world,
                                      std::vector<bool>(b.mesh().triangle_count()),
                                      {0.78, 0.72, 0.62},
                                      k_touching_colour}};
  for (const TrianglePair& pair : pairs) {
    bodies[0].touching[pair.a] = true;
    bodies[1].touching[pair.b] = true;
  }
  write_contact_picture(path, bodies, shared, picture, reporting);
}

void write_collision_picture(const std::filesystem::path& path, const Model& a, const Model& b,
                             const Pose& a_in_world, const Pose& b_in_world,
                             std::span<const TrianglePair> pairs, const CollisionPicture& picture,
                             Reporting reporting) {
  write_picture_of_two(path, a, b, a_in_world, b_in_world, pairs,
                       shared_in_world(a, b, a_in_world, b_in_world, pairs), picture, reporting);
}

}  // namespace tandem::cli
