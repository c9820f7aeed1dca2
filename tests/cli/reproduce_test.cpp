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

const Json& row_of(const Rows& rows, const std::string& algorithm) {
  for (const Json& row : rows) {
    if (row["algorithm"] == algorithm) return row;
  }
  throw std::runtime_error("no row of " + algorithm);
}

// The paper's five, and ours.
const std::vector<std::string> k_contenders = {
    "dynamic-stack", "alternating-stack", "stackless", "stackless-post", "leaf",
    "trail",         "scheduled",         "recursive"};

// Every element that is opened is closed, in order, and all numbers are numbers.
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
  for (const std::string& algorithm : k_contenders) {
    const Json& row = row_of(rows, algorithm);
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

void expect_as_called(const Rows& rows) {
  const Json& dynamic = row_of(rows, "dynamic-stack");
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
    expect_as_called(rows);
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

  // Findings, and figures with all algorithms in the legend
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

TEST_F(ReproduceTest, CollideBuildsAsAsked) {
  const Json list = json_output({"list", "--json"});
  ASSERT_EQ(list["builders"].size(), builders().size());
  const std::vector<std::string> query = {"collide",   "shape:knot", "shape:knot:3000", "--pose-b",
                                          "0.5,0.2,0", "--json",     "--statistics"};
  std::set<std::uint64_t> pair_counts;
  std::set<std::uint64_t> iterations;
  for (const BuilderInfo& builder : builders()) {
    if (!works_with(builder.builder, Volume::aabb)) {
      std::vector<std::string> arguments = query;
      arguments.insert(arguments.end(), {"--builder", std::string(builder.name)});
      pair_counts.insert(json_output(arguments)["pair_count"].get<std::uint64_t>());
      continue;
    }
    for (const char* arity : {"2", "4", "16"}) {
      std::vector<std::string> arguments = query;
      arguments.insert(arguments.end(), {"--builder", std::string(builder.name), "--arity", arity});
      const Json report = json_output(arguments);
      pair_counts.insert(report["pair_count"].get<std::uint64_t>());
      iterations.insert(report["statistics"]["iterations"].get<std::uint64_t>());
    }
  }
  EXPECT_EQ(pair_counts.size(), 1u);
  // All but automatic, which is one of them, and those of wide.
  EXPECT_EQ(iterations.size(), 3 * (builders().size() - 3));

  for (const char* arity : {"1", "17", "0", "x", "-2", "4294967298", ""}) {
    expect_error({"collide", "shape:box", "shape:box", "--arity", arity}, {"--arity"});
  }
  expect_error({"collide", "shape:box", "shape:box", "--builder", "slow"},
               {"--builder", "'slow'", "median"});
  // What is for one volume alone.
  expect_error({"collide", "shape:box", "shape:box", "--builder", "fast", "--volume", "obb"},
               {"--builder", "fast"});
  expect_error({"collide", "shape:box", "shape:box", "--algorithm", "trail", "--volume", "wide"},
               {"--algorithm", "wide"});
}

}  // namespace
}  // namespace tandem::test
