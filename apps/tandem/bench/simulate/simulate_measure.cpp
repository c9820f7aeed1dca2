#include <tandem/contact.h>
#include <tandem/error.h>
#include <tandem/scene.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "bench/simulate/simulate_bench.h"
#include "peers/simulator_peer.h"
#include "simulate/back_ends.h"
#include "simulate/run_report.h"
#include "text/stopwatch.h"

namespace tandem::cli::simulate_bench {

namespace {

constexpr const char* k_static_group = "static";

/// How deep bodies are in each other, whoever moved them there: the deepest point of the manifolds
/// of all touching pairs.
class DepthGauge {
 public:
  explicit DepthGauge(const sim::Simulation& world) {
    scene_.allow(k_static_group, k_static_group);
    for (sim::BodyId id = 0; id < world.body_count(); ++id) {
      scene_.add(world.model(id), world.pose(id),
                 {.name = {}, .group = world.is_static(id) ? k_static_group : ""});
    }
  }

  double deepest(const sim::Simulation& world, int threads) {
    for (sim::BodyId id = 0; id < world.body_count(); ++id) scene_.move(id, world.pose(id));
    double deepest = 0;
    for (const auto& [a, b] : scene_.close_objects({.threads = threads, .progress = {}})) {
      const auto found =
          contacts(scene_.model(a), scene_.model(b), relative_pose(scene_.pose(a), scene_.pose(b)));
      if (found.contacts.empty()) continue;
      for (const ManifoldPoint& point : reduce_contacts(found.contacts).points) {
        deepest = std::max(deepest, -point.separation);
      }
    }
    return deepest;
  }

 private:
  Scene scene_;
};

/// Follows the bodies of a run: `world` is moved to where they are.
class Observer {
 public:
  Observer(const sim::Simulation& world, const Setup& setup, Row* row)
      : gauge_(world),
        threads_(setup.options.settings.threads),
        every_(std::max(1, setup.frames / k_most_looks)),
        row_(*row),
        start_(world.state()),
        first_energy_(energy(world)),
        least_energy_(first_energy_) {}

  void look(const sim::Simulation& world, int frame) {
    const double now = energy(world);
    rise_ = std::max(rise_, now - least_energy_);
    least_energy_ = std::min(least_energy_, now);
    row_.energy_change = now - first_energy_;
    row_.energy_rise = rise_;
    for (sim::BodyId id = 0; id < world.body_count(); ++id) {
      row_.farthest =
          std::max(row_.farthest, length(world.body(id).centre - start_.bodies[id].centre));
    }
    // This takes longer than a frame.
    if (frame % every_ == 0) {
      row_.deepest = std::max(row_.deepest, gauge_.deepest(world, threads_));
    }
  }

 private:
  static constexpr int k_most_looks = 50;

  static double energy(const sim::Simulation& world) {
    return world.kinetic_energy() + world.potential_energy();
  }

