// Pairs of triangles of one mesh that have corners in common, one pair per lane: those that surely
// meet in no more than that are dropped.
#if defined(TANDEM_WIDE_NEIGHBOURS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NEIGHBOURS_INL
#undef TANDEM_WIDE_NEIGHBOURS_INL
#else
#define TANDEM_WIDE_NEIGHBOURS_INL
#endif

#include <hwy/highway.h>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// Of three corners, the first where one mask holds, the second where the other one does, the third
/// elsewhere.
HWY_INLINE void choose(GroupMask first, GroupMask second, const Floats corner[3][3],
                       Floats result[3]) {
  for (int k = 0; k < 3; ++k) {
    result[k] =
        hn::IfThenElse(first, corner[0][k], hn::IfThenElse(second, corner[1][k], corner[2][k]));
  }
}

/// Exactly one, and exactly two of three.
struct Several {
  HWY_INLINE explicit Several(const GroupMask m[3]) {
    const GroupMask odd = hn::Xor(m[0], hn::Xor(m[1], m[2]));
    one = hn::AndNot(hn::And(m[0], hn::And(m[1], m[2])), odd);
    two = hn::AndNot(odd, hn::Or(m[0], hn::Or(m[1], m[2])));
  }
  GroupMask one;
  GroupMask two;
};

/// The method of geometry/neighbour_test.h in float32, where neither triangle repeats a corner that
/// they share. Edges leave a common corner c: u1, u2 in p and v1, v2 in q. Where there is another
/// common corner, u1 and v1 are the edge to it.
///
/// Corners are exact, so that edges are off by one rounding each. With u = 2^-24 and the largest
/// magnitudes L and L' in u1, u2 and in v1, v2, a determinant of three edges is off by 48 u times
/// three of these, and the product of the two normals by 132 u L² L'²; the bounds below are larger.
/// Stored coordinates below 2^-126 may have been rounded unless `exact` (tree/wide/tree.h): then
/// common corners that have such a coordinate are not sure to be common. Elsewhere this rounding is
/// far below the bounds.
HWY_INLINE GroupMask surely_share_all(const Floats p[3][3], const Floats q[3][3], bool exact) {
  const auto constant = [](double x)
                            TANDEM_LAMBDA { return hn::Set(Group(), static_cast<float>(x)); };
  constexpr double k_u = 0x1p-24;
  // Which corners are common.
  GroupMask in_p[3];
  GroupMask in_q[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const GroupMask equal = hn::And(hn::Eq(p[i][0], q[j][0]),
                                      hn::And(hn::Eq(p[i][1], q[j][1]), hn::Eq(p[i][2], q[j][2])));
      in_p[i] = j == 0 ? equal : hn::Or(in_p[i], equal);
      in_q[j] = i == 0 ? equal : hn::Or(in_q[j], equal);
    }
  }
  const Several of_p(in_p);
  const Several of_q(in_q);
  const GroupMask edge = hn::And(of_p.two, of_q.two);
  GroupMask known = hn::Or(edge, hn::And(of_p.one, of_q.one));
  if (hn::AllFalse(Group(), known)) return known;

  // With one common corner the others follow in their order. With two, the first of the others is
  // common, and the second is not.
  Floats c[3];
  Floats p1[3];
  Floats p2[3];
  Floats q1[3];
  Floats q2[3];
  choose(in_p[0], in_p[1], p, c);
  choose(hn::AndNot(hn::Or(in_p[0], edge), hn::Or(in_p[1], in_p[2])),
         hn::Or(hn::AndNot(edge, in_p[0]), hn::AndNot(in_p[2], edge)), p, p1);
  choose(hn::AndNot(in_p[0], edge), hn::Or(hn::AndNot(edge, in_p[2]), hn::AndNot(in_p[1], edge)), p,
         p2);
  choose(hn::AndNot(in_q[0], known), in_q[0], q, q1);
  choose(hn::AndNot(in_q[0], edge), hn::Or(hn::AndNot(edge, in_q[2]), hn::AndNot(in_q[1], edge)), q,
         q2);
  Floats u1[3];
  Floats u2[3];
  Floats v1[3];
  Floats v2[3];
  Floats least = constant(1);
  for (int k = 0; k < 3; ++k) {
    u1[k] = hn::Sub(p1[k], c[k]);
    u2[k] = hn::Sub(p2[k], c[k]);
    v1[k] = hn::IfThenElse(edge, u1[k], hn::Sub(q1[k], c[k]));
    v2[k] = hn::Sub(q2[k], c[k]);
    if (!exact) {
      const Floats other = hn::IfThenElse(edge, p1[k], c[k]);
      least = hn::Min(least, hn::Min(hn::Abs(c[k]), hn::Abs(other)));
    }
  }
  if (!exact) known = hn::And(known, hn::Ge(least, constant(0x1p-126)));

  Floats n[3];
  Floats m[3];
  cross(u1, u2, n);
  cross(v1, v2, m);
  const Floats s1 = dot(n, v1);
  const Floats s2 = dot(n, v2);
  const Floats t1 = dot(m, u1);
  const Floats t2 = dot(m, u2);
  const Floats u_size = larger_magnitude(largest(u1), largest(u2));
  const Floats v_size = larger_magnitude(largest(v1), largest(v2));
  // Products may underflow below the one and overflow above the other: then nothing is sure.
  const Floats tiny = constant(0x1p-100);
  known = hn::And(known, hn::Lt(hn::Max(u_size, v_size), constant(0x1p28)));
  const Floats both = hn::Mul(u_size, v_size);
  const Floats unit = hn::Mul(constant(64 * k_u), both);
  const Floats s_error = hn::MulAdd(unit, u_size, tiny);
  const Floats t_error = hn::MulAdd(unit, v_size, tiny);

  // One common corner.
  const Truth s_sure = hn::Sub(s_error, hn::Min(hn::Abs(s1), hn::Abs(s2)));
  const Truth t_sure = hn::Sub(t_error, hn::Min(hn::Abs(t1), hn::Abs(t2)));
  const Truth one_side =
      hn::Or(hn::AndNot(hn::Xor(s1, s2), s_sure), hn::AndNot(hn::Xor(t1, t2), t_sure));
  const Truth fans_apart = hn::Or(one_side, all_of(s_sure, t_sure, hn::Xor(s2, t1)));
  // Two.
  const Floats turn_error = hn::MulAdd(hn::Mul(constant(160 * k_u), both), both, tiny);
  const Truth wings_apart = hn::Or(hn::Sub(s_error, hn::Abs(s2)), hn::Add(dot(n, m), turn_error));
  return hn::And(known, where(hn::IfThenElse(edge, wings_apart, fans_apart)));
}

inline std::size_t neighbours(const CornerRow* rows, bool exact, PairList pairs,
                              std::size_t count) {
  return drop_pairs(rows, rows, pairs, count,
                    [&](const Floats p[3][3], const Floats q[3][3])
                        TANDEM_LAMBDA { return surely_share_all(p, q, exact); });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
