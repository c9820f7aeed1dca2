#include "sim/solver/solver.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "parallel/parallel_for.h"
#include "sim/solver/blocks.h"
#include "sim/solver/groups.h"

namespace tandem::sim {
namespace {

void set(LaneVectors& vectors, std::size_t lane, const Vec3d& value) {
  for (int k = 0; k < 3; ++k) vectors[k][lane] = value[k];
}

BodyMotion motion_of(const Vec3d& linear, const Vec3d& angular) {
  return {{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z}};
}

/// Where the pairs of a block are among those of all groups.
struct BlockRange {
  std::size_t group = 0;
  std::size_t first = 0;
  std::size_t size = 0;
};

/// Pairs and points in the order in which they are solved: that is many times, from memory.
class Solver {
 public:
  Solver(const Settings& settings, std::span<SolverBody> bodies, std::span<const SolverPair> pairs,
         std::span<SolverPoint> points)
      : settings_(settings),
        speeds_{.time_step = settings.time_step,
                .slop = settings.slop,
                .push_out = settings.push_out,
                .push_out_speed = settings.push_out_speed,
                .bounce_speed = settings.bounce_speed},
        bodies_(bodies),
        pairs_(pairs),
        points_(points),
        groups_(bodies, pairs),
        // The last one is of lanes without a pair.
        velocities_(bodies.size() + 1),
        pushes_(bodies.size() + 1) {
    std::uint32_t point_count = 0;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const auto members = groups_[group];
      for (std::size_t i = 0; i < members.size(); i += k_lanes) {
        ranges_.push_back({group, i, std::min(k_lanes, members.size() - i)});
        PairBlock& block = blocks_.emplace_back();
        block.first_point = point_count;
        // The first pair has the most.
        block.point_count = static_cast<std::uint32_t>(pairs[members[i]].point_count());
        point_count += block.point_count;
      }
      ends_.push_back(blocks_.size());
    }
    point_blocks_.resize(point_count);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      velocities_[i] = motion_of(bodies[i].velocity, bodies[i].angular_velocity);
    }
  }

  void run() {
    for_each_block([&](std::size_t block) {
      fill(block);
      kernels_.prepare(speeds_, blocks_[block], points_of(block), velocities_.data());
    });
    sweep(1 + settings_.iterations, [&](int round, std::size_t block) {
      if (round == 0) {
        kernels_.apply_last_impulses(blocks_[block], points_of(block), velocities_.data());
      } else {
        kernels_.solve_velocities(blocks_[block], points_of(block), velocities_.data());
      }
    });
    // Most bodies that rest need no pushing.
    if (std::any_of(blocks_.begin(), blocks_.end(),
                    [](const PairBlock& block) { return block.is_too_deep; })) {
      sweep(settings_.push_out_iterations, [&](int, std::size_t block) {
        kernels_.solve_pushes(blocks_[block], points_of(block), pushes_.data());
      });
    }
    for_each_block([&](std::size_t block) { store_impulses(block); });
    for (std::size_t i = 0; i < bodies_.size(); ++i) store_motions(i);
  }

 private:
  /// So many blocks are worth a thread.
  static constexpr std::size_t k_grain = 2;

  /// In any order.
  template <class Work>
  void for_each_block(const Work& work) {
    constexpr std::size_t k_many = 16;
    detail::parallel_for(blocks_.size(), k_many, settings_.threads,
                         [&](std::size_t begin, std::size_t end) {
                           for (std::size_t block = begin; block < end; ++block) work(block);
                         });
  }

  /// Calls `work(round, block)` for all blocks, group after group, in each round.
  template <class Work>
  void sweep(int rounds, const Work& work) {
    const bool is_worth_sharing = blocks_.size() > 2 * k_grain * groups_.size();
    const auto first = [&](std::size_t group) { return group == 0 ? 0 : ends_[group - 1]; };
    detail::parallel_phases(
        static_cast<std::size_t>(rounds) * groups_.size(), k_grain,
        is_worth_sharing ? settings_.threads : 1,
        [&](std::size_t phase) {
          const std::size_t group = phase % groups_.size();
          return ends_[group] - first(group);
        },
        [&](std::size_t phase, std::size_t begin, std::size_t end) {
          const std::size_t group = phase % groups_.size();
          const int round = static_cast<int>(phase / groups_.size());
          for (std::size_t i = begin; i < end; ++i) work(round, first(group) + i);
        });
  }

