#include "tree/wide/validate.h"

#include <cmath>
#include <limits>
#include <vector>

namespace tandem::detail {
namespace {

/// What is wrong with the slots, or "" if nothing is.
std::string validate_slots(const Mesh& mesh, const WideTree& tree) {
  if (tree.boxes.size() != (mesh.triangle_count() + k_block - 1) / k_block ||
      tree.corners.size() != k_block * tree.boxes.size() ||
      tree.ids.size() != tree.corners.size()) {
    return "the number of slots does not fit the mesh";
  }
  std::vector<bool> seen(mesh.triangle_count(), false);
  const double unit = std::ldexp(1.0, tree.exponent);
  for (std::size_t slot = 0; slot < tree.ids.size(); ++slot) {
    const std::string where = "slot " + std::to_string(slot);
    const std::uint32_t id = tree.ids[slot];
    const BoxBlock& box = tree.boxes[slot / k_block];
    const std::size_t lane = slot % k_block;
    if (slot >= mesh.triangle_count()) {
      if (id != k_no_triangle) return where + " has a triangle, but should be empty";
      if (!std::isnan(tree.corners[slot].value[0])) return where + " has corners";
      if (!(box.lower[0][lane] > box.upper[0][lane])) return where + " has a box";
      continue;
    }
    if (id >= mesh.triangle_count()) return where + " has a triangle that the mesh does not have";
    if (seen[id]) return where + " has a triangle that another slot has";
    seen[id] = true;
    const TriangleF triangle = mesh.triangle(id);
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) {
        const float value = tree.corners[slot].value[3 * c + k];
        const double difference = value * unit + tree.origin[k] - double{triangle.corner[c][k]};
        if (std::fabs(difference) > unit * 0x1p-149) return where + " has other corners";
        if (!(std::fabs(value) <= tree.extent[k])) return where + " exceeds the extent";
        if (!(box.lower[k][lane] <= value && value <= box.upper[k][lane])) {
          return where + " has a box that does not enclose it";
        }
      }
    }
  }
  return "";
}

bool encloses(const NodeBlock& block, std::size_t lane, const float* corner) {
  double along = 0;
  for (int k = 0; k < 3; ++k) {
    const double difference = double{corner[k]} - block.centre[k][lane];
    if (std::fabs(difference) > block.half[k][lane]) return false;
    along += block.normal[k][lane] * difference;
  }
  return std::fabs(along - block.offset[lane]) <= block.thickness[lane];
}

/// What is wrong with the blocks of triangles, which a tree need not have, or "" if nothing is.
std::string validate_triangles(const WideTree& tree) {
  if (tree.triangles.empty()) return "";
  if (tree.triangles.size() != tree.boxes.size()) return "some leaves have no block of triangles";
  for (std::size_t slot = 0; slot < tree.ids.size(); ++slot) {
    const NodeBlock& block = tree.triangles[slot / k_block];
    const std::size_t lane = slot % k_block;
    const std::string where = "the block of slot " + std::to_string(slot);
    if (tree.ids[slot] == k_no_triangle) {
      if (!std::isnan(block.half[0][lane])) return where + " has a box without a triangle";
      continue;
    }
    for (int c = 0; c < 9; c += 3) {
      if (!encloses(block, lane, tree.corners[slot].value + c)) {
        return where + " does not enclose its triangle";
      }
    }
  }
  return "";
}

/// What is wrong with the support, or "" if nothing is.
std::string validate_support(const WideTree& tree) {
  if (tree.support.size() != SupportMap::k_size) return "the support is not complete";
  const double unit = std::ldexp(1.0, tree.exponent);
  const Vec3d centre = (1 / unit) * (tree.root.centre - tree.origin);
  for (int i = 0; i < SupportMap::k_size; ++i) {
    const Vec3d direction = SupportMap::direction(i);
    double reach = -std::numeric_limits<double>::infinity();
    for (const CornerRow& row : tree.corners) {
      for (int c = 0; c < 9; c += 3) {
        const Vec3d corner{row.value[c], row.value[c + 1], row.value[c + 2]};
        reach = std::fmax(reach, dot(direction, corner - centre));
      }
    }
    // What double precision is off, and what is added to round up.
    const double more = 0x1p-45 * dot(tree.extent, {1, 1, 1});
    const double value = tree.support[static_cast<std::size_t>(i)];
    if (value < reach - more) return "value " + std::to_string(i) + " of the support is too small";
    if (value > reach + more + std::fabs(reach) * 0x1p-22 + 0x1p-139) {
      return "value " + std::to_string(i) + " of the support is too large";
    }
  }
  return "";
}

}  // namespace

std::string validate_wide(const Mesh& mesh, const WideTree& tree) {
  if (mesh.empty()) return tree.empty() ? "" : "the mesh is empty, its tree is not";
  if (tree.empty()) return "the tree is empty, its mesh is not";
  std::string problem = validate_slots(mesh, tree);
  if (!problem.empty()) return problem;
  if (tree.level_count < 1 || tree.level_count > k_max_wide_height || tree.level_begin[0] != 0 ||
      tree.level_begin[tree.level_count] != tree.blocks.size()) {
    return "the levels are not the blocks";
  }
  for (int level = 0; level < tree.level_count; ++level) {
    if (tree.level_begin[level] >= tree.level_begin[level + 1]) {
      return "level " + std::to_string(level) + " is empty";
    }
  }
  if (tree.level(0).size() != 1) return "there is not exactly one root";
  // From the bottom up: where the leaves below each block of a level end.
  std::vector<std::size_t> ends(tree.boxes.size());
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = i + 1;
  for (int level = tree.level_count; level-- > 0;) {
    std::vector<std::size_t> block_ends;
    std::size_t child = 0;
    std::size_t slot = 0;
    for (const NodeBlock& block : tree.level(level)) {
      const std::string where =
          "block " + std::to_string(block_ends.size()) + " of level " + std::to_string(level);
      if (block.first_child != child) return where + " does not follow the one before it";
      if (block.child_count < 1 || block.child_count > k_block) return where + " has no children";
      if (child + block.child_count > ends.size()) return where + " has too many children";
      for (std::size_t lane = 0; lane < k_block; ++lane) {
        if (lane >= block.child_count) {
          if (!std::isnan(block.half[0][lane])) return where + " has a box without a child";
          continue;
        }
        for (; slot < k_block * ends[child]; ++slot) {
          if (tree.ids[slot] == k_no_triangle) continue;
          for (int c = 0; c < 9; c += 3) {
            if (!encloses(block, lane, tree.corners[slot].value + c)) {
              return where + " does not enclose triangle " + std::to_string(tree.ids[slot]);
            }
          }
        }
        ++child;
      }
      block_ends.push_back(ends[child - 1]);
    }
    if (child != ends.size()) {
      return "a block of level " + std::to_string(level + 1) + " has no parent";
    }
    ends = std::move(block_ends);
  }
  problem = validate_triangles(tree);
  return problem.empty() ? validate_support(tree) : problem;
}

}  // namespace tandem::detail
