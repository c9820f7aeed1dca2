#include "chip/set_up.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chip/float32.h"
#include "volume/kdop.h"
#include "volume/margin.h"

namespace tandem::chip {
namespace {

using detail::DopCones;
using detail::DopCorrespondence;

template <int K>
std::vector<int> ids_of() {
  const auto ids = detail::DopDirections<K>::ids();
  return {ids.begin(), ids.end()};
}

std::vector<int> direction_ids(int k) {
  switch (k) {
    case 6:
      return ids_of<6>();
    case 14:
      return ids_of<14>();
    case 18:
      return ids_of<18>();
    case 24:
      return ids_of<24>();
    default:
      return ids_of<26>();
  }
}

/// The bounds of a root as the library's margins want to see it.
struct Root {
  const Bounds& bounds;
  int slabs;

  double reach(int slab) const {
    const auto at = [&](int i) { return std::fabs(double{bounds[static_cast<std::size_t>(i)]}); };
    return std::max(at(slab), at(slab + slabs));
  }
  double largest_coordinate() const { return std::max({reach(0), reach(1), reach(2)}); }
};

/// By how much a row of the DOTADD unit can be off: five roundings of at most 2^-24 of what is
/// added (the coefficient, the product, three sums), and numbers that are flushed.
double float_error(double magnitude, double reach) {
  return 8 * 0x1p-24 * magnitude + 0x1p-126 * (reach + 64);
}

/// The rows that bring B's volume into A's frame (equations 1 to 3).
void set_up_dops(const ObjectImage& a, const ObjectImage& b, const Pose& b_in_a,
                 RegisterContents* registers) {
  const int slabs = registers->k / 2;
  const Root root_a{a.nodes[0].bounds, slabs};
  const Root root_b{b.nodes[0].bounds, slabs};
  const detail::QueryMargin margin(b_in_a, root_a, root_b);
  const std::vector<int> ids = direction_ids(registers->k);
  const DopCones cones(ids);
  registers->dop_lines.resize(static_cast<std::size_t>(registers->k));
  registers->correspondences.resize(registers->dop_lines.size());
  for (int s = 0; s < slabs; ++s) {
    const Vec3d n(detail::dop_direction(ids[static_cast<std::size_t>(s)]));
    // A's direction in B's frame is Rᵀn.
    Vec3d in_b{0, 0, 0};
    double offset = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) in_b[j] += b_in_a.rotation(i, j) * n[i];
      offset += n[i] * b_in_a.translation()[i];
    }
    const DopCorrespondence cone = cones.find(in_b);
    const auto lower = static_cast<std::size_t>(s);
    const std::size_t upper = lower + static_cast<std::size_t>(slabs);
    double magnitude = std::fabs(offset);
    double reach = 0;
    for (std::size_t l = 0; l < 3; ++l) {
      // The upper bound takes upper bounds along +n and negated lower bounds along -n; the lower
      // bound takes the opposite ones.
      const bool negated = cone.plane[l] >= slabs;
      const int slab = negated ? cone.plane[l] - slabs : cone.plane[l];
      const double weight = negated ? -cone.weight[l] : cone.weight[l];
      for (const std::size_t row : {lower, upper}) {
        const bool takes_upper = (row == upper) != negated;
        registers->correspondences[row][l] =
            static_cast<std::uint8_t>(takes_upper ? slab + slabs : slab);
        registers->dop_lines[row].coefficient[l] = flushed(static_cast<float>(weight));
      }
      magnitude += cone.weight[l] * root_b.reach(slab);
      reach += root_b.reach(slab);
    }
    const double library_error =
        4 * margin.rounding() + cone.residual * root_b.largest_coordinate();
    const double error = library_error + float_error(magnitude + library_error, reach);
    registers->dop_lines[lower].offset = flushed(detail::round_down(offset - error));
    registers->dop_lines[upper].offset = flushed(detail::round_up(offset + error));
  }
}

std::array<MatrixLine, 3> rigid_lines(const Pose& pose) {
  std::array<MatrixLine, 3> lines;
  for (std::size_t i = 0; i < 3; ++i) {
    const int row = static_cast<int>(i);
    for (std::size_t j = 0; j < 3; ++j) {
      lines[i].coefficient[j] =
          flushed(static_cast<float>(pose.rotation(row, static_cast<int>(j))));
    }
    lines[i].offset = flushed(static_cast<float>(pose.translation()[row]));
  }
  return lines;
}

/// Numbers are written in their order, so many per cycle. A row can be read once the last of its
/// three is there.
void order_rows(const Config& config, RegisterContents* registers) {
  const auto available = [&](std::uint8_t row) {
    const Correspondence& needs = registers->correspondences[row];
    return *std::max_element(needs.begin(), needs.end()) / config.register_writes + 1;
  };
  std::vector<std::uint8_t>& order = registers->row_order;
  order.resize(static_cast<std::size_t>(registers->k));
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint8_t one, std::uint8_t other) {
    return available(one) < available(other);
  });
  for (std::size_t position = 0; position < order.size(); ++position) {
    const int slot = static_cast<int>(position) / config.dotadd_units;
    registers->fill_cycles = std::max(registers->fill_cycles, available(order[position]) - slot);
  }
}

}  // namespace

RegisterContents set_up(const Config& config, const ObjectImage& a, const ObjectImage& b,
                        const Pose& b_in_a) {
  RegisterContents registers;
  registers.k = a.k;
  set_up_dops(a, b, b_in_a, &registers);
  registers.rigid_lines = {rigid_lines(b_in_a.inverse()), rigid_lines(b_in_a)};
  order_rows(config, &registers);
  return registers;
}

}  // namespace tandem::chip
