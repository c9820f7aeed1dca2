// Restricted boxes along the axes of both (SAT lite: restricted boxtree paper, section 3.2.4).
#pragma once

#include <tandem/pose.h>

#include <string_view>

#include "volume/restricted_axes.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// The axes of both boxes: axis alignment both ways. 22 operations.
template <class Real = double>
class RestrictedSatLite {
 public:
  static constexpr std::string_view k_name = "six-axes";
  static constexpr std::string_view k_description = "the axes of both boxes";

  struct BoxA : RestrictedBox<Real> {
    Extents<Real, 3> along_b;
  };
  struct BoxB : RestrictedBox<Real> {
    Extents<Real, 3> along_a;
  };

  TANDEM_HD RestrictedSatLite(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : axes_of_a_(b_in_a, a_root, b_root),
        axes_of_b_(b_in_a, a_root, b_root),
        root_a_{RestrictedBox<Real>(a_root), {}},
        root_b_{RestrictedBox<Real>(b_root), {}} {
    settle_a(root_a_);
    settle_b(root_b_);
  }

  TANDEM_HD const BoxA& root_a() const { return root_a_; }
  TANDEM_HD const BoxB& root_b() const { return root_b_; }
  /// Both return by how much the side moved.
  TANDEM_HD Real cut_a(BoxA& a, const Cut& cut) const {
    const Real by = a.move(cut);
    axes_of_b_.move(a.along_b, cut, by);
    return by;
  }
  TANDEM_HD Real cut_b(BoxB& b, const Cut& cut) const {
    const Real by = b.move(cut);
    axes_of_a_.move(b.along_a, cut, by);
    return by;
  }
  TANDEM_HD void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  TANDEM_HD void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  TANDEM_HD void settle_a(BoxA& a) const { axes_of_b_.span(a.along_b, a); }
  TANDEM_HD void settle_b(BoxB& b) const { axes_of_a_.span(b.along_a, b); }
  TANDEM_HD bool meets(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::moved_apart(a, b.along_a) && !FaceAxes<Real>::moved_apart(b, a.along_b);
  }
  TANDEM_HD bool meets_fully(const BoxA& a, const BoxB& b) const {
    // Both are always computed: a branch between them would cost more.
    const bool apart_in_a = FaceAxes<Real>::apart(a, b.along_a);
    const bool apart_in_b = FaceAxes<Real>::apart(b, a.along_b);
    return static_cast<int>(apart_in_a) + static_cast<int>(apart_in_b) == 0;
  }

 private:
  AxesOfA<Real> axes_of_a_;
  AxesOfB<Real> axes_of_b_;
  BoxA root_a_;
  BoxB root_b_;
};

}  // namespace tandem::detail
