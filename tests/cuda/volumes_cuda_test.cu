// Bounding volumes on a CUDA device: sizes, merges and overlap tests give the same bits as on the
// host.
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/device.h"
#include "math/random.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"
#include "volume/relative_obb_overlap.h"
#include "volume/restricted_cut.h"
#include "volume/restricted_overlap.h"
#include "volume/sphere.h"

namespace {

using tandem::Pose;
using tandem::Vec3d;
using tandem::Vec3f;
using tandem::test::DeviceArray;
using tandem::test::same_answers;
using namespace tandem::detail;

constexpr int k_count = 200'000;
const Pose k_turn = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.3, -0.2, 0.1});
const Pose k_move = Pose::from_translation({0.3, -0.2, 0.1});

Vec3f random_point(Random& random, double size) {
  return Vec3f(
      Vec3d{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)});
}

/// Volumes of random triangles, and the volume of all of them.
template <class V>
struct Volumes {
  std::vector<V> volumes;
  V root;

  explicit Volumes(std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3f> all;
    for (int i = 0; i < k_count; ++i) {
      const Vec3f centre = random_point(random, 1);
      std::vector<Vec3f> triangle;
      for (int k = 0; k < 3; ++k) triangle.push_back(centre + random_point(random, 0.5));
      volumes.push_back(V::fit(triangle));
      all.insert(all.end(), triangle.begin(), triangle.end());
    }
    root = V::fit(all);
  }
};

/// What a volume is by itself and merged with another. (Oriented boxes are merged on the host.)
template <class V>
struct Properties {
  const V* a;
  const V* b;

  TANDEM_HD double operator()(int i) const {
    const double sizes = a[i].size() - b[i].size();
    if (!a[i].encloses({0.1F, 0.2F, 0.3F})) return sizes;
    if constexpr (std::is_same_v<V, Obb>) {
      return 1 + sizes;
    } else {
      return 1 + sizes + V::merge(a[i], b[i]).size();
    }
  }
};

/// An overlap test that is set up on the host.
template <class Test, class V>
struct Pairs {
  Test test;
  const V* a;
  const V* b;

  TANDEM_HD std::uint8_t operator()(int i) const { return test(a[i], test.tumble(b[i])) ? 1 : 0; }
};

/// An overlap test that is set up where it runs.
template <class Test, class V>
struct PairsFromPose {
  Pose b_in_a;
  V a_root;
  V b_root;
  const V* a;
  const V* b;

  TANDEM_HD std::uint8_t operator()(int i) const {
    const Test test(b_in_a, a_root, b_root);
    return test(a[i], test.tumble(b[i])) ? 1 : 0;
  }
};

template <class V>
class VolumeTests {
 public:
  VolumeTests() : host_a_(1), host_b_(2), device_a_(host_a_.volumes), device_b_(host_b_.volumes) {}

  bool properties() {
    return same_answers(label("properties").c_str(), k_count,
                        Properties<V>{on_host_a(), on_host_b()},
                        Properties<V>{device_a_.data(), device_b_.data()});
  }

  template <class Test>
  bool set_up_on_host(const Pose& b_in_a) {
    const Test test(b_in_a, host_a_.root, host_b_.root);
    return same_answers(label(Test::k_name).c_str(), k_count,
                        Pairs<Test, V>{test, on_host_a(), on_host_b()},
                        Pairs<Test, V>{test, device_a_.data(), device_b_.data()});
  }

  template <class Test>
  bool set_up_anywhere(const Pose& b_in_a) {
    return same_answers(
        label(Test::k_name).c_str(), k_count,
        PairsFromPose<Test, V>{b_in_a, host_a_.root, host_b_.root, on_host_a(), on_host_b()},
        PairsFromPose<Test, V>{b_in_a, host_a_.root, host_b_.root, device_a_.data(),
                               device_b_.data()});
  }

 private:
  const V* on_host_a() const { return host_a_.volumes.data(); }
  const V* on_host_b() const { return host_b_.volumes.data(); }
  static std::string label(std::string_view what) {
    return std::string(V::k_name) + ", " + std::string(what);
  }

  Volumes<V> host_a_;
  Volumes<V> host_b_;
  DeviceArray<V> device_a_;
  DeviceArray<V> device_b_;
};

template <int K>
bool dops() {
  VolumeTests<Kdop<K>> tests;
  return tests.properties() && tests.template set_up_on_host<KdopOverlap<K>>(k_turn);
}

