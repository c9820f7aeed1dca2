#include "bench/bench_commands.h"

#include <tandem/error.h>

#include <algorithm>
#include <iterator>

#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

CLI::App* add_benchmark(CLI::App& bench, const char* name, const char* description,
                        const char* footer) {
  CLI::App* const app = add_command(bench, name, description);
  set_group(*app, "Benchmarks");
  set_footer(*app, footer);
  return app;
}

void add_turn_options(CLI::App& app, TurnOptions& options, const std::string& timed) {
  add_list(app, "--distances", options.distances, "distances of the centres");
  add_value_with_default(app, "--steps", options.steps, "N", "steps of the turn");
  add_value_with_default(app, "--rounds", options.rounds, "N",
                         "times that " + timed + " is timed; the median counts");
}

int step_count(const TurnOptions& options) {
  return whole_number_in(options.steps, "--steps", 1, 100'000);
}

int round_count(const TurnOptions& options) {
  return whole_number_in(options.rounds, "--rounds", 1, 1000);
}

void add_apart(CLI::App& app, std::string& apart) {
  add_list(app, "--apart", apart,
           "distances at which nothing touches, as multiples of the smallest such; \"\" for none");
}

std::vector<double> apart_list(const std::string& apart) {
  if (apart.empty()) return {};
  std::vector<double> numbers = number_list(apart, "--apart");
  for (const double number : numbers) {
    if (number < 1) throw Error("--apart: " + shortest(number) + " is below 1");
  }
  return numbers;
}

std::string missing_peers_paragraph() {
  const std::vector<PeerPackage> missing = missing_peers();
  if (missing.empty()) return "";
  std::string packages;
  for (const PeerPackage& one : missing) packages.append(" ").append(one.package);
  return wrapped("Not in this build of the program: " + names_of(missing) +
                     ". To compare with them, install their packages (Debian:" + packages +
                     ") and build it again; in Tandem's sources: tools/setup bench && make run",
                 100, "", "") +
         "\n";
}

Json missing_peers_json() {
  Json list = Json::array();
  for (const PeerPackage& missing : missing_peers()) {
    list.push_back({{"peer", missing.name}, {"package", missing.package}});
  }
  return list;
}

std::vector<PeerInfo> find_peers(const std::string& names) {
  for (const std::string& name : split_list(names, "--peers")) {
    for (const PeerPackage& missing : missing_peers()) {
      if (name != missing.name) continue;
      throw Error("--peers: this build of the program has no " + name +
                  "; install its package (Debian: " + std::string(missing.package) +
                  ") and build it again");
    }
  }
  return find_choices(peers(), names, "--peers");
}

std::vector<PeerInfo> find_peers_with_tandem(const std::string& names) {
  std::vector<PeerInfo> chosen = find_peers(names);
  if (chosen.empty() || chosen[0].name != peers()[0].name) {
    chosen.insert(chosen.begin(), peers()[0]);
  }
  return chosen;
}

std::vector<PeerInfo> find_peers_with_first(const std::string& names) {
  std::vector<PeerInfo> chosen = find_peers_with_tandem(names);
  const std::vector<std::string> words = split_list(names, "--peers");
  std::erase_if(chosen, [&](const PeerInfo& info) {
    if (info.has_first) return false;
    if (std::find(words.begin(), words.end(), info.name) != words.end()) {
      throw Error("--peers: " + std::string(info.name) +
                  " cannot stop at the first pair; choose among " + names_of(peers_with_first()));
    }
    return true;
  });
  return chosen;
}

std::vector<PeerInfo> peers_with_first() {
  std::vector<PeerInfo> result;
  std::copy_if(peers().begin(), peers().end(), std::back_inserter(result),
               [](const PeerInfo& info) { return info.has_first; });
  return result;
}

}  // namespace tandem::cli
