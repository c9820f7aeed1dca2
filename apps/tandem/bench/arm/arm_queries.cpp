// Which queries a robot arm asks: random configurations, sorted out by what they show.
#include <algorithm>
#include <cmath>
#include <random>

#include "bench/arm/arm_bench.h"
#include "text/numbers.h"

namespace tandem::cli::arm_bench {

namespace {

// A miss is near when the box of a part overlaps that of a link, grown by this share of the link's
// length on each side.
constexpr double k_near = 0.03;

// Random numbers that are the same everywhere, unlike those of the library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double uniform(double least, double most) {
    return least + (most - least) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t bound) { return bits_() % bound; }

 private:
  std::mt19937_64 bits_;
};

// The box around a part in the part's own frame, as a mesh to ask about.
class PartBox {
 public:
  PartBox(const Mesh& mesh, double growth) {
    const Bounds bounds = mesh.bounds();
    const Vec3d lower(bounds.lower);
    const Vec3d upper(bounds.upper);
    const Vec3d sides = upper - lower;
    const double margin = growth * std::max({sides.x, sides.y, sides.z});
    centre_ = 0.5 * (lower + upper);
    half_ = 0.5 * sides + Vec3d(margin, margin, margin);
    surface_ = Model(make_box(1, 2.0 * half_));
  }

  // Whether it shares a point with `other`; `other_in_this` is the pose of the other part.
  bool overlaps(const PartBox& other, const Pose& other_in_this) const {
    const Pose pose =
        Pose::from_translation(-centre_) * other_in_this * Pose::from_translation(other.centre_);
    return contains(pose.translation()) || other.contains(pose.inverse().translation()) ||
           intersects(surface_, other.surface_, pose);
  }

 private:
  bool contains(const Vec3d& from_centre) const {
    return std::abs(from_centre.x) <= half_.x && std::abs(from_centre.y) <= half_.y &&
           std::abs(from_centre.z) <= half_.z;
  }

  Vec3d centre_;
  Vec3d half_;
  Model surface_ = Model(Mesh());
};

enum class Wanted { hit, far_miss, near_miss, miss };

// Draws configurations until one has a query of the wanted kind.
class QuerySource {
 public:
  explicit QuerySource(const Scene& scene) : scene_(scene) {
    for (const ArmPart& part : scene.parts) {
      models_.emplace_back(part.mesh, BuildOptions{.structure = "aabb"});
      boxes_.emplace_back(part.mesh, 0);
      grown_boxes_.emplace_back(part.mesh, k_near);
    }
  }

  Query draw(Wanted wanted, Random& random) const {
    for (;;) {
      JointAngles angles{};
      for (std::size_t i = 0; i < angles.size(); ++i) {
        angles[i] = random.uniform(k_joint_ranges[i].least, k_joint_ranges[i].most);
      }
      std::vector<Pose> poses = link_poses(angles);
      poses.insert(poses.end(), scene_.surroundings_in_world.begin(),
                   scene_.surroundings_in_world.end());
      // The first one from a random pair on.
      const std::size_t start = random.below(scene_.pairs.size());
      for (std::size_t i = 0; i < scene_.pairs.size(); ++i) {
        const std::size_t pair = (start + i) % scene_.pairs.size();
        const auto& [a, b] = scene_.pairs[pair];
        const Pose b_in_a = relative_pose(poses[a], poses[b]);
        if (is(wanted, a, b, b_in_a)) {
          return {b_in_a, static_cast<std::uint32_t>(pair), wanted == Wanted::hit};
        }
      }
    }
  }

 private:
  bool is(Wanted wanted, std::size_t a, std::size_t b, const Pose& b_in_a) const {
    const bool near = boxes_[a].overlaps(grown_boxes_[b], b_in_a);
    if (wanted == Wanted::far_miss) return !near;
    const bool touches = near && intersects(models_[a], models_[b], b_in_a);
    if (wanted == Wanted::hit) return touches;
    return !touches && (near || wanted == Wanted::miss);
  }

  const Scene& scene_;
  std::vector<Model> models_;
  std::vector<PartBox> boxes_;
  std::vector<PartBox> grown_boxes_;
};

}  // namespace

Scene make_scene() {
  Scene scene;
  scene.parts = make_arm_links();
  const std::size_t link_count = scene.parts.size();
  for (std::size_t a = 0; a < link_count; ++a) {
    for (std::size_t b = a + 2; b < link_count; ++b) scene.pairs.push_back({a, b});
  }
  for (ArmObstacle& obstacle : make_arm_surroundings()) {
    // The base stays where it is.
    for (std::size_t b = 1; b < link_count; ++b) scene.pairs.push_back({scene.parts.size(), b});
    scene.surroundings_in_world.push_back(obstacle.pose);
    scene.parts.push_back(std::move(obstacle.part));
  }
  return scene;
}

std::string kind_name(Kind kind) {
  return kind == Kind::far ? "far" : kind == Kind::near ? "near" : "mixed";
}

std::size_t QuerySet::hit_count() const {
  return static_cast<std::size_t>(std::count_if(queries.begin(), queries.end(),
                                                [](const Query& query) { return query.touches; }));
}

double QuerySet::hits_percent() const {
  return 100 * static_cast<double>(hit_count()) / static_cast<double>(queries.size());
}

std::string QuerySet::title() const {
  const std::string text = shortest(hits_percent()) + " % hits";
  return kind == Kind::mixed ? text : text + ", " + kind_name(kind) + " misses";
}

std::vector<QuerySet> make_query_sets(const Scene& scene, const Plan& plan) {
  std::vector<QuerySet> sets;
  std::vector<std::size_t> hits;
  for (const double percent : plan.hits_percent) {
    if (percent == 0) {
      sets.push_back({Kind::far, {}});
      hits.push_back(0);
    }
    sets.push_back({percent == 0 ? Kind::near : Kind::mixed, {}});
    hits.push_back(static_cast<std::size_t>(
        std::llround(percent / 100 * static_cast<double>(plan.configurations))));
  }
  const QuerySource source(scene);
  ProgressBar bar("moving the arm", plan.reporting);
  const Progress progress = bar.callback();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    QuerySet& set = sets[i];
    Random random(plan.seed + 0x9e3779b97f4a7c15 * i);
    const Wanted miss = set.kind == Kind::far    ? Wanted::far_miss
                        : set.kind == Kind::near ? Wanted::near_miss
                                                 : Wanted::miss;
    set.queries.reserve(plan.configurations);
    for (std::size_t left = plan.configurations; left > 0; --left) {
      // In random order, and in the end exactly as many as there shall be.
      const bool hit = random.below(left) < hits[i];
      if (hit) --hits[i];
      set.queries.push_back(source.draw(hit ? Wanted::hit : miss, random));
      if (progress && left % 64 == 0) {
        const double done =
            1 - static_cast<double>(left) / static_cast<double>(plan.configurations);
        progress((static_cast<double>(i) + done) / static_cast<double>(sets.size()));
      }
    }
  }
  return sets;
}

}  // namespace tandem::cli::arm_bench
