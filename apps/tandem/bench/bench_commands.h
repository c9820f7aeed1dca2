// This room has the benchmarks, one subcommand of `tandem bench` each: what they measure, their
// tables and their charts. It uses the public API, text/, options/, measure/, peers/ and render/.
//
// In this file: the subcommands, and the options that several of them have.
#pragma once

#include <string>
#include <vector>

#include "options/command.h"
#include "options/shared_options.h"
#include "peers/peer.h"
#include "text/json.h"

namespace tandem::cli {

Command add_bench_tumble(CLI::App& bench);
Command add_bench_rays(CLI::App& bench);
Command add_bench_peers(CLI::App& bench);
Command add_bench_arm(CLI::App& bench);
Command add_bench_exactness(CLI::App& bench);
Command add_bench_threads(CLI::App& bench);
Command add_bench_scene(CLI::App& bench);
Command add_bench_self(CLI::App& bench);
Command add_bench_motion(CLI::App& bench);
Command add_bench_gpu(CLI::App& bench);
Command add_bench_closest(CLI::App& bench);
Command add_bench_simulate(CLI::App& bench);

/// A subcommand of `tandem bench`.
CLI::App* add_benchmark(CLI::App& bench, const char* name, const char* description,
                        const char* footer);

/// How objects tumble, for benchmarks on the tumble protocol.
struct TurnOptions {
  std::string distances;
  std::string steps = "20";
  std::string rounds = "3";
};

/// --distances, --steps and --rounds. `timed` is what a round repeats, as in "a turn".
void add_turn_options(CLI::App& app, TurnOptions& options, const std::string& timed);

/// The numbers of steps and of rounds. Throw `tandem::Error`.
int step_count(const TurnOptions& options);
int round_count(const TurnOptions& options);

/// --apart: distances at which nothing touches, as multiples of the least such distance.
void add_apart(CLI::App& app, std::string& apart);

/// Its numbers; none for an empty text. Throws `tandem::Error`, also for one below 1.
std::vector<double> apart_list(const std::string& apart);

/// What to tell first where other libraries are compared: which ones this build lacks, and how they
/// get in. Empty when it has all of them.
std::string missing_peers_paragraph();

/// The same for the JSON: an array of peers and packages.
Json missing_peers_json();

/// The libraries that the value of --peers names. Throws `tandem::Error`, for one that this build
/// lacks with the package that it comes in.
std::vector<PeerInfo> find_peers(const std::string& names);

/// The same with Tandem first, named or not: for benchmarks that compare the others with it.
std::vector<PeerInfo> find_peers_with_tandem(const std::string& names);

/// The same without those that cannot stop at the first pair. Throws when one of these is named.
std::vector<PeerInfo> find_peers_with_first(const std::string& names);

/// All that can stop at the first pair.
std::vector<PeerInfo> peers_with_first();

}  // namespace tandem::cli
