// Contacts: where two models touch and which way they are to be pushed apart, as simulations of
// rigid bodies need it.
//
//   const auto found = tandem::contacts(box, floor, floor_in_box);
//   for (const auto& point : tandem::reduce_contacts(found.contacts).points) resolve(point);
#pragma once

#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>
#include <tandem/vec.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tandem {

/// How two triangles touch, in A's frame. Nothing in it is ever NaN or infinite.
///
/// A triangle's front is the side from which its corners are seen counter-clockwise: the outside of
/// a closed mesh. Its depth is how far a vertex of the other triangle lies behind its plane at
/// most; 0 where none does. The triangle of the smaller depth decides, A's where the depths are
/// equal up to rounding: moving B by `-separation` along `normal` leaves nothing behind its plane.
struct Contact {
  TrianglePair pair;
  /// The ends of the segment that the triangles share, the lesser by x, y, z first; equal where
  /// they share one point. Of a polygon, which coplanar triangles may share, the two corners that
  /// are farthest apart; of several such pairs the least.
  Vec3d points[2];
  /// Of a polygon, on each side of that segment, the corner farthest from it; where there is none,
  /// and where no polygon is shared, `points` again.
  Vec3d across[2];
  /// Of length 1, from A to B: the front normal of A's triangle, or the reverse of that of B's.
  Vec3d normal;
  /// Minus the smaller depth. 0 for coplanar triangles; positive only where `contacts_within` found
  /// triangles that do not touch.
  double separation = 0;
  /// False where the triangles are coplanar and face the same way, such as flush sides of stacked
  /// boxes: moving along the normal is then no way to part closed meshes.
  bool opposed = true;

  friend bool operator==(const Contact&, const Contact&) = default;
};

/// Is shown each contact and answers whether the query goes on.
using ContactSink = FunctionRef<Flow(const Contact&)>;

/// Streams the contact of every pair that `collide` finds, each once, in no particular order, until
/// the sink says stop. Uses no memory that grows with the number of pairs. A triangle test other
/// than the exact one may find pairs that share no point: these are left out. Throws what `collide`
/// throws.
TANDEM_API StreamResult contacts(const Model& a, const Model& b, const Pose& b_in_a,
                                 ContactSink sink, const QueryOptions& options = {});

struct ContactsResult {
  /// Sorted by triangle of A, then triangle of B.
  std::vector<Contact> contacts;
  Statistics statistics;
};

/// All contacts, sorted.
TANDEM_API ContactsResult contacts(const Model& a, const Model& b, const Pose& b_in_a,
                                   const QueryOptions& options = {});

/// The contact of one pair of triangles; nothing where they share no point. Throws `tandem::Error`
/// for an id that does not exist.
TANDEM_API std::optional<Contact> contact(const Model& a, const Model& b, const Pose& b_in_a,
                                          TrianglePair pair);

/// One point of a manifold: where, which way from A to B, and how deep, in A's frame.
struct ManifoldPoint {
  /// One of the points of the contact of `pair`, which also gives normal and separation.
  Vec3d position;
  Vec3d normal;
  double separation = 0;
  TrianglePair pair;
  /// Which patch it belongs to, from 0.
  std::uint32_t patch = 0;

  friend bool operator==(const ManifoldPoint&, const ManifoldPoint&) = default;
};

/// The few points that stand for all contacts of two objects.
struct ContactManifold {
  /// Patch by patch, the deepest first; of a patch the deepest point first.
  std::vector<ManifoldPoint> points;
  std::uint32_t patch_count = 0;
};

/// Reduces the contacts of two objects to patches of about the same normal, and each patch to at
/// most `max_points` (1 to 4) points that are deep and far apart. Depends on the set of contacts
/// alone, not on their order; docs/conventions.md says how. O(n log n). Throws `tandem::Error` for
/// another number of points.
TANDEM_API ContactManifold reduce_contacts(std::span<const Contact> contacts, int max_points = 4);

/// The same of two lists. The directions of those that are `known` are not in doubt, as they come
/// from more than the planes of two triangles: they stay, even where moving along another direction
/// would part them too.
TANDEM_API ContactManifold reduce_contacts(std::span<const Contact> known,
                                           std::span<const Contact> others, int max_points);

}  // namespace tandem
