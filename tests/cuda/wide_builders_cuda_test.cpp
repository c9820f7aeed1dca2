// Wide trees that a CUDA device builds: the bytes that the same kernels give on the CPU. Prints how
// long large ones take, and what queries on them cost the host.
//
// With the argument `small`, the trees are few and small: for tools that make kernels slow.
#include <cuda_runtime.h>
#include <tandem/tandem.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "build/wide/builders.h"
#include "cuda/wide_tree.h"
#include "device_time.h"
#include "gpu/wide_on_cpu.h"
#include "run_on_device.h"
#include "support/ray_cases.h"
#include "support/wide_queries.h"
#include "tree/wide/validate.h"

namespace {

using tandem::Mesh;
using tandem::Pose;
using tandem::TriangleIndices;
using tandem::Vec3f;
using tandem::cuda::BuiltWideTree;
using tandem::cuda::DeviceArray;
using tandem::cuda::DeviceMesh;
using tandem::detail::WideTree;

/// A mesh in the memory of the device.
class MeshCopy {
 public:
  explicit MeshCopy(const Mesh& mesh)
      : vertices_(mesh.vertex_count(), {}), triangles_(mesh.triangle_count(), {}), mesh_(mesh) {
    vertices_.copy_from(mesh.vertices().data());
    triangles_.copy_from(mesh.triangles().data());
  }
  DeviceMesh view() const {
    return {vertices_.data(), mesh_.vertex_count(), triangles_.data(), mesh_.triangle_count()};
  }

 private:
  DeviceArray<Vec3f> vertices_;
  DeviceArray<TriangleIndices> triangles_;
  const Mesh& mesh_;
};

bool same_as_on_the_host(bool small) {
  std::vector<Mesh> meshes = {
      tandem::make_shape("knot", 3'000), tandem::make_plane(20),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e38, {0, 0, 0}),
      tandem::test::transformed(tandem::make_shape("rock", 500), 1e-38, {0, 0, 0})};
  for (std::size_t count = 1; count <= (small ? 5 : 40); ++count) {
    meshes.push_back(tandem::make_soup(count, count));
  }
  for (const Mesh& mesh : meshes) {
    const WideTree tree = BuiltWideTree(MeshCopy(mesh).view(), {}).copy();
    const std::string problem = validate_wide(mesh, tree);
    if (problem.empty() &&
        tandem::test::same_wide_trees(tree, tandem::test::wide_tree_by_kernels(mesh, 1))) {
      continue;
    }
    std::fprintf(stderr, "%zu triangles: host and device disagree %s\n", mesh.triangle_count(),
                 problem.c_str());
    return false;
  }
  return true;
}

void print_times(const Mesh& mesh) {
  const MeshCopy on_device(mesh);
  const double milliseconds =
      tandem::test::device_time([&] { const BuiltWideTree tree(on_device.view(), {}); });
  std::printf("wide curve %9zu triangles %8.3f ms %6.2f Gtri/s\n", mesh.triangle_count(),
              milliseconds, static_cast<double>(mesh.triangle_count()) / milliseconds / 1e6);
}

/// The mesh against itself at some poses, on the host: which pairs, how many steps, how long.
struct Queries {
  std::vector<tandem::TrianglePair> pairs;
  double steps = 0;
  double seconds = 0;

  Queries(const Mesh& mesh, const WideTree& tree) {
    for (int i = 0; i < 20; ++i) {
      const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.3 * i, {0.8 + 0.02 * i, 0.1, 0.2});
      const auto begin = std::chrono::steady_clock::now();
      const tandem::test::WideResult result = tandem::test::run_wide(mesh, tree, mesh, tree, pose);
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      steps += static_cast<double>(result.statistics.iterations);
      pairs.insert(pairs.end(), result.pairs.begin(), result.pairs.end());
    }
  }
};

/// Queries find the same in all trees; prints what they cost.
bool same_pairs(const char* name, std::size_t triangle_count) {
  const Mesh mesh = tandem::make_shape(name, triangle_count);
  const Queries best(mesh, tandem::detail::WideBest::build(mesh));
  const Queries fast(mesh, tandem::detail::WideFast::build(mesh));
  const Queries device(mesh, BuiltWideTree(MeshCopy(mesh).view(), {}).copy());
  std::printf(
      "queries on %s, %zu triangles, relative to best: fast %.2f steps, %.2f time; device %.2f "
      "steps, %.2f time\n",
      name, triangle_count, fast.steps / best.steps, fast.seconds / best.seconds,
      device.steps / best.steps, device.seconds / best.seconds);
  return fast.pairs == best.pairs && device.pairs == best.pairs;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool small = argument_count > 1 && std::string(arguments[1]) == "small";
  return tandem::test::run_on_device([&] {
    bool same = same_as_on_the_host(small);
    if (small) return same && same_pairs("knot", 3'000);
    for (const char* const name : {"knot", "rock", "torus", "pipes"}) {
      same = same && same_pairs(name, 50'000);
    }
    std::vector<std::size_t> sizes = {100'000, 1'000'000, 5'000'000};
    if (std::getenv("TANDEM_EXHAUSTIVE") != nullptr) sizes.push_back(60'000'000);
    for (const std::size_t size : sizes) print_times(tandem::make_shape("knot", size));
    return same;
  });
}
