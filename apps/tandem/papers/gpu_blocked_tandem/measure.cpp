// Frames of the scenes, each shown to all contenders.
#include <tandem/error.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "measure/pair_hash.h"
#include "options/named_choices.h"
#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "simulate/sim_scenes.h"
#include "text/numbers.h"
#include "text/stopwatch.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

/// Pairs of sorted `first` that are not in sorted `second`.
std::uint64_t count_missing(std::span<const TrianglePair> first,
                            std::span<const TrianglePair> second) {
  std::vector<TrianglePair> rest;
  std::set_difference(first.begin(), first.end(), second.begin(), second.end(),
                      std::back_inserter(rest));
  return rest.size();
}

/// Shows the pairs of bodies of a frame to all contenders, checks what they find and adds up what
/// they take.
class Trial {
 public:
  Trial(std::vector<Contender> contenders, Measurement* measurement)
      : contenders_(std::move(contenders)), measurement_(*measurement) {
    for (const Contender& each : contenders_) {
      measurement_.rows.push_back({.contender = each.name, .is_ours = each.is_ours});
    }
  }

  BatchResult operator()(std::span<const Model> models, std::span<const BatchQuery> queries) {
    // Once before the first frame: trees are built, models copied.
    const bool measures = warm_;
    BatchResult expected;
    for (std::size_t k = 0; k < contenders_.size(); ++k) {
      // Another one begins each frame, behind the engine, which all are checked against.
      const std::size_t i = k == 0 ? 0 : 1 + (k + frame_) % (contenders_.size() - 1);
      const Contender& contender = contenders_[i];
      Row& row = measurement_.rows[i];
      const Stopwatch stopwatch;
      BatchResult found = contender.find(models, queries);
      const double seconds = stopwatch.seconds();
      if (measures) {
        row.find_s += seconds;
        if (contender.device_s) {
          row.device_s = row.device_s.value_or(0) + contender.device_s(models, queries);
        }
      }
      if (i == 0) {
        expected = std::move(found);
      } else {
        check(contender, found, expected, measures, &row);
      }
    }
    if (measures) {
      hash_.add(expected.pairs);
      measurement_.touching_pairs += static_cast<double>(expected.pairs.size());
      ++frame_;
    }
    warm_ = true;
    return expected;
  }

  std::uint64_t hash() const { return hash_.value(); }

 private:
  void check(const Contender& contender, const BatchResult& found, const BatchResult& expected,
             bool measures, Row* row) const {
    if (contender.is_ours) {
      if (found.offsets == expected.offsets && found.pairs == expected.pairs) return;
      throw Error(contender.name + " and " + std::string(k_engine) +
                  " find different pairs in a frame of " + measurement_.setup());
    }
    if (!measures) return;
    for (std::size_t query = 0; query + 1 < expected.offsets.size(); ++query) {
      row->missed += count_missing(expected.pairs_of(query), found.pairs_of(query));
      row->extra += count_missing(found.pairs_of(query), expected.pairs_of(query));
    }
  }

  std::vector<Contender> contenders_;
  Measurement& measurement_;
  PairHash hash_;
  std::size_t frame_ = 0;
  bool warm_ = false;
};

/// On all cores.
SimScene make_scene(const Setup& setup, const Mesh* mesh, int subdivide,
                    const sim::FindTouching& find_touching) {
  SimSceneOptions options{.objects = setup.objects,
                          .subdivide = subdivide,
                          .mesh = setup.scene == "stack" ? nullptr : mesh};
  options.settings.threads = 0;
  options.settings.find_touching = find_touching;
  return find_named(sim_scenes(), setup.scene, "there is no scene called").make(options);
}

Measurement measure_frames(const Setup& setup, const Mesh* mesh, int subdivide,
                           const sim::State& from, Device device,
                           const std::function<void()>& frame_done) {
  Measurement measurement{.scene = std::string(setup.scene), .frames = setup.frames};
  // Shared, as a simulation copies what it calls.
  const auto trial = std::make_shared<Trial>(contenders(device), &measurement);
  SimScene scene =
      make_scene(setup, mesh, subdivide,
                 [trial](std::span<const Model> models, std::span<const BatchQuery> queries) {
                   return (*trial)(models, queries);
                 });
  measurement.objects = scene.moving_bodies;
  measurement.triangles = scene.body_triangles;
  for (int frame = 0; frame <= setup.frames; ++frame) {
    // The first frame comes twice: once to build and copy what is needed.
    if (frame <= 1) scene.world.restore(from);
    const sim::StepReport report = scene.world.step();
    scene.between_steps(scene.world);
    if (frame == 0) continue;
    measurement.close_bodies += static_cast<double>(report.close_bodies);
    measurement.points += static_cast<double>(report.points);
    measurement.contact_s += report.contact_s;
    measurement.solver_s += report.solver_s;
    frame_done();
  }
  measurement.hash = trial->hash();
  for (double* sum : {&measurement.close_bodies, &measurement.touching_pairs, &measurement.points,
                      &measurement.contact_s, &measurement.solver_s}) {
    *sum /= setup.frames;
  }
  for (Row& row : measurement.rows) {
    row.find_s /= setup.frames;
    if (row.device_s) *row.device_s /= setup.frames;
  }
  measurement.contact_ratio =
      measurement.touching_pairs /
      (static_cast<double>(measurement.objects) * static_cast<double>(measurement.triangles));
  return measurement;
}

}  // namespace

std::string Measurement::setup() const {
  return scene + " " + grouped(objects) + " x " + grouped(triangles);
}

const Row* Measurement::find(std::string_view contender) const {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const Row& each) { return each.contender == contender; });
  return row == rows.end() ? nullptr : &*row;
}

std::vector<Setup> setups(Extent extent) {
  if (extent == Extent::quick) {
    return {{"stack", 27, 5, 1, 2}, {"pile", 27, 120, 1, 2}, {"rockslide", 27, 60, 1, 2}};
  }
  std::vector<Setup> all;
  for (const int side : {6, 7, 8, 9, 10}) all.push_back({"stack", side * side * side, 50, 2, 6});
  for (const int side : {6, 7, 8, 9, 10}) all.push_back({"pile", side * side * side, 400, 2, 6});
  for (const int objects : {500, 1000, 1500, 2000, 2500}) {
    all.push_back({"rockslide", objects, 300, 2, 6});
  }
  return all;
}

std::vector<Measurement> measure(const Setup& setup, const Mesh* mesh, Device device,
                                 const Progress& progress) {
  const int frames = setup.frames * (setup.most_subdivided + 1);
  double done = 0;
  const auto step_done = [&](double share) {
    done += share;
    if (progress) progress(std::min(done, 1.0));
  };
  // Subdivided bodies have the same shape: all go on from one state, without its impulses.
  SimScene scene = make_scene(setup, mesh, 0, {});
  for (int step = 0; step < setup.steps_before; ++step) {
    scene.world.step();
    scene.between_steps(scene.world);
    step_done(0.5 / setup.steps_before);
  }
  sim::State from = scene.world.state();
  from.pressed.clear();
  std::vector<Measurement> measurements;
  for (int subdivide = 0; subdivide <= setup.most_subdivided; ++subdivide) {
    measurements.push_back(
        measure_frames(setup, mesh, subdivide, from, device, [&] { step_done(0.5 / frames); }));
  }
  return measurements;
}

}  // namespace tandem::cli::gpu_blocked_tandem
