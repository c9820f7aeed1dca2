// The reproduction of the stackless-tandem paper, in four parts: setups in which two objects meet
// (section 9), measurements of all algorithms in each, findings (section 10), and their output.
#pragma once

#include <tandem/tandem.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timing.h"
#include "papers/paper.h"

namespace tandem::cli::stackless_tandem {

/// What a setup is called for; `check` says what that means.
enum class SetupKind {
  intersection,
  separation,
  close_proximity,
  small_proximity,
  different_sizes
};

struct Setup {
  int table;
  std::string name;
  SetupKind kind;
  Model a;
  Model b;
  /// A translation: B is turned by turning its vertices, so that boxes stay aligned as in the paper.
  Pose b_in_a;
};

/// The paper's tables.
inline constexpr int k_first_table = 2;
inline constexpr int k_last_table = 8;
std::string_view table_title(int table);

/// The setups of a table, always the same ones: placements are drawn from fixed seeds until one is
/// what the name says.
std::vector<Setup> make_setups(int table, Extent extent);

/// An algorithm and the one that takes up the same pairs, or the paper's next of kin, with a stack.
struct Contender {
  Algorithm algorithm;
  std::optional<Algorithm> twin;
};
std::span<const Contender> contenders();
std::string_view name_of(Algorithm algorithm);

/// An algorithm in a setup.
struct Row {
  Algorithm algorithm;
  std::optional<Algorithm> twin;
  Statistics statistics;
  Timing timing;
  /// Time over the twin's: of the means, of the minima, and the median over the rounds.
  double mean_ratio = 1;
  double min_ratio = 1;
  double median_ratio = 1;
};

/// All algorithms in a setup; they found the same pairs.
struct Measurement {
  int table;
  std::string setup;
  SetupKind kind;
  std::size_t triangles_a;
  std::size_t triangles_b;
  /// Of the sorted pairs: FNV-1a of their ids.
  std::uint64_t pairs_hash;
  std::vector<Row> rows;

  const Row& row(Algorithm algorithm) const;
};

/// Throws `tandem::Error` when an algorithm finds other pairs than the first.
Measurement measure(const Setup& setup, const TimingOptions& options, const Progress& progress);

/// Sentences: which of the paper's findings held in these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

/// A table of the paper as text; `measurements` are those of its setups.
std::string table_text(int table, std::span<const Measurement> measurements);

/// Draws figure 33 and the iterations behind it; returns the files written.
std::vector<std::string> write_charts(const std::string& folder,
                                      std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::stackless_tandem
