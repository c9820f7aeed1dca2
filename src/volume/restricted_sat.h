// All separating axes of restricted boxes (restricted boxtree paper, section 3.2.3).
#pragma once

#include <tandem/pose.h>

#include <string_view>

#include "volume/restricted_axes.h"
#include "volume/restricted_box.h"
#include "volume/restricted_sat_lite.h"

namespace tandem::detail {

/// SAT lite, and the nine cross products of the boxes' edges. Axis 3i + j is A's edge i crossed
/// with B's edge j: neither A's side i nor B's side j has an extent along it. 70 operations.
template <class Real = double>
class RestrictedSat {
 public:
  static constexpr std::string_view k_name = "fifteen-axes";
  static constexpr std::string_view k_description = "all separating axes of both boxes";

  struct BoxA : RestrictedSatLite<Real>::BoxA {
    Extents<Real, 9> crossed;
  };
  struct BoxB : RestrictedSatLite<Real>::BoxB {
    Extents<Real, 9> crossed;
  };

  TANDEM_HD RestrictedSat(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : lite_(b_in_a, a_root, b_root),
        crossed_a_({{{3, 4, 5, 6, 7, 8}, {0, 1, 2, 6, 7, 8}, {0, 1, 2, 3, 4, 5}}}),
        crossed_b_({{{1, 2, 4, 5, 7, 8}, {0, 2, 3, 5, 6, 8}, {0, 1, 3, 4, 6, 7}}}),
        root_a_{lite_.root_a(), {}},
        root_b_{lite_.root_b(), {}} {
    const QueryMargin margin(b_in_a, a_root, b_root);
    const Vec3d& t = b_in_a.translation();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double axis[3] = {0, 0, 0};
        axis[(i + 1) % 3] = -b_in_a.rotation((i + 2) % 3, j);
        axis[(i + 2) % 3] = b_in_a.rotation((i + 1) % 3, j);
        double offset = 0;
        for (int k = 0; k < 3; ++k) {
          double along = 0;
          for (int l = 0; l < 3; ++l) along += axis[l] * b_in_a.rotation(l, k);
          crossed_a_.set(k, 3 * i + j, axis[k]);
          crossed_b_.set(k, 3 * i + j, k == j ? 0 : along);
          offset += axis[k] * t[k];
        }
        // The extents of both boxes are off, so twice the margin of one.
        const double enlarged = 2 * accumulated(margin.rounding());
        crossed_a_.place(3 * i + j, 0, 0);
        crossed_b_.place(3 * i + j, offset, enlarged);
      }
    }
    settle_a(root_a_);
    settle_b(root_b_);
  }

  TANDEM_HD const BoxA& root_a() const { return root_a_; }
  TANDEM_HD const BoxB& root_b() const { return root_b_; }
  TANDEM_HD void cut_a(BoxA& a, const Cut& cut) const {
    crossed_a_.move(a.crossed, cut, lite_.cut_a(a, cut));
  }
  TANDEM_HD void cut_b(BoxB& b, const Cut& cut) const {
    crossed_b_.move(b.crossed, cut, lite_.cut_b(b, cut));
  }
  TANDEM_HD void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  TANDEM_HD void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  TANDEM_HD void settle_a(BoxA& a) const {
    lite_.settle_a(a);
    crossed_a_.span(a.crossed, a);
  }
  TANDEM_HD void settle_b(BoxB& b) const {
    lite_.settle_b(b);
    crossed_b_.span(b.crossed, b);
  }
  TANDEM_HD bool meets(const BoxA& a, const BoxB& b) const {
    return lite_.meets(a, b) && !crossed_a_.moved_apart(a.crossed, a.axis, b.crossed) &&
           !crossed_b_.moved_apart(b.crossed, b.axis, a.crossed);
  }
  TANDEM_HD bool meets_fully(const BoxA& a, const BoxB& b) const {
    if (!lite_.meets_fully(a, b)) return false;
    bool apart = false;
    for (int k = 0; k < 9; ++k) {
      apart |= a.crossed.end[1][k] + b.crossed.end[0][k] < Real(0);
      apart |= b.crossed.end[1][k] + a.crossed.end[0][k] < Real(0);
    }
    return !apart;
  }

 private:
  using CrossedAxes = ForeignAxes<Real, 9, 6>;

  RestrictedSatLite<Real> lite_;
  CrossedAxes crossed_a_;
  CrossedAxes crossed_b_;
  BoxA root_a_;
  BoxB root_b_;
};

}  // namespace tandem::detail
