// The traversal of two wide trees in parts, for threads.
#pragma once

#include <tandem/pose.h>
#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "traverse/wide/frame.h"
#include "traverse/wide/in_double.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lists.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A traversal for all pairs in parts, which may run at the same time. They are the same on every
/// machine: what lies below each few of some pairs of blocks of one step.
class WideParts {
 public:
  /// Descends from the roots until there are enough pairs of blocks, and tells the observer. With
  /// `self`, both trees are the same one; `within` is that of `traverse_wide`.
  template <class Observer>
  WideParts(const WideKernels& kernels, const WideTreeView& a, const WideTreeView& b,
            const Pose& b_in_a, bool self, double within, Observer& observer)
      : kernels_(kernels), trees_{a, b}, frame_(frame_within(b_in_a, a, b, within)), self_(self) {
    a_ = {0};
    b_ = {0};
    if (!frame_.in_range) return;
    for (; trees_.steps() - step_ > k_steps_of_part && a_.size() < k_most; ++step_) {
      descend(observer);
    }
  }

  /// At most `k_most`. There is one where the whole is not much work.
  std::size_t count() const { return a_.size() < k_worth ? 1 : std::min(a_.size(), k_most); }

  template <class LeafPair, class Observer>
  Flow run(std::size_t part, LeafPair& leaf_pair, Observer& observer) const {
    if (!frame_.in_range) return InDouble(trees_, frame_, self_, leaf_pair, observer).run();
    const std::size_t begin = a_.size() * part / count();
    const std::size_t size = a_.size() * (part + 1) / count() - begin;
    const auto run_lists = [&]<bool self>() {
      return WideLists<1, self, LeafPair, Observer>(kernels_, trees_, frame_, leaf_pair, observer)
          .run_below(step_, std::span(a_).subspan(begin, size), std::span(b_).subspan(begin, size));
    };
    return self_ ? run_lists.template operator()<true>() : run_lists.template operator()<false>();
  }

  static constexpr std::size_t k_most = 1024;

 private:
  /// How many steps a part has at least, and how many parts are worth having.
  static constexpr int k_steps_of_part = 3;
  static constexpr std::size_t k_worth = 64;

  template <class Observer>
  void descend(Observer& observer) {
    const std::size_t count = a_.size();
    // Kernels go on while there is room for two pairs more.
    const std::size_t room = k_pairs_of_children * (count + 1);
    std::vector<std::uint32_t> next_a(room + k_list_slack);
    std::vector<std::uint32_t> next_b(room + k_list_slack);
    a_.resize(count + k_list_slack);
    b_.resize(count + k_list_slack);
    const PairList pairs{a_.data(), b_.data()};
    Outlets<1> out{{{next_a.data(), next_b.data()}}, {0}, room};
    const auto& descends = frame_.within > 0 ? kernels_.descend_within : kernels_.descend_in_one;
    const std::size_t taken = descends.of(trees_.descent(step_))(
        frame_, trees_.blocks_a(step_), trees_.blocks_b(step_), pairs, count, out);
    if (self_) {
      out.written[0] = keep_half<std::less_equal<>>(out.list[0], 0, out.written[0]);
    }
    tell_blocks(observer, step_, pairs, {taken, out.written[0]});
    next_a.resize(out.written[0]);
    next_b.resize(out.written[0]);
    a_ = std::move(next_a);
    b_ = std::move(next_b);
  }

  const WideKernels& kernels_;
  WidePair trees_;
  WideFrame frame_;
  bool self_;
  int step_ = 0;
  std::vector<std::uint32_t> a_;
  std::vector<std::uint32_t> b_;
};

}  // namespace tandem::detail
