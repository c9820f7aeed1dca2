// tandem reproduce: the rows, figures and findings of a paper, from a quick run.
#include <tandem/tandem.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "program.h"

namespace tandem::test {

namespace {

class ReproduceTest : public ProgramTest {};

using Rows = std::vector<Json>;

const Json& row_of(const Rows& rows, const std::string& traversal) {
  for (const Json& row : rows) {
    if (row["traversal"] == traversal) return row;
  }
  throw std::runtime_error("no row of " + traversal);
}

// The paper's five traversals, and Tandem's.
const std::vector<std::string> k_contenders = {
    "dynamic-stack", "alternating-stack", "stackless", "stackless-post", "leaf",
    "trail",         "scheduled",         "recursive"};

// Every element that is opened is closed, in the right order, and no number is NaN or infinite.
void expect_well_formed(const std::string& svg) {
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 80);
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != svg.npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, svg.npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty()) << tag;
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_EQ(svg.find("inf"), svg.npos);
}

void expect_all_keys(const Json& row) {
  for (const char* key :
       {"iterations", "overlaps", "leaf_overlaps", "triangle_overlaps", "triangles_a",
        "triangles_b", "rounds", "repetitions", "min_s", "max_s", "mean_s", "stddev_s"}) {
    EXPECT_TRUE(row.at(key).is_number()) << row;
  }
  EXPECT_GT(row["min_s"], 0) << row;
  EXPECT_LE(row["min_s"], row["max_s"]) << row;
  EXPECT_EQ(row["rounds"], 5) << row;
}

void expect_same_results(const Rows& rows) {
  EXPECT_EQ(rows.size(), k_contenders.size());
  for (const std::string& traversal : k_contenders) {
    const Json& row = row_of(rows, traversal);
    for (const char* key : {"triangle_overlaps", "leaf_overlaps", "pairs_hash"}) {
      EXPECT_EQ(row[key], rows[0][key]) << row;
    }
  }
}

void expect_twins_take_the_same_steps(const Rows& rows) {
  const std::map<std::string, std::string> twins = {{"stackless", "alternating-stack"},
                                                    {"stackless-post", "alternating-stack"},
                                                    {"trail", "dynamic-stack"},
                                                    {"recursive", "dynamic-stack"}};
  for (const auto& [name, twin_name] : twins) {
    const Json& row = row_of(rows, name);
    const Json& twin = row_of(rows, twin_name);
    EXPECT_EQ(row["twin"], twin_name);
    EXPECT_EQ(row["iterations"], twin["iterations"]) << name;
    EXPECT_EQ(row["overlaps"], twin["overlaps"]) << name;
    const double ratio = row["mean_s"].get<double>() / twin["mean_s"].get<double>();
    EXPECT_NEAR(row["ratio_to_twin"].get<double>(), ratio, 1e-9 * ratio) << name;
  }
  EXPECT_EQ(row_of(rows, "scheduled")["twin"], "alternating-stack");
  EXPECT_TRUE(row_of(rows, "leaf")["ratio_to_twin"].is_null());
}

// The setups of each table are what its title says.
void expect_setup_as_named(const Rows& rows) {
  const Json dynamic = row_of(rows, "dynamic-stack");
  const std::uint64_t touching = dynamic["triangle_overlaps"];
  const std::uint64_t overlaps = dynamic["overlaps"];
  switch (dynamic["table"].get<int>()) {
    case 3:
      EXPECT_EQ(dynamic["iterations"], 1);
      EXPECT_EQ(overlaps, 0u);
      break;
    case 4:
      EXPECT_EQ(touching, 0u);
      EXPECT_GE(overlaps, 900u);
      break;
    case 5:
      EXPECT_EQ(touching, 0u);
      EXPECT_GE(overlaps, 50u);
      EXPECT_LE(overlaps, 700u);
      break;
    case 7:
      EXPECT_EQ(touching, 0u);
      EXPECT_GT(overlaps, 0u);
      break;
    default:
      EXPECT_GT(touching, 0u);
  }
}

