// The closest points of two triangles, for any kind of number: doubles, longer ones, lanes.
//
// The closest points of triangles that are apart are those of two edges, or a corner and a point of
// the other triangle's face. All 9 pairs of edges and all 6 corners are tried, without branches, so
// that lanes can do it too. What comes out are points of the triangles up to rounding, and nothing
// relies on their being the closest ones: `gap_along` says how far apart the triangles are at
// least, whatever the points are.
//
// A number N has + - * /, `<`, which gives a bool or a mask that & joins, a constructor from
// double, and the functions `choose(mask, x, y)`, `multiply_add(x, y, z)`, `magnitude(x)` and
// `square_root(x)`.
//
// This file has no namespace and no guard: kernels are compiled for an instruction set when they
// stand in its part of a file, so each kind of number includes it in a namespace of its own, with
// TANDEM_NEAREST for what functions are marked with.

/// Three coordinates.
template <class N>
struct Coordinates {
  N of[3];

  TANDEM_NEAREST friend Coordinates operator-(const Coordinates& x, const Coordinates& y) {
    return {{x.of[0] - y.of[0], x.of[1] - y.of[1], x.of[2] - y.of[2]}};
  }
};
template <class N>
TANDEM_NEAREST N dot(const Coordinates<N>& x, const Coordinates<N>& y) {
  return multiply_add(x.of[0], y.of[0], multiply_add(x.of[1], y.of[1], x.of[2] * y.of[2]));
}
template <class N>
TANDEM_NEAREST Coordinates<N> cross(const Coordinates<N>& x, const Coordinates<N>& y) {
  return {{multiply_add(x.of[1], y.of[2], -(x.of[2] * y.of[1])),
           multiply_add(x.of[2], y.of[0], -(x.of[0] * y.of[2])),
           multiply_add(x.of[0], y.of[1], -(x.of[1] * y.of[0]))}};
}
/// factor · x + y
template <class N>
TANDEM_NEAREST Coordinates<N> multiply_add(const N& factor, const Coordinates<N>& x,
                                           const Coordinates<N>& y) {
  return {{multiply_add(factor, x.of[0], y.of[0]), multiply_add(factor, x.of[1], y.of[1]),
           multiply_add(factor, x.of[2], y.of[2])}};
}
template <class N, class Mask>
TANDEM_NEAREST Coordinates<N> choose(const Mask& first, const Coordinates<N>& x,
                                     const Coordinates<N>& y) {
  return {{choose(first, x.of[0], y.of[0]), choose(first, x.of[1], y.of[1]),
           choose(first, x.of[2], y.of[2])}};
}

template <class N>
TANDEM_NEAREST N clamped_to_unit(const N& x) {
  const N zero(0.0);
  const N one(1.0);
  return choose(x < zero, zero, choose(one < x, one, x));
}
template <class N>
TANDEM_NEAREST N inverse_or_zero(const N& x) {
  const N zero(0.0);
  const auto positive = zero < x;
  return choose(positive, N(1.0) / choose(positive, x, N(1.0)), zero);
}

template <class N>
struct Corners {
  Coordinates<N> of[3];
};

/// A point of p, and where the point of q is from there.
template <class N>
struct NearestPoints {
  Coordinates<N> on_p;
  Coordinates<N> between;
  N distance_sq;
};

