// The triangle test on a CUDA device: the same answers from the same stages as on the host, pair
// for pair, and the same bits from the transform. Needs nothing but CUDA and the standard library.
// Exits with 77, which means skipped, where there is no device.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "support/triangle_cases.h"

namespace {

using tandem::Pose;
using tandem::Triangle;
using tandem::TriangleF;

constexpr int k_skipped = 77;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// An array on the device, freed with its owner.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::vector<T> host() const {
    std::vector<T> result(count_);
    check(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy out");
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

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

int block_count(int count) {
  return (count + 127) / 128;
}

bool same_answers(int pair_count) {
  const std::uint64_t seed = 31;
  tandem::test::TriangleCases cases(seed);
  std::vector<Triangle> p;
  std::vector<Triangle> q;
  for (int i = 0; i < pair_count; ++i) {
    const tandem::test::TriangleCase c = cases.next(i % tandem::test::TriangleCases::k_kind_count);
    p.push_back(c.p);
    q.push_back(c.q);
  }
  DeviceArray<Triangle> device_p(p);
  DeviceArray<Triangle> device_q(q);
  DeviceArray<std::uint8_t> device_answers(p.size());
  cudaEvent_t start;
  cudaEvent_t stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  check(cudaEventRecord(start), "cudaEventRecord");
  test_pairs<<<block_count(pair_count), 128>>>(device_p.data(), device_q.data(),
                                               device_answers.data(), pair_count);
  check(cudaEventRecord(stop), "cudaEventRecord");
  check(cudaGetLastError(), "launch");
  const std::vector<std::uint8_t> answers = device_answers.host();
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
  long touching_count = 0;
  for (int i = 0; i < pair_count; ++i) {
    touching_count += answers[i] & 1;
    if (answers[i] == encode(tandem::detail::test_triangles(p[i], q[i]))) continue;
    std::fprintf(stderr, "seed %llu, pair %d: host and device disagree\n",
                 static_cast<unsigned long long>(seed), i);
    return false;
  }
  std::printf("%d pairs, %ld touching: same answers and stages; %.1f ms on the device\n",
              pair_count, touching_count, milliseconds);
  return true;
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
  int device_count = 0;
  if (cudaGetDeviceCount(&device_count) != cudaSuccess || device_count == 0) {
    std::printf("no CUDA device here: skipped\n");
    return k_skipped;
  }
  const int pair_count = argc > 1 ? std::atoi(argv[1]) : 1'200'000;
  return same_answers(pair_count) && same_transforms(1'000'000) ? 0 : 1;
}
