#include "render/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "text/numbers.h"

namespace tandem::cli {

std::uint32_t SceneBuilder::add_material(const Material& material) {
  materials_.push_back(material);
  return static_cast<std::uint32_t>(materials_.size() - 1);
}

void SceneBuilder::add_vertex(const Vec3d& point) {
  const Vec3f vertex(point);
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(vertex[axis])) {
      throw Error("the scene does not fit into single precision: something of it is at " +
                  shortest(point[axis]) + " along " + "xyz"[axis]);
    }
  }
  vertices_.push_back(vertex);
}

void SceneBuilder::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                std::uint32_t material) {
  triangles_.push_back({a, b, c});
  material_of_.push_back(material);
}

void SceneBuilder::add(const Mesh& mesh, double scale, const Pose& pose,
                       const std::function<std::uint32_t(std::uint32_t)>& material_of) {
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  for (const Vec3f& vertex : mesh.vertices()) {
    add_vertex(transform_point(pose, scale * Vec3d(vertex)));
  }
  for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    add_triangle(first + t[0], first + t[1], first + t[2], material_of(i));
  }
}

void SceneBuilder::add(const Mesh& mesh, double scale, const Pose& pose, std::uint32_t material) {
  add(mesh, scale, pose, [=](std::uint32_t) { return material; });
}

void SceneBuilder::add_box(const Vec3d& lower, const Vec3d& upper, std::uint32_t material) {
  add(make_box(1, upper - lower), 1, Pose::from_translation(0.5 * (lower + upper)), material);
}

void SceneBuilder::add_quad(const Vec3d& corner, const Vec3d& side1, const Vec3d& side2,
                            std::uint32_t material) {
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  for (const Vec3d& at : {corner, corner + side1, corner + side1 + side2, corner + side2}) {
    add_vertex(at);
  }
  add_triangle(first, first + 1, first + 2, material);
  add_triangle(first, first + 2, first + 3, material);
}

void SceneBuilder::add_bar(const Vec3d& from, const Vec3d& to, double radius, int sides,
                           std::uint32_t material) {
  const Vec3d axis = to - from;
  if (!(length_sq(axis) > 0)) return;
  // Two directions across the bar.
  const Vec3d other = std::fabs(axis.x) < 0.7 * length(axis) ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d u = normalised(cross(axis, other));
  const Vec3d v = normalised(cross(axis, u));
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    const Vec3d across = radius * (std::cos(angle) * u + std::sin(angle) * v);
    add_vertex(from + across);
    add_vertex(to + across);
  }
  for (int i = 0; i < sides; ++i) {
    const std::uint32_t here = first + static_cast<std::uint32_t>(2 * i);
    const std::uint32_t next = first + static_cast<std::uint32_t>(2 * ((i + 1) % sides));
    add_triangle(here, here + 1, next, material);
    add_triangle(next, here + 1, next + 1, material);
  }
}

Bounds SceneBuilder::bounds() const {
  constexpr float k_inf = std::numeric_limits<float>::infinity();
  Bounds box{{k_inf, k_inf, k_inf}, {-k_inf, -k_inf, -k_inf}};
  for (const Vec3f& vertex : vertices_) {
    box.lower = min(box.lower, vertex);
    box.upper = max(box.upper, vertex);
  }
  return box;
}

Scene SceneBuilder::build(std::string name, const Sky& sky, const Camera& camera,
                          Reporting reporting, Builder builder) && {
  ProgressBar bar("building", reporting);
  Scene scene{std::move(name),
              Model(Mesh(std::move(vertices_), std::move(triangles_)),
                    {.structure = "ray-wide", .builder = builder, .progress = bar.callback()}),
              std::move(materials_),
              std::move(material_of_),
              sky,
              camera};
  return scene;
}

Camera frame_ball(const Vec3d& centre, double radius, const Vec3d& direction) {
  Camera camera{.eye = {}, .target = centre, .up = {0, 1, 0}, .field_of_view_degrees = 35};
  const double half_angle = camera.field_of_view_degrees / 2 * std::numbers::pi / 180;
  camera.eye = centre + (1.05 * radius / std::sin(half_angle)) * normalised(direction);
  return camera;
}

void move_back(Camera* camera, std::span<const Vec3d> points, double aspect) {
  const double up_slope = std::tan(camera->field_of_view_degrees / 2 * std::numbers::pi / 180);
  const double right_slope = up_slope * aspect;
  const Vec3d direction = normalised(camera->eye - camera->target);
  const Vec3d right = normalised(cross(camera->up, direction));
  const Vec3d up = cross(direction, right);
  double distance = length(camera->eye - camera->target);
  for (const Vec3d& point : points) {
    constexpr double k_border = 1.1;
    const Vec3d from_target = point - camera->target;
    const double across = std::max(std::fabs(dot(from_target, right)) / right_slope,
                                   std::fabs(dot(from_target, up)) / up_slope);
    distance = std::max(distance, dot(from_target, direction) + k_border * across);
  }
  camera->eye = camera->target + distance * direction;
}

void add_stage(SceneBuilder& builder, const Bounds& box, Sky* sky) {
  const Vec3d lower(box.lower);
  const Vec3d upper(box.upper);
  const Vec3d centre = 0.5 * (lower + upper);
  const double size = length(upper - lower);
  // The ground reaches to the horizon; the lamp is behind the viewer's left shoulder.
  const double reach = 40 * size;
  const double below = lower.y - 0.01 * size;
  builder.add_quad({centre.x - reach, below, centre.z - reach}, {0, 0, 2 * reach},
                   {2 * reach, 0, 0}, builder.add_material({.albedo = {0.62, 0.63, 0.66}}));
  const std::uint32_t light =
      builder.add_material({.albedo = {0, 0, 0}, .emission = {26, 23.5, 20}});
  builder.add_quad(centre + size * Vec3d{-2.2, 2.2, 0.6}, size * Vec3d{0.7, 0, 0.9},
                   size * Vec3d{0.6, 0.5, -0.5}, light);
  *sky = {.zenith = {0.3, 0.4, 0.58}, .horizon = {0.62, 0.66, 0.7}};
}

void add_lamps(SceneBuilder& builder, const std::vector<Lamp>& lamps) {
  for (const Lamp& lamp : lamps) {
    const std::uint32_t material = builder.add_material(
        {.albedo = {0, 0, 0}, .emission = lamp.brightness * Vec3d{1, 0.95, 0.85}});
    builder.add(make_icosphere(3), lamp.radius, Pose::from_translation(lamp.centre), material);
  }
}

}  // namespace tandem::cli
