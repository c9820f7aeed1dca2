// tandem render, and the pictures of collide and demo.
#include <png.h>
#include <tandem/tandem.h>

#include <array>
#include <cmath>
#include <set>

#include "program.h"

namespace tandem::test {

namespace {

/// A picture as libpng reads it.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  std::array<int, 3> at(int x, int y) const {
    const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(x));
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
  /// How many pixels have a channel that exceeds both others by more than `by`.
  int count_dominated_by(int channel, int by) const {
    int count = 0;
    for (std::size_t i = 0; i < rgb.size(); i += 3) {
      const int one = rgb[i + (static_cast<std::size_t>(channel) + 1) % 3];
      const int other = rgb[i + (static_cast<std::size_t>(channel) + 2) % 3];
      count += rgb[i + static_cast<std::size_t>(channel)] > std::max(one, other) + by ? 1 : 0;
    }
    return count;
  }
};

class RenderTest : public ProgramTest {
 protected:
  Picture picture(const std::string& name) {
    const std::string bytes = read(name);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0) << name;
    image.format = PNG_FORMAT_RGB;
    Picture result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    result.rgb.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, result.rgb.data(), 0, nullptr), 0) << name;
    return result;
  }

  void render(const std::string& scene, const std::string& file,
              const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"render", scene, "-o", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    output(arguments);
  }
};

TEST_F(RenderTest, EveryTraversalAndNumberOfThreadsGivesTheSameBytes) {
  const std::vector<std::string> small = {"--size", "40x30", "--samples", "2", "--bounces", "2"};
  render("interior", "expected.png", small);
  const Picture expected = picture("expected.png");
  EXPECT_EQ(expected.width, 40);
  EXPECT_EQ(expected.height, 30);
  EXPECT_GT(std::set(expected.rgb.begin(), expected.rgb.end()).size(), 50u);
  for (const char* threads : {"1", "2", "5"}) {
    std::vector<std::string> options = small;
    options.insert(options.end(), {"--threads", threads});
    render("interior", "threads.png", options);
    EXPECT_EQ(read("threads.png"), read("expected.png")) << threads;
  }
  for (const RayTraversal traversal : RayTraversal::all()) {
    if (traversal == RayTraversal("brute-force")) continue;
    std::vector<std::string> options = small;
    options.insert(options.end(), {"--traversal", std::string(traversal.name())});
    render("interior", "traversal.png", options);
    EXPECT_EQ(read("traversal.png"), read("expected.png")) << traversal.name();
  }
}

TEST_F(RenderTest, ASphereIsLitFromTheLampAndStandsInItsPlace) {
  // Seen along -z; the lamp is at the right and lights the right half.
  render("shape:sphere:2000", "ball.png",
         {"--size", "60x60", "--samples", "16", "--camera", "0,0,5,0,0,0,45", "--light",
          "100,0,30,20,100", "--exposure", "0.2"});
  const Picture ball = picture("ball.png");
  const auto brightness = [&](int x, int y) {
    const auto c = ball.at(x, y);
    return c[0] + c[1] + c[2];
  };
  EXPECT_GT(brightness(40, 30), brightness(20, 30) + 60);
  // The default surface is warmer than the sky and the ground.
  EXPECT_GT(ball.at(30, 30)[0], ball.at(30, 30)[2] + 20);
}

TEST_F(RenderTest, TheFilterTakesOutTheNoise) {
  const auto hall = [&](const char* samples, const std::vector<std::string>& more) {
    std::vector<std::string> options = {"--size", "64x36", "--exposure", "1", "--samples", samples};
    options.insert(options.end(), more.begin(), more.end());
    render("interior", "hall.png", options);
    return picture("hall.png").rgb;
  };
  const std::vector<std::uint8_t> expected = hall("128", {"--raw"});
  const auto error = [&](const std::vector<std::uint8_t>& rgb) {
    double sum = 0;
    for (std::size_t i = 0; i < rgb.size(); ++i) {
      sum += (rgb[i] - expected[i]) * (rgb[i] - expected[i]);
    }
    return std::sqrt(sum / static_cast<double>(rgb.size()));
  };
  const double noise = error(hall("8", {"--raw"}));
  const double left = error(hall("8", {}));
  EXPECT_GT(noise, 5);
  EXPECT_LT(left, 0.75 * noise) << "of " << noise;
  // Where there is hardly any noise, it hardly changes anything.
  EXPECT_LT(error(hall("128", {})), 0.5 * noise);
}

TEST_F(RenderTest, StatisticsCountTheRays) {
  const std::string text = output({"render", "shape:box", "-o", "box.png", "--size", "10x10",
                                   "--samples", "1", "--bounces", "0", "--statistics"});
  const std::size_t line = text.find("\nrays ");
  ASSERT_NE(line, text.npos) << text;
  EXPECT_EQ(text.substr(text.find_first_not_of(' ', line + 6), 4), "100\n") << text;
}

