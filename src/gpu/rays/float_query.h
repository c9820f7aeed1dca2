// What float32 finds out about a ray on a device: the closest triangle that is surely hit, and
// those of which floats cannot tell.
#pragma once

#include <cstdint>
#include <limits>

#include "gpu/kernel.h"
#include "traverse/ray/query.h"

namespace tandem::detail {

/// Lists of triangles of which float32 cannot tell whether a ray hits them, or which of two is the
/// closer one: one list per ray, all in one array, each from its last entry to its first.
struct DoubtfulTriangles {
  struct Entry {
    std::uint32_t place;
    std::uint32_t before;
  };
  /// Instead of an entry: there is none; or there was no room for it.
  static constexpr std::uint32_t k_none = 0xffffffff;
  static constexpr std::uint32_t k_no_room = 0xfffffffe;

  Entry* entries;
  std::uint32_t* count;
  std::uint32_t room;

  /// Adds to the list that ends with `last`; returns the new last one.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t add(const Threads& threads, std::uint32_t place,
                                  std::uint32_t last) const {
    const std::uint32_t own = threads.atomic_add(count, 1U);
    if (own >= room) return k_no_room;
    entries[own] = {place, last};
    return own;
  }
};

/// What float32 knows of a ray in the end: where the closest triangle is that is surely hit, and
/// the last of the doubtful ones.
struct FloatVerdict {
  std::uint32_t place = DoubtfulTriangles::k_none;
  std::uint32_t doubtful = DoubtfulTriangles::k_none;

  TANDEM_HD bool misses() const {
    return place == DoubtfulTriangles::k_none && doubtful == DoubtfulTriangles::k_none;
  }
};

/// One ray's question, for rays that float32 can trace. Float arithmetic tells of most triangles
/// whether they are hit, and in which interval the distance is. As long as these intervals do not
/// overlap, they tell which hit is the closest. All others are put aside.
template <class Threads>
class FloatRayQuery {
 public:
  TANDEM_KERNEL FloatRayQuery(const Threads& threads, const DoubtfulTriangles& doubtful,
                              const ValidRay& ray, Wanted wanted)
      : threads_(&threads), doubtful_(&doubtful), ray_(ray), limit_(ray.t_max), wanted_(wanted) {}

  TANDEM_KERNEL const ValidRay& ray() const { return ray_; }
  TANDEM_KERNEL float limit() const { return limit_; }

  TANDEM_KERNEL Flow test(std::uint32_t, const TriangleF& triangle, std::uint32_t place) {
    RayMeeting<float> meeting(ray_, triangle);
    if (meeting.outside()) return Flow::go_on;
    if (!meeting.inside()) {
      meeting.look_closer(ray_, triangle);
      if (meeting.outside()) return Flow::go_on;
    }
    if (meeting.inside()) {
      const RayMeeting<float>::Distance distance(meeting);
      if (distance.beyond(ray_.t_min, limit_)) return Flow::go_on;
      if (distance.least() >= ray_.t_min && distance.most() <= ray_.t_max) {
        limit_ = smaller(limit_, distance.most());
        if (distance.most() < least_) {
          verdict_.place = place;
          least_ = distance.least();
          return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
        }
      }
    }
    verdict_.doubtful = doubtful_->add(*threads_, place, verdict_.doubtful);
    return verdict_.doubtful == DoubtfulTriangles::k_no_room ? Flow::stop : Flow::go_on;
  }

  TANDEM_KERNEL const FloatVerdict& verdict() const { return verdict_; }

 private:
  const Threads* threads_;
  const DoubtfulTriangles* doubtful_;
  ValidRay ray_;
  FloatVerdict verdict_;
  /// The sure hit is not closer than this, and nothing beyond the limit is wanted.
  float least_ = std::numeric_limits<float>::infinity();
  float limit_;
  Wanted wanted_;
};

}  // namespace tandem::detail
