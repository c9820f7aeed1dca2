// Trees that a CUDA device builds and refits: the bytes that the same kernels give on the CPU, and
// the same bytes each time. Prints how long large ones take, and what they cost rays.
//
// With the argument `small`, the trees are few and small: for tools that make kernels slow.
#include <cuda_runtime.h>
#include <tandem/cuda/rays.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/device_model.h"
#include "device_time.h"
#include "gpu/on_cpu.h"
#include "math/random.h"
#include "run_on_device.h"
#include "support/ray_cases.h"

namespace {

using tandem::Hit;
using tandem::Mesh;
using tandem::Ray;
using tandem::TriangleIndices;
using tandem::Vec3f;
using tandem::cuda::check;
using tandem::cuda::DeviceArray;
using tandem::cuda::DeviceBuilder;
using tandem::cuda::DeviceBuildOptions;
using tandem::cuda::DeviceMesh;
using tandem::cuda::DeviceModel;
using tandem::detail::RayPairTree;
using tandem::detail::RayPairView;
using tandem::test::BuiltTrees;
using tandem::test::same_trees;
using tandem::test::TreeKind;

constexpr std::pair<TreeKind, DeviceBuilder> k_builders[] = {
    {TreeKind::curve, DeviceBuilder::curve}, {TreeKind::clusters, DeviceBuilder::clusters}};

const char* name_of(TreeKind kind) {
  return kind == TreeKind::curve ? "curve" : "clusters";
}

/// A copy of what the device has.
RayPairTree tree_of(const DeviceModel& model) {
  const RayPairView& view = model.data().view;
  std::vector<tandem::detail::RayPairNode> nodes(view.node_count);
  std::vector<tandem::detail::RayPairTriangle> triangles(view.triangle_count);
  check(cudaMemcpy(nodes.data(), view.nodes, nodes.size() * sizeof(nodes[0]), cudaMemcpyDefault),
        "copy nodes");
  check(cudaMemcpy(triangles.data(), view.triangles, triangles.size() * sizeof(triangles[0]),
                   cudaMemcpyDefault),
        "copy triangles");
  return {std::move(nodes), std::move(triangles)};
}

bool complain(const std::string& what) {
  std::fprintf(stderr, "%s: host and device disagree\n", what.c_str());
  return false;
}

std::vector<Mesh> meshes(bool small) {
  std::vector<Mesh> result = {
      tandem::make_shape("knot", 3'000),
      tandem::make_shape("pipes", 3'000),
      tandem::make_plane(20),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e38, {0, 0, 0}),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e-38, {0, 0, 0}),
      Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<TriangleIndices>(500, {0, 1, 2}))};
  for (std::size_t count = 1; count <= (small ? 5 : 70); ++count) {
    result.push_back(tandem::make_soup(count, count));
  }
  return result;
}

/// The same triangles at other places.
Mesh moved(const Mesh& mesh) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::rotate(vertices.begin(), vertices.begin() + 1, vertices.end());
  return mesh.with_vertices(std::move(vertices));
}

bool same_as_on_the_host(bool small) {
  const std::vector<Mesh> all = meshes(small);
  for (const auto& [kind, builder] : k_builders) {
    const DeviceBuildOptions options{.builder = builder};
    const std::vector<DeviceModel> together = tandem::cuda::make_device_models(all, {}, options);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = std::string(name_of(kind)) + ", mesh " + std::to_string(i);
      const BuiltTrees expected(all[i], kind, 1);
      const DeviceModel alone(all[i], {}, options);
      if (!same_trees(tree_of(alone).view(), expected.view())) return complain(name);
      if (!same_trees(tree_of(together[i]).view(), expected.view())) {
        return complain(name + " of many");
      }
      const Mesh newer = moved(all[i]);
      std::vector<tandem::detail::RayPairNode> nodes(expected.nodes.size());
      std::vector<tandem::detail::RayPairTriangle> triangles(expected.triangles.size());
      tandem::test::OnCpu on(1);
      refit_tree(on, expected.view(), newer.vertices().data(), expected.corners.data(),
                 kind == TreeKind::curve, nodes.data(), triangles.data());
      const RayPairTree refit(std::move(nodes), std::move(triangles));
      if (!same_trees(tree_of(together[i].refit(newer.vertices())).view(), refit.view())) {
        return complain(name + ", refit");
      }
    }
  }
  return true;
}

