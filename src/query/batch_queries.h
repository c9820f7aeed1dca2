// The queries of a batch, and how threads share them.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "parallel/lock.h"
#include "parallel/parallel_for.h"
#include "query/device_source.h"

namespace tandem::detail {

/// A query of a batch.
struct PosedModels {
  const Model& a;
  const Model& b;
  const Pose& b_in_a;
};

/// Two models under many poses.
class TwoModels {
 public:
  TwoModels(const Model& a, const Model& b, std::span<const Pose> poses)
      : a_(a), b_(b), poses_(poses) {}
  std::size_t size() const { return poses_.size(); }
  PosedModels operator[](std::size_t i) const { return {a_, b_, poses_[i]}; }

 private:
  const Model& a_;
  const Model& b_;
  std::span<const Pose> poses_;
};

/// Many models, each query with two of them.
class ManyModels {
 public:
  ManyModels(std::span<const Model> models, std::span<const BatchQuery> queries)
      : models_(models), queries_(queries) {
    inside::check_queries(models.size(), queries);
  }
  std::size_t size() const { return queries_.size(); }
  PosedModels operator[](std::size_t i) const {
    const BatchQuery& query = queries_[i];
    return {models_[query.a], models_[query.b], query.b_in_a};
  }

 private:
  std::span<const Model> models_;
  std::span<const BatchQuery> queries_;
};

/// How many queries a thread takes at a time: few of a small batch, whose queries may be long, and
/// more of a large one, whose queries may be short.
inline std::size_t piece_size(std::size_t query_count) {
  return std::clamp<std::size_t>(query_count / 1024, 1, 64);
}

/// Calls `work(begin, end)` for pieces of the queries, on all threads, and tells the calling thread
/// how far they are. Pieces are begun in their order.
template <class Work>
void for_each_piece(std::size_t query_count, int threads, const Progress& progress,
                    const Work& work) {
  const CallingThread caller;
  const std::size_t piece = piece_size(query_count);
  std::atomic<std::size_t> begun = 0;
  std::atomic<std::size_t> done = 0;
  parallel_for(query_count, piece, threads, [&](std::size_t, std::size_t) {
    const std::size_t begin = piece * begun.fetch_add(1);
    const std::size_t size = std::min(piece, query_count - begin);
    work(begin, begin + size);
    const std::size_t so_far = done.fetch_add(size) + size;
    if (progress && caller.is_here()) {
      progress(static_cast<double>(so_far) / static_cast<double>(query_count));
    }
  });
  if (progress) progress(1);
}

/// The answers of all queries, one bit each.
template <class Queries, class Answer>
BatchBits bits_of_batch(const Queries& queries, const BatchOptions& options, const Answer& answer) {
  // Bytes first: threads may write different ones at once, unlike bits.
  std::vector<unsigned char> answers(queries.size());
  for_each_piece(queries.size(), options.threads, options.progress,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i)
                     answers[i] = answer(queries[i]) ? 1 : 0;
                 });
  BatchBits bits(queries.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] != 0) bits.set(i);
  }
  return bits;
}

}  // namespace tandem::detail
