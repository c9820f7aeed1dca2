// Distances: how far apart two models are, and which of their triangles are closer than a distance.
//
//   const tandem::DistanceResult gap = tandem::distance(gripper, part, part_in_gripper);
//   if (tandem::within(gripper, part, part_in_gripper, 0.002)) slow_down();
//
// The distance of two triangles is 0 exactly when they share a point. Otherwise it is that of B's
// vertices as the pose brings them into A's frame, within 1e-12 of the true one, relative to it,
// and depends on the two triangles alone: every builder, processor and number of threads gives the
// same bits (docs/conventions.md).
#pragma once

#include <tandem/batch.h>
#include <tandem/contact.h>
#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>
#include <tandem/triangle.h>
#include <tandem/vec.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tandem {

namespace detail {
class NearFront;
}

struct DistanceOptions {
  /// The structure `triangles` is brute force. Any other one that is named, but for the default, is
  /// an error.
  Engine engine = {};
  /// The caller does not care for distances from here on: nothing that is as far is found. At least
  /// 0; infinity for no limit.
  double limit = std::numeric_limits<double>::infinity();
  /// The distance may be larger than the least one by this share of that, and by this much. A query
  /// that may be off is faster; `lower_bound` tells how far it may be off. At least 0, not NaN.
  double relative_error = 0;
  double absolute_error = 0;
  /// Fill in the statistics; a query without them does not pay for them.
  bool statistics = false;
  /// How many threads share the queries of a batch; 0 stands for as many as the machine has. A
  /// single query uses the calling thread.
  int threads = 1;
  /// Of batches.
  Progress progress = {};
};

struct DistanceResult {
  /// 0 when the models share a point; infinity when nothing is closer than the limit, or a mesh is
  /// empty.
  double distance = std::numeric_limits<double>::infinity();
  /// The two triangles that are as close; nothing when the distance is infinite. Of several that
  /// are equally close the first by triangle of A, then triangle of B, except where models touch:
  /// which of the touching pairs it is then is not promised.
  std::optional<TrianglePair> pair;
  /// Points of these triangles that are as close, in A's frame, and the direction of length 1 from
  /// A's to B's. Where models touch the points are the same, and the direction is zero.
  Vec3d on_a{0, 0, 0};
  Vec3d on_b{0, 0, 0};
  Vec3d normal{0, 0, 0};
  /// No two points are closer than this, up to the 1e-12 of distances. Equals the distance unless
  /// an error was allowed; the limit where nothing is closer than that.
  double lower_bound = std::numeric_limits<double>::infinity();
  Statistics statistics;
};

/// How far apart the surfaces are: the smallest distance of a triangle of A and one of B, those
/// triangles, and the closest points. Throws `tandem::Error` for a limit or an error that is
/// negative or NaN, and for a structure that has no distances.
TANDEM_API DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                                   const DistanceOptions& options = {});

/// What is known of two models whose distance is asked for again and again while they move: which
/// triangles were closest, and what need not be looked at until they have moved far: some 16 KiB.
/// The caller keeps one for each two models; only one thread may use it at a time.
class TANDEM_API DistanceWitness {
 public:
  DistanceWitness();
  DistanceWitness(const DistanceWitness& other);
  DistanceWitness(DistanceWitness&& other) noexcept;
  DistanceWitness& operator=(const DistanceWitness& other);
  DistanceWitness& operator=(DistanceWitness&& other) noexcept;
  ~DistanceWitness();

  void clear() { *this = {}; }

 private:
  friend DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                                 DistanceWitness& witness, const DistanceOptions& options);

  std::optional<TrianglePair> pair_;
  std::unique_ptr<detail::NearFront> front_;
};

/// The same with a witness, which may come from other models or poses: the time depends on it, the
/// result does not. (Where an error is allowed, which of the distances within it comes out may.)
TANDEM_API DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                                   DistanceWitness& witness, const DistanceOptions& options = {});

/// Does any triangle of A come as close as `distance` to one of B? Stops at the first such pair.
/// `distance` may be infinite; 0 asks what `intersects` asks. Throws `tandem::Error` for one that
/// is negative or NaN, and for a structure other than the default one and `triangles`, or a
/// triangle test other than the exact one.
TANDEM_API IntersectsResult within(const Model& a, const Model& b, const Pose& b_in_a,
                                   double distance, const QueryOptions& options = {});

/// Streams every pair of triangles that are at most `distance` apart into `sink`, each once, in no
/// particular order, until the sink says stop. With 0 these are the pairs of `collide`. Throws what
/// `within` throws.
TANDEM_API StreamResult collide_within(const Model& a, const Model& b, const Pose& b_in_a,
                                       double distance, PairSink sink,
                                       const QueryOptions& options = {});

/// All of them, sorted.
TANDEM_API CollideResult collide_within(const Model& a, const Model& b, const Pose& b_in_a,
                                        double distance, const QueryOptions& options = {});

/// The number of these pairs, without storing them.
TANDEM_API CountResult count_within(const Model& a, const Model& b, const Pose& b_in_a,
                                    double distance, const QueryOptions& options = {});

/// The distance of the two triangles of a pair, in A's frame. `relative_error` is what the distance
/// may be off, as a share of it, beyond the error that it always has: with 1e-6, doubles suffice
/// for triangles that nearly lie on each other. It is 0 exactly when they touch, whatever the
/// error. Throws `tandem::Error` for an id that does not exist and an error that is negative or not
/// finite.
TANDEM_API TriangleDistance distance(const Model& a, const Model& b, const Pose& b_in_a,
                                     TrianglePair pair, double relative_error = 0);

/// Streams a contact of every pair that `collide_within` finds, so that a simulation has contacts
/// before bodies overlap. Of triangles that touch it is that of `contacts`. Of others `separation`
/// is their distance, `normal` the direction from A's closest point to B's, and all points are the
/// middle between these two. Throws what `within` throws.
TANDEM_API StreamResult contacts_within(const Model& a, const Model& b, const Pose& b_in_a,
                                        double distance, ContactSink sink,
                                        const QueryOptions& options = {});

/// All of them, sorted by triangle of A, then triangle of B.
TANDEM_API ContactsResult contacts_within(const Model& a, const Model& b, const Pose& b_in_a,
                                          double distance, const QueryOptions& options = {});

/// The distances of the same two models under many poses of B in A's frame, on as many threads as
/// the options say. Every result is the one that the query has alone, whatever the number of
/// threads. Throws what `distance` throws, and for a negative number of threads.
TANDEM_API std::vector<DistanceResult> distance_batch(const Model& a, const Model& b,
                                                      std::span<const Pose> b_in_a,
                                                      const DistanceOptions& options = {});
/// The same for many pairs of models. Throws `tandem::Error` for a query that names a model that is
/// not there.
TANDEM_API std::vector<DistanceResult> distance_batch(std::span<const Model> models,
                                                      std::span<const BatchQuery> queries,
                                                      const DistanceOptions& options = {});

/// Which queries have a pair at most `distance` apart. Throws what `within` throws.
TANDEM_API BatchBits within_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                                  double distance, const BatchOptions& options = {});
TANDEM_API BatchBits within_batch(std::span<const Model> models,
                                  std::span<const BatchQuery> queries, double distance,
                                  const BatchOptions& options = {});

}  // namespace tandem
