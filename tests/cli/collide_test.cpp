// tandem collide: answers, files and exit status.
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

const std::vector<std::string> k_knots = {"collide", "shape:knot:1500", "shape:knot:1200",
                                          "--pose-b", "0.4 0.2 0.1 axis 1 2 3 angle 40"};

std::vector<std::string> knots(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = k_knots;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Pairs parse_pairs(const std::string& text) {
  std::istringstream lines(text);
  Pairs pairs;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::string rest;
    EXPECT_TRUE(words >> a >> b) << line;
    EXPECT_FALSE(words >> rest) << line;
    pairs.emplace_back(a, b);
  }
  return pairs;
}

int element_count(const std::string& obj) {
  std::istringstream lines(obj);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with("p ") || line.starts_with("l ") || line.starts_with("f ");
  }
  return count;
}

// The distance of a point to a triangle: to its plane when the nearest point of the plane is
// inside, to its edges otherwise.
double distance(const Vec3d& point, const Triangle& triangle) {
  double nearest = 1e300;
  const Vec3d normal =
      cross(triangle.corner[1] - triangle.corner[0], triangle.corner[2] - triangle.corner[0]);
  bool inside = length_sq(normal) > 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3d from = triangle.corner[i];
    const Vec3d edge = triangle.corner[(i + 1) % 3] - from;
    const double edge_sq = length_sq(edge);
    const double along = edge_sq > 0 ? std::clamp(dot(point - from, edge) / edge_sq, 0.0, 1.0) : 0;
    nearest = std::min(nearest, length(point - (from + along * edge)));
    inside = inside && dot(cross(edge, point - from), normal) >= 0;
  }
  if (inside) {
    nearest = std::min(nearest, std::abs(dot(point - triangle.corner[0], normal)) / length(normal));
  }
  return nearest;
}

Triangle moved(const TriangleF& triangle, const Pose& pose) {
  Triangle result;
  for (int i = 0; i < 3; ++i) {
    result.corner[i] = transform_point(pose, Vec3d(triangle.corner[i]));
  }
  return result;
}

class CollideTest : public ProgramTest {};

TEST_F(CollideTest, ReportsPairsAndTimes) {
  const std::string report = output(k_knots);
  const Pairs pairs = parse_pairs(output(knots({"--pairs", "-"})));
  ASSERT_GT(pairs.size(), 5u);
  EXPECT_NE(report.find("touching pairs, found in "), std::string::npos) << report;
  EXPECT_NE(report.find("shape:knot:1500"), std::string::npos) << report;
  EXPECT_NE(report.find(std::to_string(pairs[0].first)), std::string::npos) << report;
  EXPECT_NE(report.find("more; --pairs FILE writes them all"), std::string::npos) << report;
}

TEST_F(CollideTest, PairsAreSortedAndEqualForEveryTraversal) {
  const Pairs expected = parse_pairs(output(knots({"--pairs", "-", "--traversal", "brute-force"})));
  ASSERT_FALSE(expected.empty());
  EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end()));
  EXPECT_EQ(std::adjacent_find(expected.begin(), expected.end()), expected.end());
  EXPECT_EQ(parse_pairs(output(knots({"--pairs", "-"}))), expected);
  const Json list = json_output({"list", "--json"});
  for (const Json& traversal : list["traversals"]) {
    const std::string name = traversal["name"];
    EXPECT_EQ(parse_pairs(output(knots({"--pairs", "-", "--traversal", name}))), expected) << name;
  }
}

TEST_F(CollideTest, PairsGoToTextAndJsonFiles) {
  const Pairs expected = parse_pairs(output(knots({"--pairs", "-"})));
  EXPECT_NE(output(knots({"--pairs", "pairs.txt"})).find("wrote pairs.txt"), std::string::npos);
  EXPECT_EQ(parse_pairs(read("pairs.txt")), expected);
  for (const char* name : {"pairs.json", "PAIRS.JSON"}) {
    output(knots({"--pairs", name}));
    EXPECT_EQ(Json::parse(read(name))["pairs"].get<Pairs>(), expected);
  }
  EXPECT_EQ(snapshot().size(), 3u);
}

TEST_F(CollideTest, NoPairsMakeEmptyFiles) {
  const std::vector<std::string> apart = {"collide", "shape:box", "shape:box", "--pose-b", "9,0,0"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), apart.begin(), apart.end());
    return more;
  };
  EXPECT_NE(output(apart).find("no triangles touch"), std::string::npos);
  output(with({"--pairs", "pairs.txt"}));
  EXPECT_EQ(read("pairs.txt"), "");
  output(with({"--pairs", "pairs.json"}));
  EXPECT_EQ(Json::parse(read("pairs.json")), Json::parse(R"({"pairs": []})"));
  EXPECT_EQ(output(with({"--pairs", "-"})), "");
  const Json first = json_output(with({"--first", "--json"}));
  EXPECT_EQ(first["touching"], false);
  EXPECT_TRUE(first["first_pair"].is_null());
}

