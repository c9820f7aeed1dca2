// Models that a CUDA device makes of meshes for collisions, and refits: they collide as those of
// the host. Prints how long large ones take, and what queries on them cost.
//
// With the argument `small`, the models are few and small: for tools that make kernels slow.
#include <cuda_runtime.h>
#include <tandem/cuda/collide.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/meshes/mesh_copies.h"
#include "device_time.h"
#include "run_on_device.h"
#include "support/ray_cases.h"

namespace {

using tandem::Mesh;
using tandem::Model;
using tandem::Pose;
using tandem::TriangleIndices;
using tandem::Vec3f;
using tandem::cuda::Collider;
using tandem::cuda::DeviceArray;
using tandem::cuda::MeshCopies;

constexpr tandem::cuda::ColliderOptions k_curve = {.builder = tandem::cuda::ColliderBuilder::curve};

std::vector<Mesh> meshes(bool small) {
  std::vector<Mesh> result = {
      tandem::make_shape("knot", 3'000),
      tandem::make_plane(20),
      Mesh(),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e38, {0, 0, 0}),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e-38, {0, 0, 0}),
      Mesh({{0, 0, 0}, {1e30F, 0, 0}, {0, 1e-30F, 1e30F}, {1e-38F, 1, 2}},
           {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}})};
  for (std::size_t count = 1; count <= (small ? 5 : 40); ++count) {
    result.push_back(tandem::make_soup(count, count));
  }
  return result;
}

/// The same triangles at other places.
Mesh moved(const Mesh& mesh) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  if (!vertices.empty()) std::rotate(vertices.begin(), vertices.begin() + 1, vertices.end());
  return mesh.with_vertices(std::move(vertices));
}

/// All meshes against each other, at two poses.
std::vector<tandem::BatchQuery> queries_between(std::size_t count) {
  std::vector<tandem::BatchQuery> queries;
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) {
      queries.push_back({a, b, Pose()});
      queries.push_back({a, b, Pose::from_axis_angle({1, 2, 3}, 1, {0.3, 0.1, 0.2})});
    }
  }
  return queries;
}

bool same_as(const std::vector<Mesh>& expected, Collider& collider, const char* what) {
  std::vector<Model> models;
  for (const Mesh& mesh : expected) models.emplace_back(mesh);
  const std::vector<tandem::BatchQuery> queries = queries_between(models.size());
  const tandem::BatchResult on_host = tandem::collide_batch(models, queries, {.threads = 0});
  const tandem::BatchResult found = collider.collide(queries);
  if (found.offsets == on_host.offsets && found.pairs == on_host.pairs) return true;
  std::fprintf(stderr, "%s: host and device disagree\n", what);
  return false;
}

/// Models that the device makes collide as those of the host, also when their vertices have moved.
bool same_as_on_the_host(bool small, const tandem::cuda::ColliderOptions& options) {
  std::vector<Mesh> all = meshes(small);
  Collider collider(std::span<const Mesh>(all), options);
  bool same = same_as(all, collider, "built models");
  for (std::size_t i = 0; i < all.size(); i += 2) {
    all[i] = moved(all[i]);
    if (!all[i].empty()) collider.refit(i, all[i].vertices());
  }
  same = same && same_as(all, collider, "models whose vertices have moved");
  const MeshCopies first(std::span<const Mesh>(all).first(1), {});
  Collider one(first.views(), options);
  return same && same_as({all[0]}, one, "one model");
}

void print_times(const Mesh& mesh, std::size_t copies) {
  const std::vector<Mesh> all(copies, mesh);
  const MeshCopies on_device(all, {});
  const auto count = static_cast<double>(copies * mesh.triangle_count());
  const auto print = [&](const char* what, double milliseconds) {
    std::printf("wide %-9s %5zu x %9zu triangles %8.3f ms %6.2f Gtri/s\n", what, copies,
                mesh.triangle_count(), milliseconds, count / milliseconds / 1e6);
  };
  print("bisection", tandem::test::device_time([&] { const Collider made(on_device.views()); }));
  print("curve",
        tandem::test::device_time([&] { const Collider made(on_device.views(), k_curve); }));
  if (copies > 1) return;
  Collider collider(on_device.views());
  print("refit", tandem::test::device_time([&] {
          collider.refit(0, on_device.views()[0].vertices, mesh.vertex_count());
        }));
}

/// The mesh against itself at some poses, on the device; prints what queries cost there.
bool same_waves(const char* name, std::size_t triangle_count) {
  const std::vector<Mesh> mesh = {tandem::make_shape(name, triangle_count)};
  std::vector<tandem::BatchQuery> queries;
  for (int i = 0; i < 20; ++i) {
    queries.push_back(
        {0, 0, Pose::from_axis_angle({1, 2, 3}, 0.3 * i, {0.8 + 0.02 * i, 0.1, 0.2})});
  }
  DeviceArray<tandem::BatchQuery> on_device(queries.size(), {});
  on_device.copy_from(queries.data());
  std::uint64_t counts[4] = {};
  double times[4] = {};
  const auto run = [&](int which, Collider collider) {
    const auto count = static_cast<std::uint32_t>(queries.size());
    counts[which] = collider.find(on_device.data(), count).count;
    times[which] = tandem::test::device_time([&] { collider.find(on_device.data(), count); });
  };
  const std::vector<Model> best = {Model(mesh[0])};
  const std::vector<Model> fast = {Model(mesh[0], {.builder = "fast"})};
  run(0, Collider(std::span<const Model>(best)));
  run(1, Collider(std::span<const Model>(fast)));
  run(2, Collider(std::span<const Mesh>(mesh)));
  run(3, Collider(std::span<const Mesh>(mesh), k_curve));
  std::printf(
      "waves on %s, %zu triangles, relative to best: fast %.2f, device %.2f, curve %.2f (%.3f "
      "ms)\n",
      name, mesh[0].triangle_count(), times[1] / times[0], times[2] / times[0], times[3] / times[0],
      times[0]);
  return counts[0] == counts[1] && counts[0] == counts[2] && counts[0] == counts[3];
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool small = argument_count > 1 && std::string(arguments[1]) == "small";
  return tandem::test::run_on_device([&] {
    bool same = same_as_on_the_host(small, {}) && same_as_on_the_host(small, k_curve);
    for (const char* const name : {"knot", "rock", "torus", "pipes"}) {
      same = same && same_waves(name, small ? 1'000 : 100'000);
    }
    if (small) return same;
    for (const std::size_t size : {100'000, 1'000'000, 5'000'000}) {
      print_times(tandem::make_shape("knot", size), 1);
    }
    print_times(tandem::make_shape("rock", 1'000), 1'000);
    return same;
  });
}
