// The triangle test on a CUDA device: for each pair, the same answer from the same stage as on the
// host, how long the device takes, and the same bits from the transform. Needs nothing but CUDA and
// the standard library.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda/device.h"
#include "geometry/triangle_axes.h"
#include "geometry/triangle_test.h"
#include "geometry/unit_triangle.h"
#include "math/transform.h"
#include "support/triangle_cases.h"

namespace {

using tandem::Pose;
using tandem::Triangle;
using tandem::TriangleF;

using tandem::test::block_count;
using tandem::test::check;
using tandem::test::DeviceArray;

/// Bit 0: the answer; the rest: the stage.
TANDEM_HD std::uint8_t encode(const tandem::detail::TriangleAnswer& answer) {
  return static_cast<std::uint8_t>((static_cast<int>(answer.stage) << 1) |
                                   (answer.intersects ? 1 : 0));
}

__global__ void test_pairs(const Triangle* p, const Triangle* q, std::uint8_t* answers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) answers[i] = encode(tandem::detail::test_triangles(p[i], q[i]));
}

__global__ void move_triangles(Pose pose, const TriangleF* in, Triangle* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  for (int k = 0; k < 3; ++k) {
    out[i].corner[k] = tandem::detail::transform_point(pose, in[i].corner[k]);
  }
}

/// The median of several launches in milliseconds, by events of the device.
float median_time(const Triangle* p, const Triangle* q, std::uint8_t* answers, int count) {
  cudaEvent_t start;
  cudaEvent_t stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  std::vector<float> times;
  for (int round = 0; round < 11; ++round) {
    check(cudaEventRecord(start), "cudaEventRecord");
    test_pairs<<<block_count(count), 128>>>(p, q, answers, count);
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaGetLastError(), "launch");
    check(cudaEventSynchronize(stop), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
    times.push_back(milliseconds);
  }
  check(cudaEventDestroy(start), "cudaEventDestroy");
  check(cudaEventDestroy(stop), "cudaEventDestroy");
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  return times[5];
}

/// Tests pairs on both sides; prints how long the device takes, by the pair and by stage.
bool same_answers(const char* name, const std::vector<tandem::test::TriangleCase>& cases,
                  std::uint64_t seed) {
  const auto pair_count = static_cast<int>(cases.size());
  std::vector<Triangle> p;
  std::vector<Triangle> q;
  for (const tandem::test::TriangleCase& c : cases) {
    p.push_back(c.p);
    q.push_back(c.q);
  }
  DeviceArray<Triangle> device_p(p);
  DeviceArray<Triangle> device_q(q);
  DeviceArray<std::uint8_t> device_answers(p.size());
  const float milliseconds =
      median_time(device_p.data(), device_q.data(), device_answers.data(), pair_count);
  const std::vector<std::uint8_t> answers = device_answers.host();
  long touching_count = 0;
  long stage_count[tandem::detail::k_triangle_stage_count] = {};
  for (int i = 0; i < pair_count; ++i) {
    touching_count += answers[i] & 1;
    ++stage_count[answers[i] >> 1];
    if (answers[i] == encode(tandem::detail::test_triangles(p[i], q[i]))) continue;
    std::fprintf(stderr, "%s, seed %llu, pair %d: host and device disagree\n", name,
                 static_cast<unsigned long long>(seed), i);
    return false;
  }
  std::printf("%-20s %8d %8ld", name, pair_count, touching_count);
  for (const long count : stage_count) std::printf(" %8ld", count);
  std::printf(" %8.3f %8.2f\n", milliseconds, 1e6 * milliseconds / pair_count);
  return true;
}