bool boxes() {
  VolumeTests<Aabb> tests;
  return tests.properties() && tests.set_up_anywhere<AlignedAabbOverlap>(k_move) &&
         tests.set_up_anywhere<RealignedAabbOverlap<>>(k_turn) &&
         tests.set_up_anywhere<SixAxisAabbOverlap<>>(k_turn) &&
         tests.set_up_anywhere<FifteenAxisAabbOverlap<>>(k_turn);
}

bool spheres() {
  VolumeTests<Sphere> tests;
  return tests.properties() && tests.set_up_anywhere<SphereOverlap<>>(k_turn);
}

bool oriented_boxes() {
  VolumeTests<Obb> tests;
  return tests.properties() && tests.set_up_anywhere<ObbOverlap<>>(k_turn);
}

/// Two roots, then a step down in A and one in B. Bits: where the boxes overlap.
struct RelativePlaces {
  Pose b_in_a;
  const Obb* a;
  const Obb* b;

  TANDEM_HD std::uint8_t operator()(int i) const {
    const RelativePlace<> roots(b_in_a, a[i], b[i]);
    const RelativePlace<> in_child = roots.down_a(b[i]);
    const RelativePlace<> of_child = in_child.down_b(a[i]);
    return static_cast<std::uint8_t>((roots.overlap(a[i], b[i]) ? 1 : 0) |
                                     (in_child.overlap(b[i], b[i]) ? 2 : 0) |
                                     (of_child.overlap(b[i], a[i]) ? 4 : 0));
  }
};

bool relative_oriented_boxes() {
  const Volumes<Obb> a(3);
  const Volumes<Obb> b(4);
  DeviceArray<Obb> device_a(a.volumes);
  DeviceArray<Obb> device_b(b.volumes);
  return same_answers("obb, relative", k_count,
                      RelativePlaces{k_turn, a.volumes.data(), b.volumes.data()},
                      RelativePlaces{k_turn, device_a.data(), device_b.data()});
}

/// Cuts both roots towards the boxes of the same number, one side at a time. Bits: whether the
/// boxes meet after each step, by updates and computed again.
template <class Test>
struct RestrictedPairs {
  static constexpr int k_steps = 8;

  Pose b_in_a;
  Aabb a_root;
  Aabb b_root;
  const Aabb* a;
  const Aabb* b;

  TANDEM_HD std::uint32_t operator()(int i) const {
    const Test test(b_in_a, a_root, b_root);
    auto box_a = test.root_a();
    auto box_b = test.root_b();
    auto moved_a = box_a;
    auto moved_b = box_b;
    std::uint32_t bits = 0;
    for (int step = 0; step < k_steps; ++step) {
      const Cut cut_a = best_cut(box_a, a[i]).cut;
      const Cut cut_b = best_cut(box_b, b[i]).cut;
      test.cut_a(box_a, cut_a);
      test.cut_b(box_b, cut_b);
      test.move_a(moved_a, cut_a);
      test.move_b(moved_b, cut_b);
      test.settle_a(moved_a);
      test.settle_b(moved_b);
      bits = bits << 3 | (test.meets(box_a, box_b) ? 1U : 0U) |
             (test.meets_fully(box_a, box_b) ? 2U : 0U) |
             (test.meets_fully(moved_a, moved_b) ? 4U : 0U);
    }
    return bits;
  }
};

template <class Test>
bool restricted(const Volumes<Aabb>& a, const Volumes<Aabb>& b, DeviceArray<Aabb>& device_a,
                DeviceArray<Aabb>& device_b) {
  const std::string label = "restricted, " + std::string(Test::k_name);
  return same_answers(
      label.c_str(), k_count,
      RestrictedPairs<Test>{k_turn, a.root, b.root, a.volumes.data(), b.volumes.data()},
      RestrictedPairs<Test>{k_turn, a.root, b.root, device_a.data(), device_b.data()});
}

bool restricted_boxes() {
  const Volumes<Aabb> a(5);
  const Volumes<Aabb> b(6);
  DeviceArray<Aabb> device_a(a.volumes);
  DeviceArray<Aabb> device_b(b.volumes);
  return restricted<RestrictedAlignment<>>(a, b, device_a, device_b) &&
         restricted<RestrictedSatLite<>>(a, b, device_a, device_b) &&
         restricted<RestrictedSat<>>(a, b, device_a, device_b);
}

}  // namespace

int main() {
  if (!tandem::test::has_device()) return tandem::test::k_skipped;
  const bool same = boxes() && spheres() && oriented_boxes() && dops<6>() && dops<14>() &&
                    dops<18>() && dops<24>() && dops<26>() && relative_oriented_boxes() &&
                    restricted_boxes();
  return same ? 0 : 1;
}
