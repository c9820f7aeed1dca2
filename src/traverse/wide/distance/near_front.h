// What a search for the closest triangles did not have to look into: where the next one begins when
// the models have moved a little.
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tandem::detail {

/// Pairs of blocks and of triangle slots that searches left out or came to, each with a lower bound
/// of its distance. With those beyond a horizon, which are not kept, they make up all pairs of
/// triangles. A search looks into those that may be closer than what it is after, and leaves others
/// instead. When the models move, bounds become less by as much.
///
/// Where models move far between queries, or much of them is about as close, a front does not pay:
/// then it pauses. Distances are in A's units. Its memory is allocated once.
class NearFront {
 public:
  /// A pair of blocks that is visited at a step (traverse/wide/pair.h), or one of triangle slots at
  /// the step after the last.
  struct Place {
    std::uint32_t a;
    std::uint32_t b;
    int step;
    float lower;
  };

  /// Makes the bounds those of this query, whose models are known by number. `move(from)` tells how
  /// far points have moved since another pose, at most. Returns whether a search may use the front.
  template <class Move>
  bool come_here(std::uint64_t a, std::uint64_t b, const Pose& b_in_a, const Move& move) {
    const bool known = a == of_a_ && b == of_b_;
    if (known) {
      shrink(move(b_in_a_));
    } else {
      *this = {};
      of_a_ = a;
      of_b_ = b;
    }
    b_in_a_ = b_in_a;
    if (pause_ > 0) {
      --pause_;
      return false;
    }
    return known;
  }

  /// Whether a search up to that limit can begin with `take`.
  bool covers(float limit) {
    if (!is_complete_ || !(horizon_ > limit)) return false;
    limit_ = limit;
    ++served_;
    return true;
  }
  /// A search up to that limit begins at the roots. Returns whether it shall leave pairs.
  bool begin(float limit) {
    forget();
    if (served_ < k_least_served) {
      pause_ = longest_pause_;
      longest_pause_ = std::min(2 * longest_pause_, k_longest_pause);
      served_ = k_least_served;
      return false;
    }
    if (places_.empty()) places_.resize(k_room);
    served_ = 0;
    limit_ = limit;
    horizon_ = std::min(limit * (1 + k_more) + k_moves_ahead * last_move_,
                        std::numeric_limits<float>::max());
    is_complete_ = false;
    return true;
  }
  /// The search is done: what it took and left is here, or beyond the horizon.
  void finish() { is_complete_ = true; }

  /// Everything that is not kept is at least as far; 0 where nothing is known.
  float horizon() const { return horizon_; }

  /// Moves what may be as close as the limit to a list, and returns that.
  const std::vector<Place>& take(float limit) {
    taken_.clear();
    is_complete_ = false;
    for (std::size_t i = 0; i < size_;) {
      if (places_[i].lower > limit) {
        ++i;
      } else {
        taken_.push_back(places_[i]);
        places_[i] = places_[--size_];
      }
    }
    return taken_;
  }
  void leave(const Place& place) {
    if (!(place.lower < horizon_)) return;
    if (size_ == k_room) thin_out();
    if (place.lower < horizon_) places_[size_++] = place;
  }
  void forget() {
    size_ = 0;
    horizon_ = 0;
  }

 private:
  static constexpr std::size_t k_room = 1024;
  /// The horizon is so much farther than the limit, and so many moves like the last one.
  static constexpr float k_more = 0x1p-6F;
  static constexpr float k_moves_ahead = 4;
  /// A front that serves fewer queries does not pay.
  static constexpr int k_least_served = 2;
  static constexpr int k_longest_pause = 256;

  /// Keeps the closer half, if the next query can make use of it.
  void thin_out() {
    const auto closer = [](const Place& x, const Place& y) { return x.lower < y.lower; };
    std::nth_element(places_.begin(), places_.begin() + k_room / 2, places_.end(), closer);
    horizon_ = places_[k_room / 2].lower;
    if (horizon_ < limit_ + k_least_served * last_move_) {
      forget();
      return;
    }
    const auto is_farther = [&](const Place& place) { return !(place.lower < horizon_); };
    size_ = static_cast<std::size_t>(
        std::remove_if(places_.begin(), places_.begin() + k_room / 2, is_farther) -
        places_.begin());
  }

  void shrink(double move) {
    // Differences are rounded by less than this share of what they are taken from.
    constexpr float k_rounding = 1 - 0x1p-22F;
    last_move_ = static_cast<float>(move * (1 + 0x1p-20) + 0x1p-140);
    for (std::size_t i = 0; i < size_; ++i) {
      places_[i].lower = places_[i].lower * k_rounding - last_move_;
    }
    horizon_ = std::max(horizon_ * k_rounding - last_move_, 0.0F);
  }

  /// Which models and pose the bounds are for.
  std::uint64_t of_a_ = 0;
  std::uint64_t of_b_ = 0;
  Pose b_in_a_;
  float last_move_ = 0;
  float horizon_ = 0;
  /// Of the search that used it last.
  float limit_ = 0;
  /// Not so while a search has pairs of it, also when that ends with an exception.
  bool is_complete_ = false;
  int served_ = k_least_served;
  int pause_ = 0;
  int longest_pause_ = 4;
  std::size_t size_ = 0;
  std::vector<Place> places_;
  std::vector<Place> taken_;
};

}  // namespace tandem::detail