/// The adversarial suite: all kinds mixed, so that threads of a warp go different ways, those that
/// the suite had from the beginning alone, and each kind alone.
bool same_answers(int pair_count) {
  constexpr int k_first_kinds = 12;
  constexpr int k_kinds = tandem::test::TriangleCases::k_kind_count;
  const std::uint64_t seed = 31;
  std::printf("same answers and stages on host and device; median of 11 launches\n");
  std::printf("%-20s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "pairs", "count", "touching",
              "float", "corner", "double", "narrow", "grid", "wide", "expans", "ms", "ns/pair");
  const auto try_kinds = [&](const char* name, int first, int kinds, int count) {
    tandem::test::TriangleCases cases(seed);
    std::vector<tandem::test::TriangleCase> pairs;
    for (int i = 0; i < count; ++i) pairs.push_back(cases.next(first + i % kinds));
    return same_answers(name == nullptr ? pairs[0].kind : name, pairs, seed);
  };
  if (!try_kinds("all kinds", 0, k_kinds, pair_count)) return false;
  if (!try_kinds("the first 12 kinds", 0, k_first_kinds, pair_count)) return false;
  const int each = pair_count / 4 + 1;
  for (int kind = 0; kind < k_kinds; ++kind) {
    if (!try_kinds(nullptr, kind, 1, each)) return false;
  }
  std::printf("%d pairs in all\n", 2 * pair_count + k_kinds * each);
  return true;
}

/// The triangle tests of two papers, in single precision. Bit 0: separating axes; bit 1: unit
/// triangles.
struct PaperTests {
  const Triangle* p;
  const Triangle* q;

  TANDEM_HD std::uint8_t operator()(int i) const {
    const auto unit = [](const Triangle& t) {
      return tandem::detail::UnitTriangle(TriangleF{
          {tandem::Vec3f(t.corner[0]), tandem::Vec3f(t.corner[1]), tandem::Vec3f(t.corner[2])}});
    };
    return static_cast<std::uint8_t>(
        (tandem::detail::triangle_axes_intersect(p[i], q[i]) ? 1 : 0) |
        (tandem::detail::unit_triangles_intersect(unit(p[i]), unit(q[i]), p[i], q[i]) ? 2 : 0));
  }
};

bool same_paper_answers(int pair_count) {
  tandem::test::TriangleCases cases(32);
  std::vector<Triangle> p;
  std::vector<Triangle> q;
  for (int i = 0; i < pair_count; ++i) {
    const tandem::test::TriangleCase c = cases.next();
    p.push_back(c.p);
    q.push_back(c.q);
  }
  DeviceArray<Triangle> device_p(p);
  DeviceArray<Triangle> device_q(q);
  return tandem::test::same_answers("tests of the papers", pair_count,
                                    PaperTests{p.data(), q.data()},
                                    PaperTests{device_p.data(), device_q.data()});
}

bool same_transforms(int triangle_count) {
  tandem::detail::Random random(8);
  std::vector<TriangleF> in(triangle_count);
  for (TriangleF& t : in) {
    for (tandem::Vec3f& c : t.corner) {
      for (int axis = 0; axis < 3; ++axis) c[axis] = static_cast<float>(random.uniform(-9, 9));
    }
  }
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.1, -5, 1e3});
  DeviceArray<TriangleF> device_in(in);
  DeviceArray<Triangle> device_out(in.size());
  move_triangles<<<block_count(triangle_count), 128>>>(pose, device_in.data(), device_out.data(),
                                                       triangle_count);
  check(cudaGetLastError(), "launch");
  const std::vector<Triangle> out = device_out.host();
  for (int i = 0; i < triangle_count; ++i) {
    const Triangle expected = tandem::detail::transform_triangle(pose, in[i]);
    if (std::memcmp(&expected, &out[i], sizeof expected) == 0) continue;
    std::fprintf(stderr, "triangle %d: host and device move it differently\n", i);
    return false;
  }
  std::printf("%d triangles: moved to the same bits\n", triangle_count);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!tandem::test::has_device()) return tandem::test::k_skipped;
  // Of each mixture; with each kind alone, that is 7.25 times as many in all.
  const bool exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const int pair_count = argc > 1 ? std::atoi(argv[1]) : exhaustive ? 1'400'000 : 400'000;
  return same_answers(pair_count) && same_paper_answers(pair_count) && same_transforms(1'000'000)
             ? 0
             : 1;
}
