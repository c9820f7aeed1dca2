// Batches: many queries in one call, on as many cores as asked for.
//
//   const tandem::BatchResult result = tandem::collide_batch(gripper, part, poses, {.threads = 0});
//   for (std::size_t i = 0; i < poses.size(); ++i) use(result.pairs_of(i));
//
// Every query of a batch has the answer that it would have alone, and no byte of a result depends
// on the number of threads.
#pragma once

#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tandem {

/// One query among many models, which are given by their positions in a span of them.
struct BatchQuery {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Pose b_in_a;
};

struct BatchOptions {
  /// For comparing engines (tandem/engine.h). The default is the fastest one.
  Engine engine = {};
  /// How many threads share the queries; 0 stands for as many as the machine has.
  int threads = 1;
  Progress progress = {};
};

/// The pairs of all queries, one after another.
struct BatchResult {
  /// Query i has the pairs from offsets[i] to offsets[i + 1] - 1. There is one offset more than
  /// queries.
  std::vector<std::uint64_t> offsets;
  /// Those of each query sorted by triangle of A, then triangle of B.
  std::vector<TrianglePair> pairs;

  std::size_t query_count() const { return offsets.size() - 1; }
  std::uint64_t count(std::size_t query) const { return offsets[query + 1] - offsets[query]; }
  std::span<const TrianglePair> pairs_of(std::size_t query) const {
    return std::span(pairs).subspan(offsets[query], count(query));
  }
};

/// All pairs of the same two models under many poses of B in A's frame. Throws what `collide`
/// throws, and `tandem::Error` for a negative number of threads.
TANDEM_API BatchResult collide_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                                     const BatchOptions& options = {});
/// The same for many pairs of models. Throws `tandem::Error` for a query that names a model that is
/// not there.
TANDEM_API BatchResult collide_batch(std::span<const Model> models,
                                     std::span<const BatchQuery> queries,
                                     const BatchOptions& options = {});

/// The number of pairs of each query.
TANDEM_API std::vector<std::uint64_t> count_batch(const Model& a, const Model& b,
                                                  std::span<const Pose> b_in_a,
                                                  const BatchOptions& options = {});
TANDEM_API std::vector<std::uint64_t> count_batch(std::span<const Model> models,
                                                  std::span<const BatchQuery> queries,
                                                  const BatchOptions& options = {});

/// One bit per query.
class BatchBits {
 public:
  explicit BatchBits(std::size_t size) : words_((size + 63) / 64), size_(size) {}

  std::size_t size() const { return size_; }
  bool operator[](std::size_t query) const { return (words_[query / 64] >> query % 64 & 1) != 0; }
  void set(std::size_t query) { words_[query / 64] |= std::uint64_t{1} << query % 64; }
  /// How many bits are set.
  TANDEM_API std::size_t count() const;
  /// Query i is bit i % 64 of word i / 64; the bits behind the last query are 0.
  std::span<const std::uint64_t> words() const { return words_; }

  friend bool operator==(const BatchBits&, const BatchBits&) = default;

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

/// Which queries have a pair.
TANDEM_API BatchBits intersects_batch(const Model& a, const Model& b, std::span<const Pose> b_in_a,
                                      const BatchOptions& options = {});
TANDEM_API BatchBits intersects_batch(std::span<const Model> models,
                                      std::span<const BatchQuery> queries,
                                      const BatchOptions& options = {});

}  // namespace tandem
