// Runs the kernels that build trees on the CPU, for tests.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "gpu/build.h"
#include "gpu/cpu_grid.h"
#include "gpu/refit.h"

namespace tandem::test {

/// Runs kernels on the CPU (see `TreeBuilder`).
class OnCpu {
 public:
  template <class T>
  class Array {
   public:
    explicit Array(std::size_t count) : data_(new T[count]()) {}
    T* data() const { return data_.get(); }

   private:
    std::unique_ptr<T[]> data_;
  };

  explicit OnCpu(std::uint64_t seed) : seed_(seed) {}

  template <class T>
  Array<T> zeros(std::size_t count) {
    return Array<T>(count);
  }
  template <class T>
  Array<T> array(std::size_t count) {
    Array<T> result(count);
    std::memset(static_cast<void*>(result.data()), 0xcd, count * sizeof(T));
    return result;
  }
  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) {
    constexpr std::uint32_t k_most_warps = detail::k_block_size_of<Kernel> / detail::k_warp_size;
    std::uint32_t warps = k_most_warps;
    ++seed_;
    // Blocks of any number of warps.
    if constexpr (!requires { Kernel::k_full_blocks; }) {
      warps = 1 + static_cast<std::uint32_t>(seed_ % k_most_warps);
    }
    const std::uint32_t threads = warps * detail::k_warp_size;
    launch_on_cpu(kernel, {(thread_count + threads - 1) / threads, threads}, seed_);
  }
  /// Any number.
  template <class Kernel>
  std::uint32_t threads_at_once() {
    return detail::k_warp_size * (1 + static_cast<std::uint32_t>(++seed_ % 20));
  }
  template <class Key>
  void sort(const Key* keys, const std::uint32_t* ids, Key* to_keys, std::uint32_t* to_ids,
            std::uint32_t count, int bits) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    if (bits > static_cast<int>(8 * sizeof(Key))) throw KernelFault("keys have too few bits");
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (keys[a] & mask) < (keys[b] & mask);
    });
    for (std::uint32_t i = 0; i < count; ++i) {
      to_keys[i] = keys[order[i]];
      to_ids[i] = ids[order[i]];
    }
  }
  static void sort_keys(const std::uint64_t* keys, std::uint64_t* to, std::uint32_t count,
                        int bits) {
    if (bits < 1 || bits > 64) throw KernelFault("keys have 1 to 64 bits");
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    std::copy_n(keys, count, to);
    std::stable_sort(to, to + count,
                     [&](std::uint64_t a, std::uint64_t b) { return (a & mask) < (b & mask); });
  }
  static void sums_before(const std::uint32_t* numbers, std::uint32_t* to, std::uint32_t count) {
    std::exclusive_scan(numbers, numbers + count, to, 0U);
  }
  template <class T, class NumberOf>
  static void sums_before(const T* words, std::uint32_t* to, std::uint32_t count,
                          const NumberOf& number_of) {
    std::transform_exclusive_scan(words, words + count, to, 0U, std::plus<>(), number_of);
  }
  template <class T>
  Array<T> kept(std::size_t count) {
    return array<T>(count);
  }
  template <class T>
  static void let_go(const Array<T>&) {}
  template <class T>
  static void copy(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  template <class T, std::size_t count>
  static std::array<T, count> read(const std::array<const T*, count>& from) {
    std::array<T, count> result;
    for (std::size_t i = 0; i < count; ++i) result[i] = *from[i];
    return result;
  }

 private:
  std::uint64_t seed_;
};

enum class TreeKind { curve, clusters };
inline constexpr TreeKind k_tree_kinds[] = {TreeKind::curve, TreeKind::clusters};

/// Trees made by the kernels, of one mesh or of many at once.
struct BuiltTrees {
  std::vector<detail::RayPairNode> nodes;
  std::vector<detail::RayPairTriangle> triangles;
  std::vector<TriangleIndices> corners;
  std::vector<detail::MeshStart> starts;

  BuiltTrees(std::span<const Mesh> meshes, TreeKind kind, std::uint64_t seed,
             int depth_limit = detail::k_max_depth) {
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> indices;
    for (const Mesh& mesh : meshes) {
      add_start(vertices.size(), indices.size());
      vertices.insert(vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
      indices.insert(indices.end(), mesh.triangles().begin(), mesh.triangles().end());
    }
    build(vertices, indices, kind, seed, depth_limit);
  }
  /// Of one mesh that nobody has checked.
  BuiltTrees(const std::vector<Vec3f>& vertices, const std::vector<TriangleIndices>& indices,
             TreeKind kind, std::uint64_t seed) {
    add_start(0, 0);
    build(vertices, indices, kind, seed, detail::k_max_depth);
  }
  BuiltTrees(const Mesh& mesh, TreeKind kind, std::uint64_t seed,
             int depth_limit = detail::k_max_depth)
      : BuiltTrees(std::span(&mesh, 1), kind, seed, depth_limit) {}

  detail::RayPairView view(std::size_t mesh = 0) const {
    const std::uint32_t first = starts[mesh].triangle;
    const std::uint32_t count = starts[mesh + 1].triangle - first;
    return {nodes.data() + first, triangles.data() + first, count, count};
  }

 private:
  void build(const std::vector<Vec3f>& vertices, const std::vector<TriangleIndices>& indices,
             TreeKind kind, std::uint64_t seed, int depth_limit) {
    const auto mesh_count = static_cast<std::uint32_t>(starts.size());
    add_start(vertices.size(), indices.size());
    detail::CurveKeyBits bits;
    bits.mesh = static_cast<int>(std::bit_width(mesh_count - 1));
    for (std::uint32_t i = 0; i < mesh_count; ++i) {
      bits.add(starts[i + 1].triangle - starts[i].triangle);
    }
    const auto count = static_cast<std::uint32_t>(indices.size());
    nodes.resize(count);
    triangles.resize(count);
    corners.resize(count);
    detail::DeviceMeshes meshes{vertices.data(), indices.data(), count};
    if (mesh_count > 1) {
      meshes.starts = starts.data();
      meshes.mesh_count = mesh_count;
    }
    OnCpu on(seed);
    detail::TreeBuilder builder(on, meshes, bits, {nodes.data(), triangles.data(), corners.data()});
    if (kind == TreeKind::curve) {
      builder.build_curve();
    } else {
      builder.build_clusters(depth_limit);
    }
  }

  void add_start(std::size_t vertex, std::size_t triangle) {
    starts.push_back({static_cast<std::uint32_t>(triangle), static_cast<std::uint32_t>(vertex)});
  }
};

/// Whether two trees are the same to the byte. What is not reached from the root does not count.
inline bool same_trees(const detail::RayPairView& a, const detail::RayPairView& b) {
  if (a.triangle_count != b.triangle_count) return false;
  const auto same = [](const auto* x, const auto* y, std::size_t count) {
    return std::memcmp(x, y, count * sizeof(*x)) == 0;
  };
  if (!same(a.triangles, b.triangles, a.triangle_count)) return false;
  std::vector<std::uint32_t> left = {0};
  while (!left.empty()) {
    const std::uint32_t node = left.back();
    left.pop_back();
    if (!same(a.nodes + node, b.nodes + node, 1)) return false;
    for (const std::uint32_t link : a.nodes[node].child) {
      if (!detail::RayPairView::is_leaf(link)) left.push_back(link);
    }
  }
  return true;
}

}  // namespace tandem::test
