#include "simulate/sim_scenes.h"

#include <tandem/error.h>
#include <tandem/mesh_info.h>
#include <tandem/model.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "math/random.h"
#include "measure/body_scenes.h"

namespace tandem::cli {

namespace {

/// The body of a scene, made ready.
struct SimBody {
  Model model;
  Mesh look;
  sim::MassProperties mass;
  bool hollow = false;
  double radius = 0;
};

/// Moved and scaled so that its box is around the origin and its longest side is 2.
Mesh normalised_mesh(const Mesh& mesh) {
  const Bounds box = mesh.bounds();
  const Vec3d middle = 0.5 * (Vec3d(box.lower) + Vec3d(box.upper));
  const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
  const double scale = 2 / std::max({sides.x, sides.y, sides.z});
  if (mesh.empty() || !std::isfinite(scale)) throw Error("--mesh: a body needs triangles");
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& vertex : vertices) vertex = Vec3f(scale * (Vec3d(vertex) - middle));
  return mesh.with_vertices(std::move(vertices));
}

SimBody make_body(Mesh usual, const SimSceneOptions& options) {
  Mesh mesh = options.mesh != nullptr ? normalised_mesh(*options.mesh) : std::move(usual);
  const Mesh look = mesh;
  for (int i = 0; i < options.subdivide; ++i) mesh = subdivide(mesh);
  const bool hollow = !options.solid && !describe(mesh).closed();
  const sim::MassProperties mass =
      hollow ? sim::shell_mass(mesh, k_mass_per_area) : sim::solid_mass(mesh, k_density);
  SimBody body{Model(std::move(mesh)), look, mass, hollow, 0};
  for (const Vec3f& vertex : body.model.mesh().vertices()) {
    body.radius = std::max(body.radius, length(Vec3d(vertex) - mass.centre));
  }
  return body;
}

SimScene scene_of(const SimBody& body, const SimSceneOptions& options) {
  return {.world = sim::Simulation(options.settings),
          .body_triangles = body.model.mesh().triangle_count(),
          .look = body.look,
          .hollow = body.hollow,
          .not_drawn = {}};
}

void add_body(SimScene& scene, const SimBody& body, const Pose& in_world, double friction) {
  scene.world.add(body.model, body.mass, {.in_world = in_world, .friction = friction});
  scene.triangles += body.model.mesh().triangle_count();
  ++scene.moving_bodies;
}

/// A box that does not move, between two corners.
sim::BodyId add_wall(SimScene& scene, const Vec3d& lower, const Vec3d& upper, double friction) {
  const Model box(make_box(1, upper - lower));
  scene.triangles += box.mesh().triangle_count();
  return scene.world.add_static(
      box, {.in_world = Pose::from_translation(0.5 * (lower + upper)), .friction = friction});
}

int side_of_cube(int count) {
  int side = 1;
  while (side * side * side < count) ++side;
  return side;
}

/// Boxes of side 1 in a cube, each on and beside others.
SimScene make_stack_scene(const SimSceneOptions& options) {
  constexpr double k_friction = 0.6;
  const SimBody body = make_body(make_box(1, {1, 1, 1}), options);
  const Bounds box = body.model.mesh().bounds();
  const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
  const int side = side_of_cube(options.objects > 0 ? options.objects : 216);
  SimScene scene = scene_of(body, options);
  const double reach = 2 * side * length(sides);
  add_wall(scene, {-reach, -reach, -1}, {reach, reach, 0}, k_friction);
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3d place(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1),
                      i / side / side);
    add_body(scene, body,
             Pose::from_translation(
                 {place.x * sides.x, place.y * sides.y, place.z * sides.z - box.lower.z}),
             k_friction);
  }
  return scene;
}