TEST_F(RenderTest, ADeviceGivesTheSameBytesOrOneSentence) {
  // No scene is read before the device is there.
  const Outcome outcome = tandem({"render", "nothing.ply", "-o", "out.png", "--device", "cuda"});
  EXPECT_EQ(outcome.status, 2);
  if (outcome.err.find("nothing.ply") == outcome.err.npos) {
    expect_error({"render", "nothing.ply", "-o", "out.png", "--device", "cuda"},
                 {"--device cuda: "});
    return;
  }
  expect_error({"render", "-o", "out.png", "--device", "cuda", "--statistics"},
               {"--statistics", "not counted"});
  expect_error({"render", "-o", "out.png", "--device", "cuda", "--traversal", "lanes"},
               {"--traversal", "pairs-stackless", "lanes"});
  const std::vector<std::string> small = {"--size", "40x30", "--samples", "2"};
  render("interior", "expected.png", small);
  for (const char* traversal : {"automatic", "pairs", "pairs-stackless"}) {
    std::vector<std::string> options = small;
    options.insert(options.end(), {"--device", "cuda", "--traversal", traversal});
    render("interior", "device.png", options);
    EXPECT_EQ(read("device.png"), read("expected.png")) << traversal;
  }
}

TEST_F(RenderTest, WrongOptionsAreOneSentence) {
  expect_error({"render"}, {"needs --output"});
  expect_error({"render", "-o", "out.jpg"}, {"-o", "must end in .png"});
  expect_error({"render", "-o", "missing/out.png"}, {"-o", "missing"});
  expect_error({"render", "-o", "out.png", "--size", "12"}, {"--size", "WIDTHxHEIGHT"});
  expect_error({"render", "-o", "out.png", "--size", "0x5"}, {"--size", "width"});
  expect_error({"render", "-o", "out.png", "--samples", "0"}, {"--samples"});
  expect_error({"render", "-o", "out.png", "--threads", "-1"}, {"--threads"});
  expect_error({"render", "-o", "out.png", "--camera", "1,2,3"}, {"--camera"});
  expect_error({"render", "-o", "out.png", "--camera", "1,2,3,1,2,3"}, {"--camera", "same point"});
  expect_error({"render", "-o", "out.png", "--camera", "1,2,x,1,2,3"}, {"--camera", "'x'"});
  expect_error({"render", "-o", "out.png", "--light", "1,2,3,0"}, {"--light", "radius"});
  // What is wrong with a light or a camera is not blamed on a vertex.
  for (const char* light : {"1e39,0,0,1", "0,-1e39,0,1", "0,0,3e38,1e38", "0,0,0,1e300"}) {
    expect_error({"render", "-o", "out.png", "--light", light}, {"--light", "within 1e38"});
  }
  expect_error({"render", "-o", "out.png", "--light", "1,2,3,1,1e31"}, {"--light", "brightness"});
  expect_error({"render", "-o", "out.png", "--light", "1,2,1e400,1"}, {"--light", "range"});
  expect_error({"render", "-o", "out.png", "--camera", "1,2,1e39,1,2,3"}, {"--camera", "1e38"});
  expect_error({"collide", "shape:box", "shape:box", "--pose-b", "1e50,0,0", "--picture", "a.png"},
               {"single precision", "1e+50"});
  write("far.obj", "v 1e38 0 0\nv 0 1e38 0\nv 0 0 1e38\nf 1 2 3\n");
  expect_error({"render", "far.obj", "-o", "out.png"}, {"single precision"});
  expect_error({"render", "-o", "out.png", "--exposure", "0"}, {"--exposure"});
  expect_error({"render", "-o", "out.png", "--traversal", "fast"}, {"--traversal", "lanes"});
  expect_error({"render", "-o", "out.png", "--device", "abacus"}, {"--device", "cpu nor cuda"});
  expect_error({"render", "nothing.ply", "-o", "out.png"}, {"nothing.ply"});
  write("empty.obj", "v 1 2 3\n");
  expect_error({"render", "empty.obj", "-o", "out.png"}, {"empty.obj", "nothing to render"});
}

TEST_F(RenderTest, PicturesOfCollisionsShowWhatTouches) {
  const std::vector<std::string> small = {"--picture-size", "160x100", "--picture-samples", "4"};
  const auto collide_at = [&](const std::string& pose, const std::string& file) {
    std::vector<std::string> arguments = {
        "collide", "shape:rock:600", "shape:torus:600", "--pose-b", pose, "--picture", file};
    arguments.insert(arguments.end(), small.begin(), small.end());
    const std::string text = output(arguments);
    EXPECT_NE(text.find("wrote " + file), text.npos) << text;
    return picture(file);
  };
  const Picture touching = collide_at("1.2,0.2,0", "touching.png");
  EXPECT_EQ(touching.width, 160);
  EXPECT_EQ(touching.height, 100);
  // Touching triangles are red, and nothing else is.
  EXPECT_GT(touching.count_dominated_by(0, 60), 30);
  const Picture apart = collide_at("5,0,0", "apart.png");
  EXPECT_EQ(apart.count_dominated_by(0, 60), 0);
  EXPECT_GT(apart.count_dominated_by(2, 30), 30);

  expect_error({"collide", "shape:rock", "shape:box", "--picture", "a.svg"},
               {"--picture", "must end in .png"});
  expect_error({"collide", "shape:rock", "shape:box", "--picture", "a.png", "--first"},
               {"--first and --picture"});
  expect_error({"collide", "shape:rock", "shape:box", "--picture-size", "9x9"},
               {"go with --picture"});
}

TEST_F(RenderTest, TraversalsOfRaysAreListed) {
  const Json list = json_output({"list", "--json"});
  ASSERT_EQ(list["ray_traversals"].size(), RayTraversal::all().size());
  const std::string text = output({"list"});
  for (const RayTraversal traversal : RayTraversal::all()) {
    EXPECT_NE(text.find("\n  " + std::string(traversal.name()) + " "), text.npos)
        << traversal.name();
  }
}

}  // namespace

}  // namespace tandem::test