TEST_F(ReproduceTest, WithoutANameListsThePapers) {
  const std::string text = output({"reproduce"});
  const Json list = json_output({"list", "--json"});
  ASSERT_FALSE(list["papers"].empty());
  for (const Json& paper : list["papers"]) {
    const std::string name = paper["name"];
    EXPECT_NE(text.find("\n  " + name + " "), text.npos) << text;
    EXPECT_NE(output({"list"}).find("\n  " + name + " "), text.npos) << text;
  }
}

/// The contenders of a run are checked against each other while it runs: a difference is an error.
TEST_F(ReproduceTest, GpuBlockedTandemShowsTheSameFramesToAllContenders) {
  const Json report = json_output(
      {"reproduce", "gpu-blocked-tandem", "--quick", "--meshes", "shape:knot:300", "--json", "-"});
  EXPECT_EQ(report["paper"], "gpu-blocked-tandem");
  std::map<std::string, std::set<std::string>> contenders;
  std::map<std::string, std::set<std::string>> hashes;
  std::map<std::string, double> ratio;
  for (const Json& row : report["rows"]) {
    const std::string scene = row["scene"];
    const std::string setup = scene + " " + row["triangles"].dump();
    EXPECT_EQ(row["objects"], 27) << row;
    EXPECT_GT(row["find_ms"], 0) << row;
    EXPECT_GT(row["points"], 0) << row;
    EXPECT_TRUE(contenders[setup].insert(row["contender"]).second) << row;
    hashes[setup].insert(row["hash"]);
    ratio[scene] = std::max(ratio[scene], row["contact_ratio"].get<double>());
    EXPECT_EQ(row.contains("missed"), row["contender"] == "fcl") << row;
  }
  ASSERT_EQ(contenders.size(), 6u) << report["rows"];
  for (const auto& [setup, names] : contenders) {
    for (const char* name : {"engine", "aabb", "obb"}) EXPECT_TRUE(names.contains(name)) << setup;
    EXPECT_EQ(hashes[setup].size(), 1u) << setup;
  }
  EXPECT_TRUE(contenders.contains("stack 12") && contenders.contains("stack 48"));
  // Boxes that are flush have the most in common.
  EXPECT_GT(ratio["stack"], 1);
  EXPECT_GT(ratio["pile"], 0);
  EXPECT_LT(ratio["pile"], 1);
  EXPECT_LT(ratio["rockslide"], 1);
  EXPECT_GE(report["findings"].size(), 5u);

  output({"reproduce", "gpu-blocked-tandem", "--quick", "--plot", "figures"});
  for (const std::string scene : {"stack", "pile", "rockslide"}) {
    for (const std::string over : {"objects", "triangles"}) {
      expect_well_formed(read("figures/gpu-blocked-tandem-" + scene + "-" + over + ".svg"));
    }
  }
  expect_error({"reproduce", "gpu-blocked-tandem", "--quick", "--meshes", "none.ply"},
               {"none.ply"});
}

TEST_F(ReproduceTest, BadOptionsAreRefusedBeforeAnythingIsMeasured) {
  expect_error({"reproduce", "no-such-paper"}, {"'no-such-paper'", "stackless-tandem"});
  expect_error({"reproduce", "stackless-tandem", "--json", "no/such/folder/rows.json"},
               {"--json", "no/such/folder"});
  expect_error({"reproduce", "stackless-tandem", "--json", "."}, {"--json"});
  expect_error({"reproduce", "stackless-tandem", "--json", ""}, {"--json"});
  expect_error({"reproduce", "stackless-tandem", "--json", "no/rows.json", "--plot", "figures"},
               {"--json"});
  expect_error({"reproduce", "stackless-tandem", "--plot", ""}, {"--plot"});
  expect_error({"reproduce", "--quick"}, {"needs the name of a paper"});
  write("file", "");
  expect_error({"reproduce", "stackless-tandem", "--plot", "file"}, {"--plot", "'file'"});
  expect_error({"reproduce", "stackless-tandem", "--plot", "file/x"}, {"--plot", "'file/x'"});
}