  DepthGauge gauge_;
  int threads_;
  int every_;
  Row& row_;
  sim::State start_;
  double first_energy_;
  double least_energy_;
  double rise_ = 0;
};

SimScene scene_at(const Setup& setup, sim::FindTouching find_touching, const sim::State* from) {
  SimSceneOptions options = setup.options;
  options.settings.find_touching = std::move(find_touching);
  SimScene scene = setup.scene->make(options);
  if (from != nullptr) scene.world.restore(*from);
  return scene;
}

/// Per frame, without copies: the frames of a run once more. Nothing for what is no device.
std::optional<double> device_seconds(const Setup& setup, const sim::State& start,
                                     const std::string& contender) {
  double device_s = 0;
  const sim::FindTouching timed = find_timed_back_end(contender, &device_s);
  if (!timed) return std::nullopt;
  SimScene scene = scene_at(setup, timed, &start);
  scene.world.step();
  scene.world.restore(start);
  device_s = 0;
  for (int frame = 0; frame < setup.frames; ++frame) {
    scene.world.step();
    scene.between_steps(scene.world);
  }
  return device_s / setup.frames;
}

sim::State run_back_end(const Setup& setup, const sim::State& start,
                        const std::function<void()>& frame_done, Row* row) {
  SimScene scene =
      scene_at(setup, find_back_end(row->contender, setup.options.settings.threads), &start);
  // Once without a clock: structures are built, models copied.
  scene.world.step();
  scene.world.restore(start);
  Observer observer(scene.world, setup, row);
  RunTotals totals;
  for (int frame = 1; frame <= setup.frames; ++frame) {
    const Stopwatch watch;
    totals.add(scene.world.step());
    row->frame_s += watch.seconds() / setup.frames;
    scene.between_steps(scene.world);
    observer.look(scene.world, frame);
    frame_done();
  }
  row->false_pairs = totals.false_pairs;
  row->parts = Row::Parts{.broad_phase_s = totals.per_frame(totals.broad_phase_s),
                          .collision_s = totals.per_frame(totals.collision_s),
                          .contact_s = totals.per_frame(totals.contact_s),
                          .solver_s = totals.per_frame(totals.solver_s),
                          .touching = totals.per_frame(totals.touching),
                          .points = totals.per_frame(totals.points)};
  row->device_s = device_seconds(setup, start, row->contender);
  return scene.world.state();
}

void run_simulator(const Setup& setup, const SimulatorInfo& info, const sim::State& start,
                   const std::function<void()>& frame_done, Row* row) {
  // Shows where the other library's bodies are, and is never stepped.
  SimScene shown = scene_at(setup, {}, &start);
  const std::unique_ptr<SimulatorPeer> peer = info.make(shown.world);
  Observer observer(shown.world, setup, row);
  for (int frame = 1; frame <= setup.frames; ++frame) {
    const Stopwatch watch;
    peer->step();
    row->frame_s += watch.seconds() / setup.frames;
    for (sim::BodyId id = 0; id < shown.world.body_count(); ++id) {
      if (shown.world.is_static(id)) continue;
      const BodyMotion motion = peer->motion(id);
      shown.world.place(id, motion.in_world, motion.velocity, motion.angular_velocity);
    }
    const sim::State before = shown.world.state();
    shown.between_steps(shown.world);
    for (sim::BodyId id = 0; id < shown.world.body_count(); ++id) {
      const sim::BodyState& now = shown.world.body(id);
      if (now == before.bodies[id]) continue;
      peer->place(id, {shown.world.pose(id), now.velocity, now.angular_velocity});
    }
    observer.look(shown.world, frame);
    frame_done();
  }
}

}  // namespace

Measurement measure(const Setup& setup, const std::vector<std::string>& contenders,
                    const Progress& progress) {
  SimScene scene = scene_at(setup, {}, nullptr);
  const double steps = setup.before + static_cast<double>(contenders.size()) * setup.frames;
  double done = 0;
  const auto frame_done = [&] {
    if (progress) progress(++done / steps);
  };
  for (int i = 0; i < setup.before; ++i) {
    scene.world.step();
    scene.between_steps(scene.world);
    frame_done();
  }
  const sim::State start = scene.world.state();
  Measurement measurement{.scene = std::string(setup.scene->name),
                          .objects = scene.moving_bodies,
                          .triangles = scene.body_triangles,
                          .frames = setup.frames,
                          .energy = scene.world.kinetic_energy() + scene.world.potential_energy(),
                          .rows = {}};
  std::optional<sim::State> end;
  for (const std::string& name : contenders) {
    Row& row = measurement.rows.emplace_back();
    row.contender = name;
    const auto known = simulators();
    const auto other = std::find_if(known.begin(), known.end(),
                                    [&](const SimulatorInfo& info) { return info.name == name; });
    if (other != known.end()) {
      run_simulator(setup, *other, start, frame_done, &row);
    } else {
      const sim::State state = run_back_end(setup, start, frame_done, &row);
      if (!end) end = state;
      if (name != "fcl" && !(state == *end)) {
        throw Error(name + " and " + contenders.front() + " move bodies differently in the " +
                    measurement.scene + ": this is a bug in Tandem");
      }
    }
    // What lifts bodies gives them energy.
    if (setup.scene->lifts_bodies) row.energy_change = row.energy_rise = std::nullopt;
  }
  return measurement;
}

}  // namespace tandem::cli::simulate_bench
