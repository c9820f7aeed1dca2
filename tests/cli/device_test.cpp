// --device cuda of the commands that collide models.
#include "program.h"

namespace tandem::test {

namespace {

class DeviceTest : public ProgramTest {
 protected:
  bool has_device() { return Json::parse(output({"list", "--json"}))["devices"].size() > 1; }

  /// Runs a command on the processor and with every method on the device: what `result` gives must
  /// be the same.
  void expect_same(const std::vector<std::string>& command,
                   const std::function<std::string()>& result) {
    output(command);
    const std::string expected = result();
    ASSERT_FALSE(expected.empty());
    for (const char* method : {"waves", "blocked"}) {
      std::vector<std::string> on_device = command;
      on_device.insert(on_device.end(), {"--device", "cuda", "--method", method});
      output(on_device);
      EXPECT_EQ(result(), expected) << method;
    }
  }
};

TEST_F(DeviceTest, WhatDoesNotGoTogetherIsRefused) {
  const std::vector<std::string> collide = {"collide", "shape:box", "shape:box"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = collide;
    all.insert(all.end(), more);
    return all;
  };
  expect_error(with({"--device", "abacus"}), {"--device", "cpu nor cuda"});
  expect_error(with({"--method", "blocked"}), {"--method", "--device cuda"});
  expect_error(with({"--device", "cuda", "--method", "guessing"}), {"--method", "blocked"});
  if (!has_device()) return;
  expect_error(with({"--device", "cuda", "--statistics"}), {"--statistics", "--device cpu"});
  expect_error(with({"--device", "cuda", "--traversal", "stackless"}),
               {"--traversal", "--device cpu"});
}

TEST_F(DeviceTest, WithoutADeviceEachCommandSaysSo) {
  if (has_device()) return;
  write("poses.txt", "0 0 0\n");
  write("scene.json", R"({"meshes": {"m": "shape:box"}, "objects": [{"mesh": "m"}]})");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"collide", "shape:box", "shape:box"},
        {"batch", "shape:box", "shape:box", "--poses", "poses.txt"},
        {"scene", "scene.json"},
        {"clash", "shape:box"}}) {
    std::vector<std::string> on_device = command;
    on_device.insert(on_device.end(), {"--device", "cuda"});
    expect_error(on_device, {"--device cuda: "});
  }
  expect_error({"bench", "gpu"}, {"tandem bench gpu: "});
  expect_error({"simulate", "stack", "--backend", "cuda-blocked"}, {"the back end cuda-blocked: "});
}

TEST_F(DeviceTest, TheSamePairsAsOnTheProcessor) {
  if (!has_device()) return;
  expect_same({"collide", "shape:knot:20000", "shape:torus:5000", "--pose-b", "0.5,0.2,0",
               "--pairs", "pairs.txt"},
              [&] { return read("pairs.txt"); });
  write("poses.txt", "0 0 0\n1 0 0 axis z angle 90\n9 0 0\n0.5 0.5 0 axis 1 1 0 angle 30\n");
  expect_same({"batch", "shape:knot:2000", "shape:rock:5000", "--poses", "poses.txt", "--pairs",
               "pairs.txt", "--json", "rows.json"},
              [&] { return read("pairs.txt") + read("rows.json"); });
  expect_same({"batch", "shape:knot:2000", "shape:rock:5000", "--poses", "poses.txt", "--first",
               "--json", "rows.json"},
              [&] { return read("rows.json"); });
  write("scene.json", R"({"meshes": {"ball": "shape:sphere", "block": "shape:box"},
    "objects": [{"mesh": "block"}, {"mesh": "ball", "pose": "0.7 0 0"},
                {"mesh": "ball", "pose": "9 0 0"}]})");
  write("moves.txt", "{\"ball 2\": \"5 0 0\"}\n{\"ball 2\": \"1 0 0\"}\n");
  expect_same({"scene", "scene.json", "--moves", "moves.txt", "--json", "rows.json"},
              [&] { return read("rows.json"); });
  expect_same({"clash", "shape:pipes:3000", "shape:box", "--components", "--table", "clashes.csv"},
              [&] { return read("clashes.csv"); });
  std::vector<std::string> close = {"clash", "shape:pipes:3000", "--components", "--clearance",
                                    "1",     "--table",          "close.csv"};
  output(close);
  const std::string expected = read("close.csv");
  close.insert(close.end(), {"--device", "cuda"});
  output(close);
  EXPECT_EQ(read("close.csv"), expected);
}

TEST_F(DeviceTest, ScenesAreMeasured) {
  if (!has_device()) return;
  output({"bench", "gpu", "--scenes", "stack,pile,heavy,rockslide,pair,plates,poses", "--objects",
          "8", "--triangles", "500", "--rounds", "2", "--json", "rows.json"});
  for (const Json& row : Json::parse(read("rows.json"))["rows"]) {
    EXPECT_GT(row["time_s"], 0) << row;
    EXPECT_GT(row["pairs"], 0) << row;
  }
}

}  // namespace

}  // namespace tandem::test