/// Bodies that fall into a bin, at random angles.
SimScene make_pile_scene(const SimSceneOptions& options) {
  constexpr double k_friction = 0.5;
  const SimBody body = make_body(make_lumpy_body(1500), options);
  const int count = options.objects > 0 ? options.objects : 216;
  const int side = side_of_cube(count);
  const double spacing = 2.05 * body.radius;
  const double half = 0.5 * spacing * side + 0.2;
  // Bodies fall straight down and fill about half of the height in which they begin.
  const double height = 0.8 * spacing * side;
  const double wall = 0.5 * body.radius;
  SimScene scene = scene_of(body, options);
  add_wall(scene, {-half - wall, -half - wall, -wall}, {half + wall, half + wall, 0}, k_friction);
  for (const double sign : {-1.0, 1.0}) {
    const double in = sign * half;
    const double out = sign * (half + wall);
    const auto [low, high] = std::minmax(in, out);
    const sim::BodyId across =
        add_wall(scene, {low, -half - wall, 0}, {high, half + wall, height}, k_friction);
    const sim::BodyId along = add_wall(scene, {-half, low, 0}, {half, high, height}, k_friction);
    // Pictures are seen from where x is large and y is small.
    scene.not_drawn.push_back(sign > 0 ? across : along);
  }
  detail::Random random(options.seed);
  for (int i = 0; i < count; ++i) {
    const Vec3d place(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1),
                      i / side / side + 0.55);
    add_body(scene, body, random_turn(random, spacing * place), k_friction);
  }
  return scene;
}

/// Where bodies of a rock slide begin, above the upper end of the slope.
Pose place_at_top(std::uint64_t number, int across, double spacing, double length,
                  const Pose& slope) {
  detail::Random random(detail::Random::mix(number + 1));
  const auto lane = static_cast<double>(number % static_cast<std::uint64_t>(across));
  const double y = spacing * (lane - 0.5 * (across - 1));
  return slope * random_turn(random, {-0.5 * length, y, spacing * random.uniform(0.6, 1.4)});
}

/// Bodies that tumble down a slope; those that leave it begin at the top again.
SimScene make_rock_slide_scene(const SimSceneOptions& options) {
  constexpr double k_friction = 0.4;
  constexpr double k_tilt = std::numbers::pi / 6;
  constexpr double k_thickness = 2;
  const SimBody body = make_body(make_lumpy_body(1500), options);
  const int count = options.objects > 0 ? options.objects : 500;
  const int across = std::max(1, static_cast<int>(std::lround(std::sqrt(0.5 * count))));
  const int along = (count + across - 1) / across;
  const double spacing = 2.2 * body.radius;
  const double size = spacing * along;
  const double half_width = 0.5 * spacing * across + spacing;
  const Pose slope = Pose::from_axis_angle({0, 1, 0}, k_tilt);
  SimScene scene = scene_of(body, options);
  const Model ground(make_box(16, {1.2 * size, 2 * half_width, k_thickness}));
  scene.triangles += ground.mesh().triangle_count();
  scene.world.add_static(ground,
                         {.in_world = slope * Pose::from_translation({0, 0, -0.5 * k_thickness}),
                          .friction = k_friction});
  detail::Random random(options.seed);
  for (int i = 0; i < count; ++i) {
    const double x = spacing * (i / across - 0.5 * (along - 1));
    const double y = spacing * (i % across - 0.5 * (across - 1));
    add_body(scene, body, slope * random_turn(random, {x, y, spacing * random.uniform(0.55, 0.8)}),
             k_friction);
  }

  // As deep as the slope reaches: there the ground of pictures is.
  const double lowest =
      -0.6 * size * std::sin(k_tilt) - k_thickness * std::cos(k_tilt) - body.radius;
  scene.between_steps = [=, seed = options.seed](sim::Simulation& world) {
    const std::uint64_t step = world.step_count();
    for (sim::BodyId id = 1; id < world.body_count(); ++id) {
      if (world.body(id).centre.z > lowest) continue;
      const Pose pose = place_at_top(detail::Random::mix(seed) + step * world.body_count() + id,
                                     across, spacing, size, slope);
      world.place(id, pose);
    }
  };
  return scene;
}

constexpr SimSceneInfo k_scenes[] = {
    {"stack", "a cube of boxes, each on and beside others (216 of them)", make_stack_scene},
    {"pile", "lumpy bodies that fall into a bin (216)", make_pile_scene},
    {"rockslide", "lumpy bodies that tumble down a slope (500)", make_rock_slide_scene, true}};

}  // namespace

std::span<const SimSceneInfo> sim_scenes() {
  return k_scenes;
}

}  // namespace tandem::cli