TEST_F(ReproduceTest, StacklessTandem) {
  const std::string text =
      output({"reproduce", "stackless-tandem", "--quick", "--json", "rows.json", "--plot", "figs"});
  const Json report = Json::parse(read("rows.json"));
  std::map<std::string, Rows> setups;
  std::map<int, std::set<std::string>> setups_of_table;
  for (const Json& row : report["rows"]) {
    expect_all_keys(row);
    setups[row["setup"]].push_back(row);
    setups_of_table[row["table"]].insert(row["setup"]);
  }

  // Three setups of each kind; subdivisions 0 to 2; both orders
  const std::map<int, std::size_t> setup_counts = {{2, 3}, {3, 3}, {4, 3}, {5, 3},
                                                   {6, 3}, {7, 1}, {8, 2}};
  ASSERT_EQ(setups_of_table.size(), setup_counts.size());
  for (const auto& [table, count] : setup_counts) {
    EXPECT_EQ(setups_of_table[table].size(), count) << table;
    EXPECT_NE(text.find("\nTable " + std::to_string(table) + ". "), text.npos) << text;
  }
  for (const auto& [setup, rows] : setups) {
    SCOPED_TRACE(setup);
    EXPECT_NE(text.find("\n" + setup + ": "), text.npos) << text;
    expect_same_results(rows);
    expect_twins_take_the_same_steps(rows);
    expect_setup_as_named(rows);
  }
  const auto triangles = [&](const std::string& setup) {
    const Json& row = setups.at(setup).front();
    return std::pair(row["triangles_a"].get<int>(), row["triangles_b"].get<int>());
  };
  EXPECT_EQ(triangles("intersection 1"), std::pair(800, 800));
  EXPECT_EQ(triangles("subdivision 1"), std::pair(3200, 3200));
  EXPECT_EQ(triangles("subdivision 2"), std::pair(12800, 12800));
  EXPECT_EQ(triangles("largest first"), std::pair(12800, 800));
  EXPECT_EQ(triangles("smallest first"), std::pair(800, 12800));

  // Findings, and figures with all traversals in the legend
  EXPECT_GE(report["findings"].size(), 5u);
  EXPECT_NE(text.find("\n- Held "), text.npos) << text;
  for (const std::string figure : {"figure-33", "ratios", "iterations"}) {
    SCOPED_TRACE(figure);
    const std::string svg = read("figs/stackless-tandem-" + figure + ".svg");
    expect_well_formed(svg);
    for (const std::string& name : k_contenders) EXPECT_NE(svg.find(name), svg.npos) << name;
    EXPECT_NE(svg.find(">12,800</text>"), svg.npos);
  }
}

TEST_F(ReproduceTest, JsonMayGoToStandardOutput) {
  const Json report = json_output({"reproduce", "stackless-tandem", "--quick", "--json", "-"});
  EXPECT_FALSE(report["rows"].empty());
  EXPECT_TRUE(snapshot().empty());
}

// The rows of a table, a figure or a comparison.
Rows rows_of(const Json& report, const std::string& kind, const Json& name) {
  Rows rows;
  for (const Json& row : report["rows"]) {
    if (row.contains(kind) && row[kind] == name) rows.push_back(row);
  }
  return rows;
}

// Queries of the same object at the same distance found the same pairs.
void expect_same_pairs(const Json& report) {
  std::map<std::pair<std::string, double>, std::string> hashes;
  for (const Json& row : report["rows"]) {
    if (!row.contains("hash")) continue;
    const auto query = std::pair(row["mesh"].get<std::string>() + row["triangles"].dump(),
                                 row["distance"].get<double>());
    const std::string hash = row["hash"];
    EXPECT_EQ(hashes.emplace(query, hash).first->second, hash) << row;
    EXPECT_GT(row["time_us"], 0) << row;
    EXPECT_GT(row["iterations"], 0) << row;
  }
  EXPECT_FALSE(hashes.empty());
}

