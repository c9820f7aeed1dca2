#include "structure/surface.h"

#include <algorithm>
#include <compare>
#include <numeric>

#include "mesh/components.h"
#include "mesh/edges.h"

namespace tandem::detail {
namespace {

/// One triangle's use of an edge. Three for each triangle fit, as models have at most 2^30.
struct EdgeUse {
  std::uint64_t edge;
  std::uint32_t use;  // three times the triangle, and the corner where the edge begins

  std::uint32_t triangle() const { return use / 3; }
  int corner() const { return static_cast<int>(use % 3); }

  friend auto operator<=>(const EdgeUse&, const EdgeUse&) = default;
};

/// All uses, by edge and then by triangle. Two corners at one position make no edge.
std::vector<EdgeUse> sorted_uses(const Positions& positions) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * positions.triangles.size());
  for (std::uint32_t id = 0; id < positions.triangles.size(); ++id) {
    const TriangleIndices& t = positions.triangles[id];
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t a = t[corner];
      const std::uint32_t b = t[(corner + 1) % 3];
      if (a != b) uses.push_back({edge_key(a, b), 3 * id + corner});
    }
  }
  std::ranges::sort(uses);
  return uses;
}

/// Union-find over triangles, with path halving. The smaller of two roots becomes the root of both.
class Parts {
 public:
  explicit Parts(std::size_t triangle_count) : parent_(triangle_count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  void join(std::uint32_t s, std::uint32_t t) {
    const std::uint32_t a = root(s);
    const std::uint32_t b = root(t);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  /// Numbers the parts in the order of their first triangles, which are their roots.
  void number(Surface* surface) {
    surface->part_of.resize(parent_.size());
    for (std::uint32_t id = 0; id < parent_.size(); ++id) {
      const std::uint32_t first = root(id);
      if (first == id) {
        surface->part_of[id] = static_cast<std::uint32_t>(surface->part_count());
        surface->first_of_part.push_back(id);
      } else {
        surface->part_of[id] = surface->part_of[first];
      }
    }
  }

 private:
  std::uint32_t root(std::uint32_t t) {
    while (parent_[t] != t) t = parent_[t] = parent_[parent_[t]];
    return t;
  }

  std::vector<std::uint32_t> parent_;
};

}  // namespace

Surface Recipe<Surface>::make(const Structures& structures, const Progress&) {
  const Positions positions = find_positions(structures.mesh());
  const std::vector<EdgeUse> uses = sorted_uses(positions);
  const auto runs_up = [&](const EdgeUse& use) {
    return positions.triangles[use.triangle()][use.corner()] == lower_end(use.edge);
  };
  Parts parts(positions.triangles.size());
  std::optional<std::uint32_t> open;
  for (auto begin = uses.begin(), end = begin; begin != uses.end(); begin = end) {
    int surplus = 0;
    for (; end != uses.end() && end->edge == begin->edge; ++end) {
      surplus += runs_up(*end) ? 1 : -1;
      parts.join(begin->triangle(), end->triangle());
    }
    if (surplus == 0) continue;
    const auto first =
        std::find_if(begin, end, [&](const EdgeUse& use) { return runs_up(use) == (surplus > 0); });
    open = std::min(open.value_or(first->use), first->use);
  }
  Surface surface;
  if (open) surface.open_edge = {*open / 3, static_cast<int>(*open % 3)};
  parts.number(&surface);
  surface.bounds = structures.mesh().bounds();
  return surface;
}

}  // namespace tandem::detail