  PointBlock* points_of(std::size_t block) { return &point_blocks_[blocks_[block].first_point]; }

  /// Calls `work(lane, pair)` for the pairs of a block.
  template <class Work>
  void for_each_pair(std::size_t block, const Work& work) const {
    const BlockRange& range = ranges_[block];
    for (std::size_t lane = 0; lane < range.size; ++lane) {
      work(lane, pairs_[groups_[range.group][range.first + lane]]);
    }
  }

  void fill(std::size_t index) {
    PairBlock& block = blocks_[index];
    for (auto& bodies : block.bodies) {
      std::fill_n(bodies, k_lanes, static_cast<std::uint32_t>(bodies_.size()));
    }
    PointBlock* const points = points_of(index);
    for_each_pair(index, [&](std::size_t lane, const SolverPair& pair) {
      block.friction[lane] = pair.friction;
      block.restitution[lane] = pair.restitution;
      fill_body(block, 0, lane, pair.a);
      fill_body(block, 1, lane, pair.b);
      for (std::size_t i = 0; i < pair.point_count(); ++i) {
        const SolverPoint& from = points_[pair.first + i];
        PointBlock& point = points[i];
        set(point.normal, lane, from.normal);
        set(point.tangent, lane, from.tangents[0]);
        set(point.arms[0], lane, from.arm_a);
        set(point.arms[1], lane, from.arm_b);
        point.separation[lane] = from.separation;
        point.impulse[lane] = from.impulse;
        for (int k = 0; k < 2; ++k) point.friction[k][lane] = from.friction[k];
      }
    });
  }

  void fill_body(PairBlock& block, int side, std::size_t lane, std::uint32_t id) const {
    const SolverBody& body = bodies_[id];
    block.bodies[side][lane] = id;
    if (!body.moves()) return;
    block.moves[side] |= 1u << lane;
    block.inverse_mass[side][lane] = body.inverse_mass;
    const auto& [x, y, z] = body.inverse_inertia.rows;
    const double parts[6] = {x.x, x.y, x.z, y.y, y.z, z.z};
    for (int k = 0; k < 6; ++k) block.inverse_inertia[side][k][lane] = parts[k];
  }

  void store_impulses(std::size_t index) {
    const PointBlock* const points = points_of(index);
    for_each_pair(index, [&](std::size_t lane, const SolverPair& pair) {
      for (std::size_t i = 0; i < pair.point_count(); ++i) {
        SolverPoint& to = points_[pair.first + i];
        to.impulse = points[i].impulse[lane];
        for (int k = 0; k < 2; ++k) to.friction[k] = points[i].friction[k][lane];
      }
    });
  }

  void store_motions(std::size_t i) {
    if (!bodies_[i].moves()) return;
    const auto& velocity = velocities_[i].parts;
    const auto& push = pushes_[i].parts;
    bodies_[i].velocity = {velocity[0], velocity[1], velocity[2]};
    bodies_[i].angular_velocity = {velocity[3], velocity[4], velocity[5]};
    bodies_[i].push = {push[0], push[1], push[2]};
    bodies_[i].angular_push = {push[3], push[4], push[5]};
  }

  const Settings& settings_;
  const SolverKernels& kernels_ = solver_kernels();
  SolverSpeeds speeds_;
  std::span<SolverBody> bodies_;
  std::span<const SolverPair> pairs_;
  std::span<SolverPoint> points_;
  Groups groups_;
  std::vector<BodyMotion> velocities_;
  std::vector<BodyMotion> pushes_;
  std::vector<BlockRange> ranges_;
  std::vector<PairBlock> blocks_;
  /// Behind the last block of each group.
  std::vector<std::size_t> ends_;
  std::vector<PointBlock> point_blocks_;
};

}  // namespace

void make_tangents(const Vec3d& normal, Vec3d (&tangents)[2]) {
  // Across the axis along which the normal is shortest.
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(normal[k]) < std::fabs(normal[axis])) axis = k;
  }
  Vec3d other{0, 0, 0};
  other[axis] = 1;
  tangents[0] = normalised(cross(normal, other));
  tangents[1] = cross(normal, tangents[0]);
}

void solve(const Settings& settings, std::span<SolverBody> bodies,
           std::span<const SolverPair> pairs, std::span<SolverPoint> points) {
  if (pairs.empty()) return;
  Solver(settings, bodies, pairs, points).run();
}

}  // namespace tandem::sim