TEST_F(ReproduceTest, RestrictedBoxtree) {
  const std::string text = output(
      {"reproduce", "restricted-boxtree", "--quick", "--json", "rows.json", "--plot", "figs"});
  const Json report = Json::parse(read("rows.json"));
  expect_same_pairs(report);

  // Table 1: at most the paper's bytes and operations for boxtrees
  const std::map<std::string, long> most_operations = {
      {"axis alignment", 12}, {"lookup tables", 12}, {"SAT lite", 24}, {"separating axes", 82}};
  std::size_t boxtree_count = 0;
  for (const Json& row : rows_of(report, "table", 1)) {
    const long operations = row.at("operations");
    EXPECT_EQ(row["operations_node_a"].get<long>() + row["operations_node_b"].get<long>() +
                  row["operations_pair"].get<long>(),
              operations)
        << row;
    EXPECT_LE(row.at("operations_one_level_up"), operations) << row;
    if (row.at("structure") != "restricted boxtree") continue;
    ++boxtree_count;
    EXPECT_LT(row["operations_one_level_up"], operations) << row;
    EXPECT_GT(row["operations_one_level_up"], row["operations_pair"]) << row;
    EXPECT_LE(row.at("bytes_per_node"), 9) << row;
    EXPECT_LE(operations, most_operations.at(row.at("test"))) << row;
  }
  EXPECT_EQ(boxtree_count, most_operations.size());
  EXPECT_EQ(rows_of(report, "table", 1).size(), 9u);

  // Figure 1: a distribution for three objects and three builders
  const Rows empty_spaces = rows_of(report, "figure", 1);
  EXPECT_EQ(empty_spaces.size(), 9u);
  for (const Json& row : empty_spaces) {
    double last = 0;
    for (const Json& point : row["nodes_within"]) {
      EXPECT_GE(point["nodes"].get<double>(), last) << row;
      last = point["nodes"];
    }
    EXPECT_EQ(last, 1) << row;
  }

  // Figure 6: two builders on four objects of three sizes; figures 8 and 9: four tests on two
  // objects at two distances; figure 10: six variants of four objects in two sizes
  EXPECT_EQ(rows_of(report, "figure", 6).size(), 24u);
  EXPECT_EQ(rows_of(report, "figure", 8).size(), 4u);
  EXPECT_EQ(rows_of(report, "figure", 9).size(), 16u);
  EXPECT_EQ(rows_of(report, "figure", 10).size(), 48u);

  // Beyond the paper: what does not depend on times
  std::map<std::string, double> layout_bytes;
  std::map<std::string, std::uint64_t> layout_iterations;
  for (const Json& row : rows_of(report, "comparison", "layouts")) {
    layout_bytes[row["variant"]] = row["bytes_per_triangle"];
    layout_iterations[row["variant"]] += row["iterations"].get<std::uint64_t>();
  }
  EXPECT_LE(layout_bytes.at("boxtree, 9 bytes per node"), 18);
  EXPECT_LE(layout_bytes.at("packed, 8 triangles per leaf"), 8);
  EXPECT_LT(layout_iterations.at("two planes, trimmed"), layout_iterations.at("two planes"));
  for (const char* comparison : {"planes", "arities", "builders of boxtree", "builders of aabb",
                                 "builders of obb", "builders of dop24"}) {
    EXPECT_FALSE(rows_of(report, "comparison", comparison).empty()) << comparison;
  }

  EXPECT_GE(report["findings"].size(), 8u);
  for (const std::string finding : {"Table 1", "Figure 1", "Figure 6", "Figure 9", "Figure 10"}) {
    EXPECT_NE(text.find("\n- " + finding), text.npos) << text;
  }
  for (const std::string figure : {"1", "6", "8", "9-shape-knot-1000", "9-shape-rock-1000",
                                   "10-knot", "10-rock", "10-torus", "10-sphere"}) {
    SCOPED_TRACE(figure);
    expect_well_formed(read("figs/restricted-boxtree-figure-" + figure + ".svg"));
  }
}

