#include "measure/body_scenes.h"

#include <tandem/batch.h>
#include <tandem/scene.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/random.h"
#include "parallel/parallel_for.h"

namespace tandem::cli {

namespace {

/// The smallest cube of whole numbers that has room for so many.
int side_of_cube(int count) {
  int side = 1;
  while (side * side * side < count) ++side;
  return side;
}

/// In this direction, the point of an ellipsoid with lumps.
Vec3f lumpy_point(const Vec3d& direction) {
  const auto [x, y, z] = normalised(direction);
  const double radius = 1 + 0.18 * std::sin(4 * x + 1) * std::sin(5 * y) +
                        0.12 * std::sin(7 * z + 2 * x) +
                        0.03 * std::sin(23 * x) * std::sin(19 * y + z) * std::sin(21 * z);
  return Vec3f(radius * Vec3d(1.5 * x, y, 0.8 * z));
}

/// A square plane of that half side.
Mesh make_ground(double half) {
  constexpr std::size_t k_ground_triangles = 20'000;
  const Mesh plane = make_shape("plane", k_ground_triangles);
  std::vector<Vec3f> vertices(plane.vertices().begin(), plane.vertices().end());
  for (Vec3f& vertex : vertices) vertex = static_cast<float>(half) * vertex;
  return plane.with_vertices(std::move(vertices));
}

}  // namespace

Pose random_turn(detail::Random& random, const Vec3d& at) {
  double part[4];
  double length_sq = 0;
  do {
    length_sq = 0;
    for (double& x : part) {
      x = random.uniform(-1, 1);
      length_sq += x * x;
    }
  } while (length_sq > 1 || length_sq < 1e-3);
  return Pose::from_quaternion(part[0], part[1], part[2], part[3], at);
}

std::size_t BodyScene::triangle_count() const {
  std::size_t count = 0;
  for (const PlacedBody& body : bodies) count += models[body.model].mesh().triangle_count();
  return count;
}

std::vector<BatchQuery> BodyScene::close_bodies(int threads) const {
  tandem::Scene scene;
  for (const PlacedBody& body : bodies) scene.add(models[body.model], body.in_world);
  std::vector<BatchQuery> queries;
  for (const auto& [a, b] : scene.close_objects({.threads = threads})) {
    queries.push_back(
        {bodies[a].model, bodies[b].model, relative_pose(bodies[a].in_world, bodies[b].in_world)});
  }
  return queries;
}

BodyScene BodyScene::with_own_models() const {
  BodyScene scene{.name = name, .models = {}, .bodies = bodies};
  for (PlacedBody& body : scene.bodies) {
    scene.models.push_back(models[body.model]);
    body.model = static_cast<std::uint32_t>(scene.models.size() - 1);
  }
  // A model of its own is made of the mesh anew; copies share their structures.
  detail::parallel_for(scene.models.size(), 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scene.models[i] = Model(scene.models[i].mesh());
  });
  return scene;
}

BodyScene make_stack(const Model& box, int side) {
  constexpr double k_spacing = 2 * (1 - 1.0 / 2000);
  BodyScene scene{.name = "stack", .models = {box}, .bodies = {}};
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3d place(i % side, i / side % side, i / side / side);
    scene.bodies.push_back({0, Pose::from_translation(k_spacing * place)});
  }
  return scene;
}

BodyScene make_pile(const Model& body, int count, std::uint64_t seed) {
  constexpr double k_spacing = 2.05;
  detail::Random random(seed);
  const int side = side_of_cube(count);
  BodyScene scene{.name = "pile", .models = {body}, .bodies = {}};
  for (int i = 0; i < count; ++i) {
    const double x = i % side + random.uniform(-0.25, 0.25);
    const double y = i / side % side + random.uniform(-0.25, 0.25);
    const double z = i / side / side + random.uniform(-0.25, 0.25);
    scene.bodies.push_back({0, random_turn(random, k_spacing * Vec3d(x, y, z))});
  }
  return scene;
}

