#include <tandem/batch.h>
#include <tandem/error.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parallel/lock.h"
#include "query/batch_queries.h"
#include "query/device_source.h"
#include "query/sort_pairs.h"

namespace tandem {
namespace {

using detail::for_each_piece;
using detail::ManyModels;
using detail::piece_size;
using detail::PosedModels;
using detail::TwoModels;

/// Puts the pairs of pieces together in the order of the pieces. Each is taken over as soon as all
/// before it are there, by one thread, while the others go on.
class PiecesInOrder {
 public:
  explicit PiecesInOrder(std::size_t piece_count) : pieces_(piece_count) {}

  void put(std::size_t piece, std::vector<TrianglePair> pairs) {
    pieces_[piece].pairs = std::move(pairs);
    pieces_[piece].is_there = true;
    // Who finds another thread here leaves it to that one, or to the next.
    if (!taking_over_.try_lock()) return;
    const std::lock_guard lock(taking_over_, std::adopt_lock);
    take_over();
  }

  /// When all pieces are there.
  std::vector<TrianglePair> pairs() {
    take_over();
    return std::move(all_);
  }

 private:
  struct Piece {
    std::vector<TrianglePair> pairs;
    std::atomic<bool> is_there = false;
  };

  void take_over() {
    for (; next_ < pieces_.size() && pieces_[next_].is_there; ++next_) {
      std::vector<TrianglePair>& pairs = pieces_[next_].pairs;
      make_room_for(all_.size() + pairs.size());
      all_.insert(all_.end(), pairs.begin(), pairs.end());
      pairs = {};
    }
  }

  /// As much as all pieces need if they are like those so far, and at most twice as much as now.
  void make_room_for(std::size_t size) {
    if (size <= all_.capacity()) return;
    const double expected = 1.1 * static_cast<double>(size) * static_cast<double>(pieces_.size()) /
                            static_cast<double>(next_ + 1);
    const double most = 2 * static_cast<double>(size);
    all_.reserve(std::max(size, static_cast<std::size_t>(std::min(expected, most))));
  }

  std::vector<Piece> pieces_;
  detail::Mutex taking_over_;
  std::size_t next_ = 0;
  std::vector<TrianglePair> all_;
};

template <class Queries>
BatchResult collide_all(const Queries& queries, const BatchOptions& options) {
  const QueryOptions each{.engine = options.engine};
  const std::size_t piece = piece_size(queries.size());
  PiecesInOrder found((queries.size() + piece - 1) / piece);
  BatchResult result;
  result.offsets.resize(queries.size() + 1);
  for_each_piece(queries.size(), options.threads, options.progress,
                 [&](std::size_t begin, std::size_t end) {
                   std::vector<TrianglePair> pairs;
                   for (std::size_t i = begin; i < end; ++i) {
                     const PosedModels query = queries[i];
                     const std::size_t first = pairs.size();
                     const auto append = [&](TrianglePair pair) {
                       pairs.push_back(pair);
                       return Flow::go_on;
                     };
                     collide(query.a, query.b, query.b_in_a, append, each);
                     detail::sort_pairs(std::span(pairs).subspan(first));
                     result.offsets[i + 1] = pairs.size() - first;
                   }
                   found.put(begin / piece, std::move(pairs));
                 });
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.pairs = found.pairs();
  return result;
}

template <class Queries>
std::vector<std::uint64_t> count_all(const Queries& queries, const BatchOptions& options) {
  const QueryOptions each{.engine = options.engine};
  std::vector<std::uint64_t> counts(queries.size());
  for_each_piece(queries.size(), options.threads, options.progress,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const PosedModels query = queries[i];
                     counts[i] = count(query.a, query.b, query.b_in_a, each).count;
                   }
                 });
  return counts;
}

template <class Queries>
BatchBits intersects_all(const Queries& queries, const BatchOptions& options) {
  const QueryOptions each{.engine = options.engine};
  return detail::bits_of_batch(queries, options, [&](const PosedModels& query) {
    return static_cast<bool>(intersects(query.a, query.b, query.b_in_a, each));
  });
}

}  // namespace

void inside::check_queries(std::size_t model_count, std::span<const BatchQuery> queries) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint32_t larger = std::max(queries[i].a, queries[i].b);
    if (larger < model_count) continue;
    throw Error("query " + std::to_string(i) + " names model " + std::to_string(larger) +
                ", but there are " + std::to_string(model_count));
  }
}

BatchResult collide_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                          const BatchOptions& options) {
  return collide_all(TwoModels(a, b, b_in_a), options);
}

BatchResult collide_batch(std::span<const Model> models, std::span<const BatchQuery> queries,
                          const BatchOptions& options) {
  return collide_all(ManyModels(models, queries), options);
}

std::vector<std::uint64_t> count_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                                       const BatchOptions& options) {
  return count_all(TwoModels(a, b, b_in_a), options);
}

std::vector<std::uint64_t> count_batch(std::span<const Model> models,
                                       std::span<const BatchQuery> queries,
                                       const BatchOptions& options) {
  return count_all(ManyModels(models, queries), options);
}

std::size_t BatchBits::count() const {
  std::size_t sum = 0;
  for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}

BatchBits intersects_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                           const BatchOptions& options) {
  return intersects_all(TwoModels(a, b, b_in_a), options);
}

BatchBits intersects_batch(std::span<const Model> models, std::span<const BatchQuery> queries,
                           const BatchOptions& options) {
  return intersects_all(ManyModels(models, queries), options);
}

}  // namespace tandem