TEST_F(ReproduceTest, RestrictedBoxtreeOfGivenMeshes) {
  write("prism.obj",
        "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 0 1 1\n"
        "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n");
  const Json report = json_output({"reproduce", "restricted-boxtree", "--quick", "--meshes",
                                   "prism.obj,shape:torus:300", "--json", "-"});
  expect_same_pairs(report);
  // As it is, and subdivided
  std::map<std::string, std::set<std::uint64_t>> sizes;
  for (const Json& row : rows_of(report, "figure", 10)) {
    const std::string mesh = row["mesh"];
    sizes[mesh.substr(0, mesh.rfind(':'))].insert(row["triangles"].get<std::uint64_t>());
  }
  EXPECT_EQ(sizes.at("prism.obj"), (std::set<std::uint64_t>{8, 32, 128, 512}));
  EXPECT_EQ(sizes.at("shape:torus").size(), 2u);
  EXPECT_EQ(sizes.at("shape:sphere").size(), 2u);
  EXPECT_EQ(rows_of(report, "figure", 1).size(), 6u);

  write("triangle.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 3 2\n");
  expect_error({"reproduce", "restricted-boxtree", "--quick", "--meshes", "triangle.obj"},
               {"--meshes", "'triangle.obj'", "single triangle"});
}

TEST_F(ReproduceTest, CollideBuildsAsAsked) {
  const Json list = json_output({"list", "--json"});
  ASSERT_EQ(list["builders"].size(), Builder::all().size());
  const std::vector<std::string> query = {"collide",   "shape:knot", "shape:knot:3000", "--pose-b",
                                          "0.5,0.2,0", "--json",     "--statistics"};
  std::set<std::uint64_t> pair_counts;
  std::set<std::uint64_t> iterations;
  std::size_t binary_count = 0;
  for (const Builder builder : Builder::all()) {
    if (!builds(builder, "aabb")) {
      std::vector<std::string> arguments = query;
      arguments.insert(arguments.end(), {"--builder", std::string(builder.name())});
      pair_counts.insert(json_output(arguments)["pair_count"].get<std::uint64_t>());
      continue;
    }
    ++binary_count;
    for (const char* arity : {"2", "4", "16"}) {
      std::vector<std::string> arguments = query;
      arguments.insert(arguments.end(),
                       {"--builder", std::string(builder.name()), "--arity", arity});
      const Json report = json_output(arguments);
      pair_counts.insert(report["pair_count"].get<std::uint64_t>());
      iterations.insert(report["statistics"]["iterations"].get<std::uint64_t>());
    }
  }
  EXPECT_EQ(pair_counts.size(), 1u);
  EXPECT_EQ(iterations.size(), 3 * binary_count);

  for (const char* arity : {"1", "17", "0", "x", "-2", "4294967298", ""}) {
    expect_error({"collide", "shape:box", "shape:box", "--arity", arity}, {"--arity"});
  }
  expect_error({"collide", "shape:box", "shape:box", "--builder", "slow"},
               {"--builder", "'slow'", "median"});
  // What works with one structure only.
  expect_error({"collide", "shape:box", "shape:box", "--builder", "fast", "--structure", "obb"},
               {"the builder fast does not make the structure obb"});
  expect_error({"collide", "shape:box", "shape:box", "--traversal", "trail", "--structure", "wide"},
               {"the structure wide does not have the traversal trail", "aabb", "blocks"});
}

}  // namespace
}  // namespace tandem::test
