// What a traversal tells about its work while it goes.
//
// The traverse room holds the traversals, one file each: of two structures together (`tandem`), of
// rays (`ray`) and in SIMD lanes (`wide`). It sees structures through their views alone.
#pragma once

#include <tandem/host_device.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>

#include <cmath>
#include <cstdint>

namespace tandem::detail {

/// Watches nothing and costs nothing.
struct NullObserver {
  /// Whether it wants to know how much of the work is done.
  static constexpr bool k_wants_shares = false;

  TANDEM_HD void set_arity(int) {}
  TANDEM_HD void iteration(std::uint32_t, std::uint32_t) {}
  TANDEM_HD void overlap() {}
  TANDEM_HD void leaf_overlap() {}
  TANDEM_HD void tumbled() {}
  TANDEM_HD void tumbled_visit() {}
  TANDEM_HD void aligned_visit() {}
  TANDEM_HD void triangle_test() {}
  TANDEM_HD void triangle_overlap() {}
  TANDEM_HD void pairs_of_blocks(std::uint64_t, std::uint64_t) {}
  TANDEM_HD void leaf_overlaps(std::uint64_t) {}
  TANDEM_HD void triangle_tests(std::uint64_t) {}
  TANDEM_HD void finished(int) {}
  TANDEM_HD void share_done(double) {}
  /// An observer for a part of the work, and what it saw.
  NullObserver of_part() const { return {}; }
  void add(const NullObserver&) {}
};

/// Counts, and reports progress.
class CountingObserver {
 public:
  static constexpr bool k_wants_shares = true;

  explicit CountingObserver(const Progress& progress) : progress_(progress) {}

  /// The most children that a node of either tree has: how a descent divides the work.
  void set_arity(int arity) { arity_ = arity; }

  void iteration(std::uint32_t, std::uint32_t) { ++statistics_.iterations; }
  void overlap() { ++statistics_.overlaps; }
  void leaf_overlap() { ++statistics_.leaf_overlaps; }
  void tumbled() { ++statistics_.node_transforms; }
  void tumbled_visit() { ++statistics_.tumbled_visits; }
  void aligned_visit() { ++statistics_.aligned_visits; }
  void triangle_test() { ++statistics_.triangle_tests; }
  void triangle_overlap() { ++statistics_.triangle_overlaps; }

  /// For the wide traversal, which counts many at once: a pair of blocks is 16 pairs of nodes, and
  /// four of B's nodes are transformed for it.
  void pairs_of_blocks(std::uint64_t taken, std::uint64_t overlapping) {
    statistics_.iterations += 16 * taken;
    statistics_.node_transforms += 4 * taken;
    statistics_.overlaps += overlapping;
  }
  void leaf_overlaps(std::uint64_t count) { statistics_.leaf_overlaps += count; }
  void triangle_tests(std::uint64_t count) { statistics_.triangle_tests += count; }

  /// A pair of nodes that this many descents led to needs no more work: as if each descent divided
  /// the work evenly.
  void finished(int descents) {
    if (progress_) share_done(done_ + std::pow(arity_, -descents));
  }

  /// That share of all work is done.
  void share_done(double share) {
    if (!progress_) return;
    done_ = share;
    constexpr double k_step = 1.0 / 512;
    if (done_ < reported_ + k_step) return;
    reported_ = done_;
    progress_(std::fmin(done_, 1.0));
  }

  /// An observer for a part of the work, which reports no progress, and what it saw.
  CountingObserver of_part() const {
    static const Progress k_none;
    CountingObserver part(k_none);
    part.arity_ = arity_;
    return part;
  }
  void add(const CountingObserver& part) { statistics_ += part.statistics_; }

  const Statistics& statistics() const { return statistics_; }

 private:
  const Progress& progress_;
  double arity_ = 2;
  Statistics statistics_;
  double done_ = 0;
  double reported_ = 0;
};

}  // namespace tandem::detail
