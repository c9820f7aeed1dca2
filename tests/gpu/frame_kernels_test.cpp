// Whole frames of scenes by the kernels of the broad phase and of waves, run by the executor on the
// CPU, against the scenes of the host.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/broad_phase.h"
#include "gpu/collision_checks.h"
#include "gpu/waves_on_cpu.h"
#include "math/random.h"
#include "support/random_scenes.h"

namespace tandem::test {
namespace {

using detail::CloseOrder;
using detail::WaveMemory;
using CloseObjects = detail::CloseObjects<WavesOnCpu>;

/// A scene's memory, and its frames.
class Frames {
 public:
  Frames(const RandomScene& scene, std::uint64_t seed, const WaveMemory& memory)
      : scene_(scene),
        on_(seed),
        models_(scene.models),
        search_(models_.view(), models_.shape(), memory) {
    for (const Model& model : scene.models) trees_.push_back(inside::wide(model).view());
  }

  /// With room for so many close objects at first. In order, as the host has them.
  SceneResult find(std::uint32_t room) {
    const auto object_count = static_cast<std::uint32_t>(scene_.model_of.size());
    CloseObjects close(on_, object_count, room);
    const auto make = [&](WavesOnCpu& on) {
      close.find(on, {trees_.data(), scene_.model_of.data(), scene_.in_world.data(), object_count},
                 CloseOrder::sorted);
    };
    const std::uint32_t count = search_.run_made(on_, {close.queries(), room, close.count()}, make);
    if (count > room) return find(count);
    const BatchResult batch = in_order({search_.found(), search_.found_count()}, count);
    SceneResult result{{}, {0}, batch.pairs};
    for (std::size_t i = 0; i < count; ++i) {
      if (batch.count(i) == 0) continue;
      result.objects.push_back(close.pairs()[i]);
      result.offsets.push_back(batch.offsets[i + 1]);
    }
    return result;
  }

 private:
  const RandomScene& scene_;
  WavesOnCpu on_;
  ModelsOfWaves models_;
  std::vector<detail::WideTreeView> trees_;
  detail::WaveSearch<WavesOnCpu> search_;
};

TEST(FrameKernels, LoseNothingInLittleMemory) {
  std::size_t pair_count = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    detail::Random random(seed);
    const RandomScene scene(seed, 12, 40);
    if (scene.model_of.empty()) continue;
    const SceneResult expected = scene.on_host().collide();
    pair_count += expected.pairs.size();
    // Queues that must grow, that may not, and that hold a single pair of blocks at a time.
    const std::size_t most = seed % 20 == 10 ? 1
                             : seed % 2 == 0 ? 20'000 << random.below(6)
                                             : std::size_t{1} << 30;
    Frames frames(scene, seed,
                  {.first_entries = std::size_t{16} << random.below(8),
                   .first_results = 1 + random.below(100),
                   .most_bytes = most});
    for (int again = 0; again < 2; ++again) {
      const SceneResult found = frames.find(static_cast<std::uint32_t>(1 + random.below(40)));
      ASSERT_EQ(found.objects, expected.objects);
      ASSERT_EQ(found.offsets, expected.offsets);
      ASSERT_EQ(found.pairs, expected.pairs);
    }
  }
  EXPECT_GT(pair_count, 1'000u);
}

TEST(FrameKernels, HaveNoPairsOfEmptyModels) {
  RandomScene scene(1, 0, 40);
  scene.models = {Model(Mesh())};
  scene.model_of = {0, 0, 0};
  scene.in_world.resize(3);
  Frames frames(scene, 1, {});
  EXPECT_TRUE(frames.find(2).objects.empty());
}

}  // namespace
}  // namespace tandem::test
