// The reproduction of the stackless-tandem paper: setups of two objects (section 9), measurements
// of all traversals in each setup, tables, charts, and findings (section 10).
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

/// How the two objects of a setup stand to each other.
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
  /// Only moves B. B is turned by turning its vertices, so that boxes stay aligned as in the paper.
  Pose b_in_a;
};

/// The paper's tables.
inline constexpr int k_first_table = 2;
inline constexpr int k_last_table = 8;
std::string_view table_title(int table);

/// The setups of a table, always the same ones: random placements from a fixed seed are tried until
/// one is as the setup's name says.
std::vector<Setup> make_setups(int table, Extent extent);

/// A traversal, and its twin with a stack: the one that visits the same pairs of nodes, or the
/// most similar one in the paper.
struct Contender {
  Traversal traversal;
  std::optional<Traversal> twin;
};
std::span<const Contender> contenders();

/// A traversal in a setup.
struct Row {
  Traversal traversal;
  std::optional<Traversal> twin;
  Statistics statistics;
  Timing timing;
  /// Time divided by the twin's: of the means, of the minima, and the median over the rounds.
  double mean_ratio = 1;
  double min_ratio = 1;
  double median_ratio = 1;
};

/// All traversals in a setup; they found the same pairs.
struct Measurement {
  int table;
  std::string setup;
  SetupKind kind;
  std::size_t triangles_a;
  std::size_t triangles_b;
  /// Of the sorted pairs: FNV-1a of their ids.
  std::uint64_t pairs_hash;
  std::vector<Row> rows;

  const Row& row(Traversal traversal) const;
};

/// Throws `tandem::Error` when a traversal finds other pairs than the first.
Measurement measure(const Setup& setup, const TimingOptions& options, const Progress& progress);

/// Sentences: which of the paper's findings held in these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

/// A table of the paper as text; `measurements` are those of its setups.
std::string table_text(int table, std::span<const Measurement> measurements);

Json to_json(const Measurement& measurement, const Row& row);

/// Draws figure 33 and the iterations behind it.
void draw_charts(std::span<const Measurement> measurements, const WriteChart& write);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::stackless_tandem
