// The kernels that pack wide trees for waves, run by the executor on the CPU: the bytes that the
// host packs.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cstring>
#include <vector>

#include "gpu/waves/pack.h"
#include "gpu/waves/pack_wide.h"
#include "gpu/wide_on_cpu.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

template <class T, class Values>
bool same_bytes(const std::vector<T>& a, const Values& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// What the kernels make of trees.
struct PackedByKernels {
  std::vector<detail::HalfBlock> blocks;
  std::vector<detail::HalfLeaf> leaves;
  std::vector<detail::WaveTriangle> triangles;
  std::vector<std::uint32_t> inexact;

  PackedByKernels(WideTreesByKernels& trees, std::uint64_t seed)
      : blocks(trees.layout().end.first_block),
        leaves(trees.layout().end.first_leaf),
        triangles(trees.layout().end.first_slot()),
        inexact(trees.layout().parts.size()) {
    const detail::PackedWideTrees to{blocks.data(), leaves.data(), triangles.data(), 0, 0};
    const auto block_count = static_cast<std::uint32_t>(blocks.size());
    const auto leaf_count = static_cast<std::uint32_t>(leaves.size());
    OnCpu on(seed);
    on.launch(detail::PackWideBlocks{trees.parts(), block_count, trees.trees().blocks, to},
              block_count);
    on.launch(detail::PackWideLeaves{trees.meshes(), trees.parts(), leaf_count, trees.trees(), to,
                                     inexact.data()},
              leaf_count);
  }
};

TEST(PackKernels, PackWhatTheHostPacks) {
  const std::vector<Mesh> meshes = {
      make_shape("knot", 3'000), make_plane(20), make_soup(1, 1), make_soup(77, 2),
      Mesh({{3, 3, 3}}, std::vector<TriangleIndices>(7, TriangleIndices{0, 0, 0})),
      transformed(make_shape("rock", 500), 1e38, {0, 0, 0}),
      transformed(make_shape("rock", 500), 1e-44, {0, 0, 0}),
      transformed(make_shape("rock", 500), 1e-3, {1e4, -1e4, 3e4}),
      // Coordinates far below the mesh's size are not stored exactly.
      Mesh({{0, 0, 0}, {1e30F, 0, 0}, {0, 1e-30F, 1e30F}, {1e-38F, 1, 2}},
           {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}})};
  WideTreesByKernels trees(meshes, 1);
  const PackedByKernels packed(trees, 2);
  std::vector<detail::WideTree> on_host;
  std::vector<detail::WaveSource> sources;
  for (std::size_t i = 0; i < meshes.size(); ++i) on_host.push_back(trees.tree(i));
  for (std::size_t i = 0; i < meshes.size(); ++i) sources.push_back({&meshes[i], &on_host[i]});
  const detail::PackedWaveModels expected(sources, [](std::size_t count, const auto& work) {
    for (std::size_t i = 0; i < count; ++i) work(i);
  });
  EXPECT_TRUE(same_bytes(packed.blocks, expected.blocks));
  EXPECT_TRUE(same_bytes(packed.leaves, expected.leaves));
  EXPECT_TRUE(same_bytes(packed.triangles, expected.triangles));
  std::size_t own_count = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (packed.inexact[i] != 0) own_count += meshes[i].triangle_count();
  }
  EXPECT_EQ(own_count, expected.own_triangles.size());
  EXPECT_GT(own_count, 0u) << "no mesh has coordinates that are not stored exactly";
}

}  // namespace
}  // namespace tandem::test