bool same_each_time(std::size_t triangle_count) {
  const Mesh mesh = tandem::make_shape("knot", triangle_count);
  DeviceArray<Vec3f> vertices(mesh.vertex_count(), {});
  DeviceArray<TriangleIndices> triangles(mesh.triangle_count(), {});
  vertices.copy_from(mesh.vertices().data());
  triangles.copy_from(mesh.triangles().data());
  const DeviceMesh on_device{vertices.data(), mesh.vertex_count(), triangles.data(),
                             mesh.triangle_count()};
  const auto print = [&](const char* what, double milliseconds) {
    std::printf("%-8s %9zu triangles %8.3f ms %6.2f Gtri/s\n", what, mesh.triangle_count(),
                milliseconds, static_cast<double>(mesh.triangle_count()) / milliseconds / 1e6);
  };
  for (const auto& [kind, builder] : k_builders) {
    const DeviceBuildOptions options{.builder = builder};
    const DeviceModel first(on_device, {}, options);
    const DeviceModel second(on_device, {}, options);
    const RayPairTree tree = tree_of(first);
    if (!same_trees(tree.view(), tree_of(second).view())) return complain("two builds");
    const DeviceModel refit = first.refit(vertices.data(), mesh.vertex_count());
    if (!same_trees(tree.view(), tree_of(refit).view())) return complain("a build and its refit");
    print(name_of(kind),
          tandem::test::device_time([&] { const DeviceModel model(on_device, {}, options); }));
    print("  refit",
          tandem::test::device_time([&] { first.refit(vertices.data(), mesh.vertex_count()); }));
  }
  return true;
}

/// From everywhere around a mesh to everywhere in its box.
std::vector<Ray> rays_through(const Mesh& mesh, std::size_t count) {
  Vec3f lower = mesh.vertices()[0];
  Vec3f upper = lower;
  for (const Vec3f& vertex : mesh.vertices()) {
    lower = min(lower, vertex);
    upper = max(upper, vertex);
  }
  tandem::detail::Random random(1);
  const auto point = [&](double from, double to) {
    Vec3f result;
    for (int k = 0; k < 3; ++k) {
      const double place = random.uniform(from, to);
      result[k] = static_cast<float>(lower[k] + place * (double{upper[k]} - lower[k]));
    }
    return result;
  };
  std::vector<Ray> rays(count);
  for (Ray& ray : rays) {
    ray.origin = point(-2, 3);
    ray.direction = point(0, 1) - ray.origin;
  }
  return rays;
}

/// Rays find the same in the trees of all builders; prints what they cost.
bool same_hits(const char* name, std::size_t triangle_count) {
  const Mesh mesh = tandem::make_shape(name, triangle_count);
  const std::vector<Ray> rays = rays_through(mesh, 4 * triangle_count);
  DeviceArray<Ray> on_device(rays.size(), {});
  DeviceArray<Hit> device_hits(rays.size(), {});
  on_device.copy_from(rays.data());
  const auto trace = [&](const DeviceModel& model, std::vector<Hit>* hits) {
    const double time = tandem::test::device_time([&] {
      tandem::cuda::closest_hits(model, on_device.data(), device_hits.data(), rays.size());
    });
    hits->resize(rays.size());
    device_hits.copy_to(hits->data());
    check(cudaDeviceSynchronize(), "trace rays");
    return time;
  };
  std::vector<Hit> expected;
  const double best = trace(DeviceModel(tandem::Model(mesh)), &expected);
  bool same = true;
  for (const auto& [kind, builder] : k_builders) {
    std::vector<Hit> hits;
    const double time = trace(DeviceModel(mesh, {}, {.builder = builder}), &hits);
    std::printf("rays through %s, %zu triangles: %s takes %.2f times as long as best\n", name,
                mesh.triangle_count(), name_of(kind), time / best);
    if (hits != expected) same = complain(name);
  }
  return same;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool small = argument_count > 1 && std::string(arguments[1]) == "small";
  return tandem::test::run_on_device([&] {
    bool same = same_as_on_the_host(small);
    std::vector<std::size_t> sizes = {100'000, 1'000'000, 5'000'000};
    if (small) sizes = {20'000};
    if (std::getenv("TANDEM_EXHAUSTIVE") != nullptr) sizes.push_back(60'000'000);
    for (const std::size_t size : sizes) same = same && same_each_time(size);
    for (const char* const name : {"knot", "rock", "torus", "soup", "pipes"}) {
      same = same && same_hits(name, small ? 1'000 : 500'000);
    }
    return same;
  });
}
