// What the blocked tandem paper found, compared with measurements.
#include <algorithm>
#include <array>
#include <limits>

#include "measure/findings.h"
#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "text/numbers.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

/// The paper's words on a scene, on one core of a Core 2 Quad and a GeForce 9800 GX2.
struct PaperScene {
  std::string_view name;
  std::string_view contact_ratio;
  std::string_view speed;
};
constexpr std::array<PaperScene, 3> k_paper = {
    PaperScene{"stack", "6.6 to 7.0", "5 to 8"},
    PaperScene{"pile", "0.005 to 0.087", "3 to 7"},
    PaperScene{"rockslide", "0.0004 to 0.029", "up to 2"},
};

/// Times of a contender relative to another over the measurements of a scene.
Range speeds(std::span<const Measurement> measurements, std::string_view scene,
             std::string_view slow, std::string_view fast, bool without_copies) {
  Range range;
  for (const Measurement& m : measurements) {
    if (m.scene != scene) continue;
    const Row* const one = m.find(slow);
    const Row* const other = m.find(fast);
    range.add(one->find_s / (without_copies ? *other->device_s : other->find_s));
  }
  return range;
}

}  // namespace

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  std::vector<std::string> sentences;
  const Measurement& first = measurements.front();
  const bool has_fcl = first.find(k_fcl) != nullptr;
  const bool has_cuda = first.find(k_cuda) != nullptr;

  std::string ratios = "Touching pairs per triangle:";
  for (const PaperScene& scene : k_paper) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const Measurement& m : measurements) {
      if (m.scene != scene.name) continue;
      least = std::min(least, m.contact_ratio);
      most = std::max(most, m.contact_ratio);
    }
    ratios.append(scene.name == k_paper.front().name ? " " : ", ").append(scene.name);
    ratios.append(" ").append(three_digits(least)).append(" to ").append(three_digits(most));
    ratios.append(" (the paper: ").append(scene.contact_ratio).append(")");
  }
  sentences.push_back(ratios + ".");

  int frames = 0;
  std::uint64_t missed = 0;
  std::uint64_t extra = 0;
  for (const Measurement& m : measurements) {
    frames += m.frames;
    if (const Row* const fcl = m.find(k_fcl)) {
      missed += fcl->missed;
      extra += fcl->extra;
    }
  }
  sentences.push_back("All of Tandem's own found the same pairs in all " + std::to_string(frames) +
                      " frames.");
  if (has_fcl) {
    sentences.push_back("FCL missed " + counted(missed, "pair", "pairs") + " and named " +
                        grouped(extra) + " that share no point.");
  }

  for (const PaperScene& scene : k_paper) {
    const auto range = [&](std::string_view slow, std::string_view fast, bool without_copies) {
      return speeds(measurements, scene.name, slow, fast, without_copies).text();
    };
    std::string text(scene.name);
    text += ", one core: the engine is " + range(k_obb, k_engine, false) +
            " times as fast as trees of oriented boxes";
    if (has_fcl) text += " and " + range(k_fcl, k_engine, false) + " times as fast as FCL";
    sentences.push_back(text + ".");
    if (!has_cuda) continue;
    for (const std::string_view method : {k_cuda_blocked, k_cuda}) {
      sentences.push_back(
          std::string(scene.name) + ", " + std::string(method) + ": " + range(k_obb, method, true) +
          " times as fast as one core with oriented boxes, " + range(k_obb, method, false) +
          " with copies (the paper: " + std::string(scene.speed) + "); " +
          range(k_engine, method, true) + " times as fast as the engine on one core.");
    }
  }
  return sentences;
}

}  // namespace tandem::cli::gpu_blocked_tandem