TEST_F(CollideTest, JsonAgreesWithPairs) {
  const Pairs pairs = parse_pairs(output(knots({"--pairs", "-"})));
  for (const std::vector<std::string>& mode : {std::vector<std::string>{"--json"},
                                               {"--json", "--count"},
                                               {"--json", "--pairs", "p.txt"}}) {
    const Json report = json_output(knots(mode));
    EXPECT_EQ(report["touching"], true);
    EXPECT_EQ(report["pair_count"], pairs.size());
    EXPECT_EQ(report["a"]["source"], "shape:knot:1500");
    EXPECT_GT(report["b"]["triangles"], 1000);
    for (const char* key : {"read_ms", "build_ms", "time_ms"}) EXPECT_GE(report[key], 0) << key;
    EXPECT_FALSE(report.contains("statistics"));
    EXPECT_FALSE(report.contains("first_pair"));
  }
  const Json first = json_output(knots({"--json", "--first"}));
  EXPECT_EQ(first["touching"], true);
  EXPECT_FALSE(first.contains("pair_count"));
  const std::pair<std::uint32_t, std::uint32_t> pair = first["first_pair"];
  EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), pair));
}

TEST_F(CollideTest, StatisticsAreTheCounters) {
  const Json report = json_output(knots({"--json", "--statistics"}));
  EXPECT_EQ(report["statistics"]["triangle_overlaps"], report["pair_count"]);
  EXPECT_GE(report["statistics"]["triangle_tests"], report["pair_count"]);
  const std::string text = output(knots({"--statistics", "--count"}));
  for (const auto& counter : report["statistics"].items()) {
    std::string title = counter.key();
    std::replace(title.begin(), title.end(), '_', ' ');
    EXPECT_NE(text.find("\n" + title), std::string::npos) << title;
  }
}

TEST_F(CollideTest, ExitCodeSaysWhetherTheyTouch) {
  const std::vector<std::string> apart = {"collide",  "shape:box", "shape:box",
                                          "--pose-b", "9,0,0",     "--exit-code"};
  EXPECT_EQ(tandem(apart).status, 0);
  EXPECT_EQ(tandem(k_knots).status, 0);
  for (const char* mode : {"--first", "--count", "--json"}) {
    EXPECT_EQ(tandem(knots({"--exit-code", mode})).status, 1) << mode;
  }
  EXPECT_EQ(tandem(knots({"--exit-code", "--pairs", "-"})).status, 1);
}

TEST_F(CollideTest, SegmentsLieOnBothTriangles) {
  const std::string pose_a = "10 20 30 axis 1 1 0 angle 75";
  const std::string pose_b = "10.4 20.2 30.1 quat 0.9 0.1 0.2 0.3";
  output({"collide", "shape:knot:1500", "shape:rock:500:3", "--pose-a", pose_a, "--pose-b", pose_b,
          "--pairs", "pairs.txt", "--segments", "curve.obj"});
  const Pairs pairs = parse_pairs(read("pairs.txt"));
  ASSERT_FALSE(pairs.empty());
  const Mesh a = make_shape("knot", 1500);
  const Mesh b = make_shape("rock", 500, 3);
  const Pose a_in_world =
      Pose::from_axis_angle({1, 1, 0}, std::acos(-1.0) * 75 / 180, {10, 20, 30});
  const Pose b_in_world = Pose::from_quaternion(0.9, 0.1, 0.2, 0.3, {10.4, 20.2, 30.1});

  std::istringstream lines(read("curve.obj"));
  std::vector<Vec3d> vertices;
  std::size_t element_count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vec3d point;
      ASSERT_TRUE(words >> point.x >> point.y >> point.z) << line;
      vertices.push_back(point);
      continue;
    }
    if (kind == "#") continue;
    std::vector<std::size_t> corners;
    for (std::size_t corner; words >> corner;) corners.push_back(corner);
    ASSERT_TRUE(words.eof()) << line;
    ASSERT_EQ(kind, corners.size() == 1 ? "p" : corners.size() == 2 ? "l" : "f") << line;
    ASSERT_LT(element_count, pairs.size());
    const auto [triangle_a, triangle_b] = pairs[element_count++];
    for (const std::size_t corner : corners) {
      ASSERT_TRUE(corner >= 1 && corner <= vertices.size()) << line;
      const Vec3d& point = vertices[corner - 1];
      EXPECT_LT(distance(point, moved(a.triangle(triangle_a), a_in_world)), 1e-9) << line;
      EXPECT_LT(distance(point, moved(b.triangle(triangle_b), b_in_world)), 1e-9) << line;
    }
  }
  EXPECT_EQ(element_count, pairs.size());
}

