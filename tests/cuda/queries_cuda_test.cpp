// Queries on a CUDA device through the public interface: the hits of the host, to the bit.
//
// With the argument `small`, meshes and rays are few: for tools that make kernels slow.
#include <tandem/cuda/rays.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"
#include "run_on_device.h"
#include "support/ray_cases.h"

namespace {

using tandem::Hit;
using tandem::Mesh;
using tandem::Model;
using tandem::Ray;
using tandem::cuda::DeviceBuilder;
using tandem::cuda::DeviceModel;
using tandem::cuda::RayTracing;

/// Rays, and what the host finds.
struct Expected {
  std::vector<Ray> rays;
  std::vector<Hit> hits;
  std::size_t hit_count = 0;

  Expected(const Model& model, std::size_t ray_count, std::uint64_t seed) : hits(ray_count) {
    tandem::test::RayCases cases(model.mesh(), seed);
    for (std::size_t i = 0; i < ray_count; ++i) rays.push_back(cases.next());
    tandem::closest_hits(model, rays, hits, {.threads = 0});
    for (const Hit& hit : hits) hit_count += hit ? 1 : 0;
  }
};

/// Traces rays in every way that the model's structure has, against the host's hits.
bool same_hits(const std::string& name, const DeviceModel& model, const Expected& expected) {
  for (const tandem::RayEngine& engine : tandem::ray_engines()) {
    if (engine.structure != model.structure()) continue;
    for (const bool refill : {false, true}) {
      const RayTracing how{engine.traversal, refill};
      std::vector<Hit> hits(expected.rays.size());
      std::vector<std::uint8_t> any(expected.rays.size(), 7);
      tandem::cuda::closest_hits(model, expected.rays, hits, {}, how);
      tandem::cuda::any_hits(model, expected.rays, any, {}, how);
      for (std::size_t i = 0; i < hits.size(); ++i) {
        if (hits[i] == expected.hits[i] && any[i] == (expected.hits[i] ? 1 : 0)) continue;
        std::fprintf(stderr, "%s, ray %zu, %s%s: host and device disagree\n", name.c_str(), i,
                     std::string(engine.traversal.name()).c_str(), refill ? ", refilled" : "");
        return false;
      }
    }
  }
  return true;
}

/// The mesh with every vertex moved a little.
Mesh moved(const Mesh& mesh, std::uint64_t seed) {
  tandem::detail::Random random(seed);
  const tandem::Bounds box = mesh.bounds();
  const double size = 0.05 * tandem::length(tandem::Vec3d(box.upper) - tandem::Vec3d(box.lower));
  std::vector<tandem::Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (tandem::Vec3f& vertex : vertices) {
    for (int axis = 0; axis < 3; ++axis) {
      vertex[axis] += static_cast<float>(random.uniform(-size, size));
    }
  }
  return mesh.with_vertices(std::move(vertices));
}

/// Hard rays at a mesh, through each kind of tree, before and after its vertices have moved.
bool same_hits(const std::string& name, const Mesh& mesh, std::size_t ray_count,
               std::uint64_t seed) {
  const Model model(mesh);
  const Mesh newer = moved(mesh, seed);
  const Expected expected(model, ray_count, seed);
  const Expected after(Model(newer), ray_count / 4, seed);
  const std::string label = name + ", seed " + std::to_string(seed);
  const std::pair<const char*, DeviceModel> trees[] = {
      {"copied", DeviceModel(model)},
      {"curve", DeviceModel(mesh, {}, {.builder = DeviceBuilder::curve})},
      {"clusters", DeviceModel(mesh, {}, {.builder = DeviceBuilder::clusters})}};
  for (const auto& [kind, tree] : trees) {
    if (!same_hits(label + ", " + kind, tree, expected)) return false;
    if (!same_hits(label + ", refit " + kind, tree.refit(newer.vertices()), after)) return false;
    // The older version is as it was.
    if (!same_hits(label + ", older " + kind, tree, expected)) return false;
  }
  for (const char* const structure : {"ray-binary", "ray-wide"}) {
    const DeviceModel tree(model, structure);
    if (!same_hits(label + ", " + structure, tree, expected)) return false;
  }
  std::printf("%-12s %8zu triangles %9zu rays %9zu hits, the same in 52 ways; %.1f and %.1f MB\n",
              name.c_str(), mesh.triangle_count(), ray_count, expected.hit_count,
              static_cast<double>(trees[0].second.bytes()) / 1e6,
              static_cast<double>(trees[2].second.bytes()) / 1e6);
  return true;
}

/// Meshes of many sizes, built at once.
bool many_meshes(std::size_t ray_count, bool small) {
  std::vector<Mesh> meshes = {Mesh(), tandem::make_shape("knot", small ? 200 : 20'000)};
  for (std::size_t i = 1; i <= (small ? 5 : 100); ++i) meshes.push_back(tandem::make_soup(i, i));
  meshes.emplace_back();
  meshes.push_back(tandem::make_shape("rock", small ? 500 : 300'000));
  for (const DeviceBuilder builder : {DeviceBuilder::curve, DeviceBuilder::clusters}) {
    const std::vector<DeviceModel> models =
        tandem::cuda::make_device_models(meshes, {}, {.builder = builder});
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const std::string name = "mesh " + std::to_string(i) + " of many";
      if (meshes[i].empty()) continue;
      const Expected expected(Model(meshes[i]), ray_count, i);
      if (!same_hits(name, models[i], expected)) return false;
      const Mesh newer = moved(meshes[i], i);
      const Expected after(Model(newer), ray_count, i);
      if (!same_hits(name + ", refit", models[i].refit(newer.vertices()), after)) return false;
    }
    if (models.size() != meshes.size() || models[0].bytes() != 0) return false;
  }
  return tandem::cuda::make_device_models({}).empty();
}

/// A traversal of another structure is refused.
bool wrong_names() {
  const DeviceModel box(Model(tandem::make_shape("box", 12)));
  std::vector<Hit> hits(1);
  const std::vector<Ray> one(1, Ray{{0, 0, 0}, {1, 0, 0}});
  try {
    tandem::cuda::closest_hits(box, one, hits, {}, {"skip", false});
  } catch (const tandem::Error&) {
    return true;
  }
  std::fprintf(stderr, "a traversal of another structure is accepted\n");
  return false;
}

/// What refits refuse.
bool refused() {
  const Mesh box = tandem::make_shape("box", 12);
  const DeviceModel model(box);
  std::vector<tandem::Vec3f> positions(box.vertices().begin(), box.vertices().end());
  const auto throws = [&](const char* what) {
    try {
      model.refit(positions);
    } catch (const tandem::Error&) {
      return true;
    }
    std::fprintf(stderr, "a refit accepts %s\n", what);
    return false;
  };
  positions[1].y = NAN;
  const bool refuses_nan = throws("a coordinate that is not finite");
  positions.pop_back();
  return throws("too few positions") && refuses_nan;
}

/// Nothing to trace, and nothing to trace through.
bool empty_ones() {
  const DeviceModel nothing{Mesh()};
  const DeviceModel box(Model(tandem::make_shape("box", 12)));
  std::vector<Hit> hits(1, Hit{7, 1, 0, 0});
  const std::vector<Ray> one(1, Ray{{0, 0, 0}, {1, 0, 0}});
  tandem::cuda::closest_hits(nothing, one, hits);
  const bool missed = !hits[0];
  tandem::cuda::closest_hits(box, {}, {});
  if (!missed) std::fprintf(stderr, "an empty model is hit\n");
  return missed;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool small = argument_count > 1 && std::string(arguments[1]) == "small";
  return tandem::test::run_on_device([&] {
    const std::size_t count = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 2'000'000
                              : small                                     ? 2'000
                                                                          : 200'000;
    bool same = empty_ones() && wrong_names() && refused() && many_meshes(count / 100, small);
    std::uint64_t seed = 1;
    for (const char* const name : {"knot", "rock", "torus", "soup", "pipes"}) {
      same = same && same_hits(name, tandem::make_shape(name, small ? 300 : 20'000), count, seed++);
    }
    // Beyond and below what float32 arithmetic can trace.
    const Mesh rock = tandem::make_shape("rock", small ? 200 : 2'000);
    for (const double scale : {1e-30, 1e-9, 1e9, 1e25}) {
      const std::string name = "rock x " + std::to_string(static_cast<int>(std::log10(scale)));
      same = same && same_hits(name, tandem::test::transformed(rock, scale, {3, -1, 2}), count / 10,
                               seed++);
    }
    return same;
  });
}
