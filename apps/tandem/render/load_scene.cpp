// Scenes from meshes: those that are known by the name of their file, and any other on a stage.
#include <filesystem>
#include <string_view>

#include "options/mesh_source.h"
#include "render/scene_builder.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

/// The usual view and lights of a scene whose file has only triangles.
struct KnownScene {
  std::string_view name;
  Camera camera;
  std::vector<Lamp> lamps;
  Sky sky;
};

const std::vector<KnownScene>& known_scenes() {
  static const std::vector<KnownScene> k_scenes = {
      {"sibenik",
       {.eye = {-16, -11, 0.5},
        .target = {10, -9, 0},
        .up = {0, 1, 0},
        .field_of_view_degrees = 60},
       // The two small lights in the aisles that were published with it, and three along the nave.
       {{{4.1541, -13.85316, -5.88498}, 0.1, 150},
        {{4.1541, -13.85316, 5.88498}, 0.1, 150},
        {{-10, 0, 0}, 0.7, 60},
        {{0, 0, 0}, 0.7, 60},
        {{10, 0, 0}, 0.7, 60}},
       {.zenith = {1.2, 1.5, 2}, .horizon = {1.5, 1.6, 1.8}}},
      {"sponza_crytek",
       {.eye = {1200, 300, 0}, .target = {0, 250, 0}, .up = {0, 1, 0}, .field_of_view_degrees = 60},
       {{{0, 500, 0}, 30, 100}},
       {.zenith = {2, 2.5, 3.3}, .horizon = {2.6, 2.8, 3}}},
  };
  return k_scenes;
}

/// The Cornell box: its light is the small quad just below the ceiling, and its side walls are red
/// and green.
Scene make_cornell_box(const Mesh& mesh, const SceneChoices& choices, Reporting reporting) {
  SceneBuilder builder;
  const std::uint32_t white = builder.add_material({.albedo = {0.73, 0.71, 0.68}});
  const std::uint32_t red = builder.add_material({.albedo = {0.63, 0.065, 0.05}});
  const std::uint32_t green = builder.add_material({.albedo = {0.14, 0.45, 0.09}});
  const std::uint32_t light = builder.add_material({.albedo = {0, 0, 0}, .emission = {17, 12, 6}});
  const Bounds box = mesh.bounds();
  builder.add(mesh, 1, Pose(), [&](std::uint32_t id) {
    const TriangleF t = mesh.triangle(id);
    const auto all = [&](auto holds) {
      return holds(t.corner[0]) && holds(t.corner[1]) && holds(t.corner[2]);
    };
    if (all([&](const Vec3f& p) { return p.x < box.lower.x + 0.05F; })) return red;
    if (all([&](const Vec3f& p) { return p.x > box.upper.x - 0.05F; })) return green;
    const bool high = all([&](const Vec3f& p) { return p.y > box.upper.y - 0.05F; });
    const bool central = all([](const Vec3f& p) { return p.x > -0.5F && p.x < 0.5F; });
    return high && central ? light : white;
  });
  add_lamps(builder, choices.lamps);
  const Camera camera{
      .eye = {0, 1, 3.9}, .target = {0, 1, 0}, .up = {0, 1, 0}, .field_of_view_degrees = 38};
  return std::move(builder).build("cornell_box", {}, choices.camera.value_or(camera), reporting);
}

Scene make_known(const KnownScene& known, const Mesh& mesh, const SceneChoices& choices,
                 Reporting reporting) {
  SceneBuilder builder;
  builder.add(mesh, 1, Pose(), builder.add_material({.albedo = {0.68, 0.64, 0.57}}));
  add_lamps(builder, choices.lamps.empty() ? known.lamps : choices.lamps);
  return std::move(builder).build(std::string(known.name), known.sky,
                                  choices.camera.value_or(known.camera), reporting);
}

Scene make_staged(const std::string& name, const Mesh& mesh, const SceneChoices& choices,
                  Reporting reporting) {
  SceneBuilder builder;
  builder.add(mesh, 1, Pose(), builder.add_material({.albedo = {0.72, 0.45, 0.24}}));
  const Bounds box = mesh.bounds();
  const Vec3d centre = 0.5 * (Vec3d(box.lower) + Vec3d(box.upper));
  const double radius = 0.5 * length(Vec3d(box.upper) - Vec3d(box.lower));
  Sky sky;
  if (choices.stage) add_stage(builder, builder.bounds(), &sky);
  add_lamps(builder, choices.lamps);
  Scene scene = std::move(builder).build(
      name, sky, choices.camera.value_or(frame_ball(centre, radius, {0.45, 0.4, 1})), reporting);
  scene.exposure = 0.7;
  return scene;
}

}  // namespace

Scene load_scene(const std::string& source, const SceneChoices& choices, Reporting reporting) {
  if (source == k_interior) return make_interior(choices, reporting);
  const Mesh mesh = load_mesh(source, reporting);
  if (mesh.empty()) throw Error(source + ": there is nothing to render, as it has no triangles");
  const std::string name = one_line(std::filesystem::path(source).stem().string());
  if (name == "cornell_box") return make_cornell_box(mesh, choices, reporting);
  for (const KnownScene& known : known_scenes()) {
    if (known.name == name) return make_known(known, mesh, choices, reporting);
  }
  return make_staged(name, mesh, choices, reporting);
}

}  // namespace tandem::cli