TEST_F(CollideTest, SegmentsOfTouchingBoxesArePointsSegmentsAndPolygons) {
  // Two boxes face to face: coplanar triangles share polygons, others segments or points.
  output({"collide", "shape:box:12", "shape:box:12", "--pose-b", "2,0,0", "--segments", "c.obj"});
  const std::string curve = read("c.obj");
  for (const char* element : {"\np ", "\nl ", "\nf "}) {
    EXPECT_NE(curve.find(element), std::string::npos) << element;
  }
  // With --first it is one element.
  output({"collide", "shape:box:12", "shape:box:12", "--first", "--segments", "one.obj"});
  EXPECT_EQ(element_count(read("one.obj")), 1);
}

TEST_F(CollideTest, ContactsAreThoseOfTheLibraryInTheWorld) {
  const std::vector<std::string> boxes = {"collide",
                                          "shape:box:108",
                                          "shape:box:48",
                                          "--pose-a",
                                          "5 0 0 axis x angle 90",
                                          "--pose-b",
                                          "5.25 -1.75 0.5 axis x angle 90"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), boxes.begin(), boxes.end());
    return more;
  };
  const Pairs pairs = parse_pairs(output(with({"--pairs", "-"})));
  EXPECT_NE(output(with({"--contacts", "c.json"})).find("wrote c.json"), std::string::npos);
  const Json json = Json::parse(read("c.json"));
  ASSERT_EQ(json["contacts"].size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ((json["contacts"][i]["pair"].get<Pairs::value_type>()), pairs[i]);
  }
  // A is turned: what was up, from A to B, is now along -y.
  ASSERT_EQ(json["manifold"].size(), 4U);
  for (const Json& point : json["manifold"]) {
    EXPECT_NEAR(point["normal"][1], -1, 1e-9);
    EXPECT_NEAR(point["separation"], -0.25, 1e-9);
    EXPECT_EQ(point["patch"], 0);
    EXPECT_NEAR(point["point"][1], -1, 0.3);
  }
  // The table has the same, in the same order.
  output(with({"--contacts", "c.csv", "--count"}));
  std::istringstream lines(read("c.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "triangle_of_a,triangle_of_b,x0,y0,z0,x1,y1,z1,"
            "normal_x,normal_y,normal_z,separation");
  for (const Json& contact : json["contacts"]) {
    ASSERT_TRUE(std::getline(lines, line));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<double> values;
    for (double value = 0; words >> value;) values.push_back(value);
    ASSERT_EQ(values.size(), 12U) << line;
    EXPECT_EQ(values[0], contact["pair"][0]);
    EXPECT_EQ(values[1], contact["pair"][1]);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(values[2 + axis], contact["points"][0][axis]);
      EXPECT_EQ(values[5 + axis], contact["points"][1][axis]);
      EXPECT_EQ(values[8 + axis], contact["normal"][axis]);
    }
    EXPECT_EQ(values[11], contact["separation"]);
  }
  EXPECT_FALSE(std::getline(lines, line));
  // Nothing touches: nothing but the names.
  output({"collide", "shape:box", "shape:box", "--pose-b", "9,0,0", "--contacts", "none.json"});
  EXPECT_EQ(Json::parse(read("none.json")), Json::parse(R"({"contacts": [], "manifold": []})"));
}

TEST_F(CollideTest, AReportNeedsNoMemoryThatGrowsWithThePairs) {
  // Upright strips that cross lying ones, each with each: 16 million pairs, 8 bytes each.
  constexpr int k_count = 4000;
  const auto strips = [&](const char* name, bool upright) {
    std::ostringstream text;
    for (int i = 0; i < k_count; ++i) {
      const std::string x = std::to_string(upright ? i : -1);
      const std::string far_x = std::to_string(upright ? i : 2 * k_count);
      const std::string y = std::to_string(upright ? -1 : i);
      const std::string far_y = std::to_string(upright ? 2 * k_count : i);
      text << "v " << x << " " << y << " -1\nv " << far_x << " " << far_y << " -1\nv " << x << " "
           << y << " " << 4 * k_count << "\nf -3 -2 -1\n";
    }
    write(name, text.str());
  };
  strips("a.obj", true);
  strips("b.obj", false);
  const Outcome report = tandem({"collide", "a.obj", "b.obj"});
  ASSERT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find("16,000,000 touching pairs"), std::string::npos) << report.out;
  // The first five in the order of all.
  for (const char* line : {"0              0\n", "0              4\n"}) {
    EXPECT_NE(report.out.find(line), std::string::npos) << report.out;
  }
  EXPECT_NE(report.out.find("... and 15,999,995 more"), std::string::npos) << report.out;
  const Outcome json = tandem({"collide", "a.obj", "b.obj", "--json"});
  EXPECT_EQ(Json::parse(json.out)["pair_count"], 16'000'000);
#ifndef TANDEM_SANITIZED  // sanitizers need memory of their own
  for (const Outcome& outcome : {report, json}) EXPECT_LT(outcome.peak_kilobytes, 60'000);
#endif
}

}  // namespace
}  // namespace tandem::test
