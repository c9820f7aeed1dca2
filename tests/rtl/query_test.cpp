// Whole queries through the chip in SystemVerilog: visit by visit, triangle by triangle and cycle by
// cycle what the model does.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <string>
#include <vector>

#include "chip/chip.h"
#include "chip/rtl/rtl_chip.h"
#include "math/random.h"
#include "support/error_of.h"

namespace tandem::chip {
namespace {

/// Everything that both show.
struct Log : Observer {
  struct Transformed {
    std::uint32_t place;
    Bounds results;
  };
  std::vector<Visit> visits;
  std::vector<TriangleVisit> triangles;
  std::vector<Transformed> volumes;

  void visit(const Visit& visit) override { visits.push_back(visit); }
  void triangle(const TriangleVisit& visit) override { triangles.push_back(visit); }
  void transformed(std::uint32_t place, const Bounds& results) override {
    volumes.push_back({place, results});
  }
};

std::string text_of(const Visit& v) {
  return "cycle " + std::to_string(v.cycle) + ": " + std::to_string(v.aligned) + ", " +
         std::to_string(v.tumbled) + (v.compared ? ", compared" : "") +
         (v.overlap ? ", overlap" : "");
}
std::string text_of(const TriangleVisit& v) {
  return "until cycle " + std::to_string(v.end) + ": " + std::to_string(v.a) + ", " +
         std::to_string(v.b) + (v.overlap ? ", overlap" : "");
}

void expect_same(const Log& model, const Log& rtl) {
  for (std::size_t i = 0; i < std::min(model.visits.size(), rtl.visits.size()); ++i) {
    ASSERT_EQ(text_of(rtl.visits[i]), text_of(model.visits[i])) << "visit " << i;
  }
  ASSERT_EQ(rtl.visits.size(), model.visits.size());
  for (std::size_t i = 0; i < std::min(model.triangles.size(), rtl.triangles.size()); ++i) {
    ASSERT_EQ(text_of(rtl.triangles[i]), text_of(model.triangles[i])) << "triangles " << i;
  }
  ASSERT_EQ(rtl.triangles.size(), model.triangles.size());
  ASSERT_EQ(rtl.volumes.size(), model.volumes.size());
  for (std::size_t i = 0; i < model.volumes.size(); ++i) {
    ASSERT_EQ(rtl.volumes[i].place, model.volumes[i].place) << "volume " << i;
    for (std::size_t row = 0; row < 24; ++row) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(rtl.volumes[i].results[row]),
                std::bit_cast<std::uint32_t>(model.volumes[i].results[row]))
          << "volume " << i << ", row " << row;
    }
  }
}

/// The reports of the two, which must be the same.
struct Reports {
  Report model;
  Report rtl;
};

void run_both(const Config& config, const ObjectImage& a, const ObjectImage& b, const Pose& pose,
              Reports* reports) {
  Log model;
  Log rtl;
  reports->model = CollisionChip(config, a, b).run(pose, &model);
  reports->rtl = RtlChip(config, a, b).run(pose, &rtl);
  expect_same(model, rtl);
  ASSERT_EQ(reports->rtl.pairs, reports->model.pairs);
  ASSERT_EQ(reports->rtl.cycles, reports->model.cycles);
  ASSERT_EQ(reports->rtl.stack_accesses, reports->model.stack_accesses);
  ASSERT_EQ(reports->rtl.memory.reads, reports->model.memory.reads);
  ASSERT_EQ(reports->rtl.memory.bytes, reports->model.memory.bytes);
}

Pose random_pose(detail::Random* random, double reach) {
  const auto any = [&](double size) { return random->uniform(-size, size); };
  return Pose::from_axis_angle({any(1), any(1), any(1) + 2}, any(3),
                               {any(reach), any(reach), any(reach)});
}

TEST(RtlQuery, SingleTrianglesAndSmallMeshes) {
  const Mesh one({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  const Config config = rtl_config();
  const ObjectImage single = object_image(Model(one), Nodes::dop24);
  const ObjectImage box = object_image(Model(make_shape("box", 12)), Nodes::dop24);
  const ObjectImage rock = object_image(Model(make_shape("rock", 100)), Nodes::dop24);
  const ObjectImage empty = object_image(Model(Mesh()), Nodes::dop24);
  EXPECT_EQ(RtlChip(config, empty, box).run({}).cycles, 0U);
  const Pose upright = Pose::from_axis_angle({1, 0, 0}, 1.5, {0.1, 0.2, -0.3});
  std::uint64_t found = 0;
  for (const ObjectImage* const a : {&single, &box, &rock}) {
    for (const ObjectImage* const b : {&single, &box, &rock}) {
      for (const Pose& pose : {Pose(), upright, Pose::from_translation({5, 0, 0})}) {
        Reports reports;
        run_both(config, *a, *b, pose, &reports);
        if (HasFatalFailure()) return;
        found += reports.rtl.pairs.size();
      }
    }
  }
  EXPECT_GT(found, 10U);
}

TEST(RtlQuery, TwentyPosesOfTwoMeshesOfFiveThousandTriangles) {
  const ObjectImage a = object_image(Model(make_shape("knot", 5000)), Nodes::dop24);
  const ObjectImage b = object_image(Model(make_shape("rock", 5000)), Nodes::dop24);
  std::uint64_t triangles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t paper_cycles = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    detail::Random random(seed);
    const Pose pose = random_pose(&random, 1.5);
    Reports reports;
    run_both(rtl_config(), a, b, pose, &reports);
    if (HasFatalFailure()) return;
    triangles += reports.rtl.pairs.size();
    cycles += reports.rtl.cycles;
    // What the controller takes, whose decisions the paper has for nothing.
    Config paper;
    paper_cycles += CollisionChip(paper, a, b).run(pose).cycles;
  }
  EXPECT_GT(triangles, 1000U);
  RecordProperty("triangles", std::to_string(triangles));
  RecordProperty("cycles", std::to_string(cycles));
  RecordProperty("cycles_of_the_paper", std::to_string(paper_cycles));
}

}  // namespace
}  // namespace tandem::chip
