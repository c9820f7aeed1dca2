// Axis alignment of restricted boxes (restricted boxtree paper, section 3.2.1).
#pragma once

#include <tandem/pose.h>

#include <string_view>

#include "volume/restricted_axes.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// B's box is replaced by its box along A's axes. 12 operations.
template <class Real = double>
class RestrictedAlignment {
 public:
  static constexpr std::string_view k_name = "realigned";
  static constexpr std::string_view k_description = "B's box is replaced by its box along A's axes";

  using BoxA = RestrictedBox<Real>;
  struct BoxB : RestrictedBox<Real> {
    Extents<Real, 3> along_a;
  };

  TANDEM_HD RestrictedAlignment(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : axes_of_a_(b_in_a, a_root, b_root), root_a_(a_root), root_b_{BoxA(b_root), {}} {
    settle_b(root_b_);
  }

  TANDEM_HD const BoxA& root_a() const { return root_a_; }
  TANDEM_HD const BoxB& root_b() const { return root_b_; }
  TANDEM_HD void cut_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  TANDEM_HD void cut_b(BoxB& b, const Cut& cut) const {
    axes_of_a_.move(b.along_a, cut, b.move(cut));
  }
  TANDEM_HD void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  TANDEM_HD void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  TANDEM_HD void settle_a(BoxA&) const {}
  TANDEM_HD void settle_b(BoxB& b) const { axes_of_a_.span(b.along_a, b); }
  TANDEM_HD bool meets(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::moved_apart(a, b.along_a);
  }
  TANDEM_HD bool meets_fully(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::apart(a, b.along_a);
  }

 private:
  AxesOfA<Real> axes_of_a_;
  BoxA root_a_;
  BoxB root_b_;
};

}  // namespace tandem::detail