namespace nearest {

/// Keeps the closer of two pairs of points; the new one is `distance_sq` apart.
template <class N, class Mask>
TANDEM_NEAREST void take(const Mask& better, const Coordinates<N>& on_p,
                         const Coordinates<N>& between, const N& distance_sq,
                         NearestPoints<N>* best) {
  best->on_p = choose(better, on_p, best->on_p);
  best->between = choose(better, between, best->between);
  best->distance_sq = choose(better, distance_sq, best->distance_sq);
}

/// A triangle and its edges; edge k goes from corner k to the next one.
template <class N>
struct Edges {
  explicit TANDEM_NEAREST Edges(const Corners<N>& corners) : corner(corners.of) {
    for (int k = 0; k < 3; ++k) {
      along[k] = corner[k == 2 ? 0 : k + 1] - corner[k];
      length_sq[k] = dot(along[k], along[k]);
      inverse[k] = inverse_or_zero(length_sq[k]);
    }
  }
  const Coordinates<N>* corner;
  Coordinates<N> along[3];
  N length_sq[3];
  /// Of the squared length; 0 for an edge without length.
  N inverse[3];
};

/// Points p + s e and q + t f. Without bounds on s and t, those that are closest solve
///   s e·e - t e·f = e·r,   s e·f - t f·f = f·r,   with r = q - p.
/// Where s leaves [0, 1] it is cut off, t follows from s, is cut off, and s follows from it. Of
/// parallel edges any s will do, as t and then s follow.
template <class N>
TANDEM_NEAREST void of_edges(const Edges<N>& p, int i, const Edges<N>& q, int j,
                             NearestPoints<N>* best) {
  const Coordinates<N>& e = p.along[i];
  const Coordinates<N>& f = q.along[j];
  const Coordinates<N> r = q.corner[j] - p.corner[i];
  const N ef = dot(e, f);
  const N er = dot(e, r);
  const N fr = dot(f, r);
  const N determinant = multiply_add(p.length_sq[i], q.length_sq[j], -(ef * ef));
  const N of_s = multiply_add(er, q.length_sq[j], -(ef * fr));
  N s = clamped_to_unit(of_s * inverse_or_zero(determinant));
  const N t = clamped_to_unit(multiply_add(ef, s, -fr) * q.inverse[j]);
  s = clamped_to_unit(multiply_add(ef, t, er) * p.inverse[i]);
  const Coordinates<N> between = multiply_add(-s, e, multiply_add(t, f, r));
  const N distance_sq = dot(between, between);
  take(distance_sq < best->distance_sq, multiply_add(s, e, p.corner[i]), between, distance_sq,
       best);
}

/// The face of a triangle: a point r away from its first corner is above
/// corner 0 + (r · first) e + (r · second) e', with the edges e and e' from there.
template <class N>
struct Face {
  explicit TANDEM_NEAREST Face(const Corners<N>& corners)
      : corner(corners.of[0]), edge{corners.of[1] - corner, corners.of[2] - corner} {
    const Coordinates<N> normal = cross(edge[0], edge[1]);
    const N inverse = inverse_or_zero(dot(normal, normal));
    has_area = N(0.0) < inverse;
    const Coordinates<N> zero{{N(0.0), N(0.0), N(0.0)}};
    first = multiply_add(inverse, cross(edge[1], normal), zero);
    second = multiply_add(inverse, cross(normal, edge[0]), zero);
  }
  Coordinates<N> corner;
  Coordinates<N> edge[2];
  Coordinates<N> first;
  Coordinates<N> second;
  decltype(N(0.0) < N(0.0)) has_area;
};

/// A corner and the point of the face below it, where there is one. `face_is_q` says which of the
/// two triangles has the face.
template <bool face_is_q, class N>
TANDEM_NEAREST void of_face(const Face<N>& face, const Coordinates<N>& corner,
                            NearestPoints<N>* best) {
  const N zero(0.0);
  const Coordinates<N> r = corner - face.corner;
  const N beta = dot(r, face.first);
  const N gamma = dot(r, face.second);
  // Strictly: what is above an edge is left to the edges.
  const auto inside = face.has_area & (zero < beta) & (zero < gamma) & (beta + gamma < N(1.0));
  const Coordinates<N> below =
      multiply_add(beta, face.edge[0], multiply_add(gamma, face.edge[1], face.corner));
  const Coordinates<N> between = face_is_q ? below - corner : corner - below;
  const N distance_sq = dot(between, between);
  take(inside & (distance_sq < best->distance_sq), face_is_q ? corner : below, between, distance_sq,
       best);
}

}  // namespace nearest

template <class N>
TANDEM_NEAREST NearestPoints<N> nearest_points(const Corners<N>& p, const Corners<N>& q) {
  NearestPoints<N> best{p.of[0], q.of[0] - p.of[0], N(std::numeric_limits<double>::infinity())};
  const nearest::Edges<N> p_edges(p);
  const nearest::Edges<N> q_edges(q);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) nearest::of_edges(p_edges, i, q_edges, j, &best);
  }
  const nearest::Face<N> p_face(p);
  for (int j = 0; j < 3; ++j) nearest::of_face<false>(p_face, q.of[j], &best);
  const nearest::Face<N> q_face(q);
  for (int i = 0; i < 3; ++i) nearest::of_face<true>(q_face, p.of[i], &best);
  return best;
}

/// How far q begins behind the end of p along a direction, times its length: no point of q is
/// closer to one of p than that over the length, if it is positive.
template <class N>
TANDEM_NEAREST N gap_along(const Coordinates<N>& direction, const Corners<N>& p,
                           const Corners<N>& q) {
  N end = dot(direction, p.of[0]);
  N begin = dot(direction, q.of[0]);
  for (int k = 1; k < 3; ++k) {
    const N in_p = dot(direction, p.of[k]);
    const N in_q = dot(direction, q.of[k]);
    end = choose(end < in_p, in_p, end);
    begin = choose(in_q < begin, in_q, begin);
  }
  return begin - end;
}

/// Points of two triangles, how far apart they are, and whether that is sure to be the distance of
/// the triangles: see triangle_distance.h.
template <class N>
struct JudgedPoints {
  NearestPoints<N> points;
  N distance;
  decltype(N(0.0) < N(0.0)) sure;
};

/// `rounding` bounds the relative error of an operation, `tolerance` is what the distance may be
/// off.
template <class N>
TANDEM_NEAREST JudgedPoints<N> judge_nearest_points(const Corners<N>& p, const Corners<N>& q,
                                                    double rounding, double tolerance) {
  const NearestPoints<N> best = nearest_points(p, q);
  const N distance = square_root(best.distance_sq);
  const N lost = (best.distance_sq - gap_along(best.between, p, q)) / distance;
  N largest(0.0);
  for (int k = 0; k < 3; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const N in_p = magnitude(p.of[k].of[axis]);
      const N in_q = magnitude(q.of[k].of[axis]);
      largest = choose(largest < in_p, in_p, largest);
      largest = choose(largest < in_q, in_q, largest);
    }
  }
  // Not so for NaN.
  return {best, distance, N(80 * rounding) * largest + lost < N(tolerance) * distance};
}
