// Contacts of triangles that are close and do not touch.
#pragma once

#include <tandem/contact.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/triangle.h>

#include <vector>

#include "sim/corner_fans.h"

namespace tandem::sim {

/// A mesh whose triangles are close to another one's.
struct NearMesh {
  const Model& model;
  const CornerFans& fans;
};

/// The triangles of a pair, in A's frame.
struct PairTriangles {
  Triangle a;
  Triangle b;
};

inline PairTriangles triangles_of(const NearMesh& a, const NearMesh& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  const TriangleF of_a = a.model.mesh().triangle(pair.a);
  const TriangleF of_b = b.model.mesh().triangle(pair.b);
  PairTriangles result;
  for (int k = 0; k < 3; ++k) {
    result.a.corner[k] = Vec3d(of_a.corner[k]);
    result.b.corner[k] = transform_point(b_in_a, Vec3d(of_b.corner[k]));
  }
  return result;
}

/// Appends the contacts of two triangles that are apart, by no more than `margin`.
///
/// Two faces that lie flat over each other are closest everywhere, and a body that rests on one
/// point tips over. So triangles that are about parallel and face each other have a contact at each
/// corner of what they have in common, seen along A's normal, as far as it is within the margin.
/// Others have one where they are closest, unless a neighbour of one of them is closer still. There
/// is none where one is behind the other's front, as in bodies that overlap: what is inside is no
/// gap.
void append_near_contacts(const NearMesh& a, const NearMesh& b, const Pose& b_in_a,
                          TrianglePair pair, const PairTriangles& triangles, double margin,
                          std::vector<Contact>* contacts);

}  // namespace tandem::sim