Mesh make_lumpy_body(std::size_t triangle_count) {
  const int n = std::max(1, static_cast<int>(std::lround(std::sqrt(triangle_count / 12.0))));
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (int side = 0; side < 6; ++side) {
    for (int i = 0; i < n * n; ++i) {
      // A square of the side of a cube, at equal angles, seen from the centre.
      const auto corner = [&](int right, int up) {
        const auto tangent = [&](int step) {
          return std::tan(std::numbers::pi / 4 * (2.0 * step / n - 1));
        };
        const double sign = side < 3 ? 1 : -1;
        Vec3d point;
        point[side % 3] = sign;
        point[(side + 1) % 3] = tangent(i % n + right);
        point[(side + 2) % 3] = sign * tangent(i / n + up);
        return lumpy_point(point);
      };
      const auto first = static_cast<std::uint32_t>(vertices.size());
      for (const auto& [right, up] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
        vertices.push_back(corner(right, up));
      }
      triangles.push_back({first, first + 1, first + 2});
      triangles.push_back({first, first + 2, first + 3});
    }
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

BodyScene make_heavy_pile(const Model& body, int count, std::uint64_t seed) {
  BodyScene scene = make_pile(body, count, seed);
  scene.name = "heavy";
  return scene;
}

std::vector<Pose> make_close_poses(int count, std::uint64_t seed) {
  constexpr double k_farthest = 2.1;
  detail::Random random(seed);
  std::vector<Pose> poses;
  poses.reserve(static_cast<std::size_t>(count));
  while (poses.size() < static_cast<std::size_t>(count)) {
    const Vec3d at(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (dot(at, at) <= 1) poses.push_back(random_turn(random, k_farthest * at));
  }
  return poses;
}

std::vector<Pose> make_apart_poses(const Model& body, int count, std::uint64_t seed) {
  constexpr int k_bisections = 20;
  const auto size = static_cast<std::size_t>(count);
  const Bounds box = body.mesh().bounds();
  detail::Random random(seed);
  std::vector<Pose> poses;
  std::vector<Vec3d> directions;
  while (poses.size() < size) {
    const Vec3d at(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (dot(at, at) > 1 || dot(at, at) < 0.01) continue;
    directions.push_back((1 / length(at)) * at);
    poses.push_back(random_turn(random, {0, 0, 0}));
  }
  const auto moved = [&](std::size_t i, double distance) {
    return relative_pose(Pose::from_translation(-distance * directions[i]), poses[i]);
  };
  std::vector<double> touching(size, 0);
  std::vector<double> apart(size, 2 * length(Vec3d(box.upper) - Vec3d(box.lower)));
  std::vector<Pose> tried(size);
  for (int round = 0; round < k_bisections; ++round) {
    for (std::size_t i = 0; i < size; ++i) tried[i] = moved(i, 0.5 * (touching[i] + apart[i]));
    const BatchBits touch = intersects_batch(body, body, tried, {.threads = 0});
    for (std::size_t i = 0; i < size; ++i) {
      (touch[i] ? touching[i] : apart[i]) = 0.5 * (touching[i] + apart[i]);
    }
  }
  for (std::size_t i = 0; i < size; ++i) poses[i] = moved(i, random.uniform(1.01, 2) * apart[i]);
  return poses;
}

BodyScene make_rock_slide(const Model& body, int count, std::uint64_t seed) {
  // A body for every square of this side, at heights at which some just touch the ground.
  constexpr double k_spacing = 3;
  constexpr double k_tilt = std::numbers::pi / 6;
  detail::Random random(seed);
  int side = 1;
  while (side * side < count) ++side;
  const double half = 0.5 * k_spacing * side + 1;
  const Pose slope = Pose::from_axis_angle({0, 1, 0}, k_tilt);
  BodyScene scene{.name = "rockslide", .models = {body, Model(make_ground(half))}, .bodies = {}};
  scene.bodies.push_back({1, slope});
  for (int i = 0; i < count; ++i) {
    const double x = k_spacing * (i % side - 0.5 * (side - 1) + random.uniform(-0.2, 0.2));
    const double y = k_spacing * (i / side - 0.5 * (side - 1) + random.uniform(-0.2, 0.2));
    const double z = random.uniform(0.95, 1.8);
    scene.bodies.push_back({0, slope * random_turn(random, {x, y, z})});
  }
  return scene;
}

}  // namespace tandem::cli
