// Distances on a CUDA device: those of the host, to the bit. With the argument `small` it ends in
// seconds under compute-sanitizer.
#include <tandem/cuda/collide.h>
#include <tandem/cuda/scene.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cuda/run_on_device.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/complexity_cases.h"
#include "support/random_scenes.h"

namespace {

using tandem::BatchQuery;
using tandem::DistanceResult;
using tandem::Mesh;
using tandem::Model;
using tandem::Pose;
using tandem::cuda::CollideMethod;
using tandem::cuda::Collider;
using tandem::cuda::ColliderOptions;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

struct Batch {
  std::string name;
  std::vector<Model> models;
  std::vector<BatchQuery> queries;

  void add(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
    const auto first = static_cast<std::uint32_t>(models.size());
    models.emplace_back(a);
    models.emplace_back(b);
    queries.push_back({first, first + 1, b_in_a});
  }
};

bool same_bits(const double* x, const double* y, std::size_t count) {
  return std::memcmp(x, y, count * sizeof(double)) == 0;
}

/// Where models touch, any pair that does, with the points of the host for that.
bool same(const Batch& batch, std::size_t i, const DistanceResult& found, DistanceResult expected) {
  if (found.distance == 0 && expected.distance == 0 && found.pair) {
    const BatchQuery& query = batch.queries[i];
    const tandem::TriangleDistance at =
        distance(batch.models[query.a], batch.models[query.b], query.b_in_a, *found.pair);
    if (at.distance != 0) return false;
    expected.pair = found.pair;
    expected.on_a = at.on_a;
    expected.on_b = at.on_b;
  }
  return same_bits(&found.distance, &expected.distance, 1) && found.pair == expected.pair &&
         same_bits(&found.on_a.x, &expected.on_a.x, 3) &&
         same_bits(&found.on_b.x, &expected.on_b.x, 3) &&
         same_bits(&found.normal.x, &expected.normal.x, 3) &&
         same_bits(&found.lower_bound, &expected.lower_bound, 1);
}

bool same(const Batch& batch, const char* what, double limit,
          const std::vector<DistanceResult>& found, const std::vector<DistanceResult>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same(batch, i, found[i], expected[i])) continue;
    std::fprintf(stderr,
                 "%s, %s, query %zu, limit %g: %.17g on the device, %.17g on the host, pairs %u %u "
                 "and %u %u\n",
                 batch.name.c_str(), what, i, limit, found[i].distance, expected[i].distance,
                 found[i].pair ? found[i].pair->a : ~0U, found[i].pair ? found[i].pair->b : ~0U,
                 expected[i].pair ? expected[i].pair->a : ~0U,
                 expected[i].pair ? expected[i].pair->b : ~0U);
    return false;
  }
  return true;
}

/// In each way, with and without limits, by models of the host and of the device, in much and in
/// little memory.
bool same_distances(const Batch& batch) {
  std::vector<Mesh> meshes;
  for (const Model& model : batch.models) meshes.push_back(model.mesh());
  const auto host = [&](double limit) {
    return distance_batch(batch.models, batch.queries, {.limit = limit, .threads = 0});
  };
  const std::vector<DistanceResult> expected = host(k_infinity);
  double middle = 0;
  std::size_t touching = 0;
  for (const DistanceResult& result : expected) {
    if (std::isfinite(result.distance)) middle += result.distance / double(expected.size());
    touching += result.distance == 0 ? 1 : 0;
  }
  const std::vector<DistanceResult> limited = host(middle);
  const std::vector<DistanceResult> none = host(0);
  const struct {
    const char* name;
    ColliderOptions options;
    bool built;
  } ways[] = {{"a warp each", {.method = CollideMethod::warps}, false},
              {"several warps each", {.method = CollideMethod::waves}, false},
              {"best, built on the device", {}, true},
              {"little memory", {.memory_limit = 100'000}, false}};
  for (const auto& way : ways) {
    Collider collider = way.built ? Collider(std::span<const Mesh>(meshes), way.options)
                                  : Collider(batch.models, way.options);
    // The second time the memory is there; touching pairs are the same.
    const std::vector<DistanceResult> found = collider.distance(batch.queries);
    const std::vector<DistanceResult> again = collider.distance(batch.queries);
    if (!same(batch, way.name, k_infinity, found, expected) ||
        !same(batch, way.name, k_infinity, again, expected) ||
        !same(batch, way.name, middle, collider.distance(batch.queries, middle), limited) ||
        !same(batch, way.name, 0, collider.distance(batch.queries, 0), none)) {
      return false;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].pair == again[i].pair) continue;
      std::fprintf(stderr, "%s, %s, query %zu: another touching pair the second time\n",
                   batch.name.c_str(), way.name, i);
      return false;
    }
    for (const double within : {0.0, 0.9 * middle, middle, k_infinity}) {
      if (collider.within(batch.queries, within) ==
          within_batch(batch.models, batch.queries, within, {.threads = 0})) {
        continue;
      }
      std::fprintf(stderr, "%s, %s: others are within %g\n", batch.name.c_str(), way.name, within);
      return false;
    }
  }
  std::printf("%-28s %7zu queries, %6zu touch: the same in 4 ways\n", batch.name.c_str(),
              batch.queries.size(), touching);
  return true;
}

Pose random_pose(tandem::detail::Random& random, double distance) {
  const auto in_range = [&] { return random.uniform(-1, 1); };
  return Pose::from_quaternion(
      in_range(), in_range(), in_range(), in_range(),
      {distance * in_range(), distance * in_range(), distance * in_range()});
}

Batch random_cases(std::uint64_t seed, int count) {
  Batch batch{"cases of seed " + std::to_string(seed), {}, {}};
  tandem::test::CollideCases cases(seed);
  for (int i = 0; i < count; ++i) {
    const tandem::test::CollideCase c = cases.next();
    batch.add(c.a, c.b, c.b_in_a);
  }
  return batch;
}

Batch poses(const char* shape, std::size_t triangles, int count, double distance) {
  Batch batch{std::string(shape) + " x " + std::to_string(triangles), {}, {}};
  batch.models = {Model(tandem::make_shape(shape, triangles)),
                  Model(tandem::make_shape("rock", triangles))};
  tandem::detail::Random random(triangles);
  for (int i = 0; i < count; ++i) {
    batch.queries.push_back({0, static_cast<std::uint32_t>(i % 2), random_pose(random, distance)});
  }
  return batch;
}

/// Faces at equal distances and in one plane, and models that float32 cannot hold.
Batch hard_ones(int cells) {
  Batch batch{"flush, far and uneven", {}, {}};
  const Mesh plane = tandem::make_plane(cells);
  const Mesh rock = tandem::make_shape("rock", 200);
  for (const double z : {0.5, 1e-3, 1e-9, 1e-17, 1e-40, 0.0}) {
    batch.add(plane, plane, Pose::from_translation({0, 0, z}));
    batch.add(plane, plane, Pose::from_axis_angle({0, 0, 1}, 0.3, {0.1, 0.2, z}));
  }
  tandem::detail::Random random(3);
  for (const double distance : {1e2, 1e4, 1e7}) {
    const Mesh strays = tandem::test::with_strays(rock, distance, 3);
    batch.add(strays, strays, random_pose(random, 4));
    batch.add(rock, rock, Pose::from_translation({distance, 3, distance}));
  }
  batch.add(rock, rock, Pose::from_translation({1e30, 0, 0}));
  const Mesh magnitudes = tandem::test::all_magnitudes(3, 10);
  batch.add(magnitudes, magnitudes, random_pose(random, 3));
  return batch;
}

bool same_clearances(const std::vector<tandem::ObjectClearance>& found,
                     const std::vector<tandem::ObjectClearance>& expected) {
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; i < found.size() && same; ++i) {
    const auto& x = found[i];
    const auto& y = expected[i];
    same = x.objects == y.objects && same_bits(&x.distance, &y.distance, 1) &&
           (x.distance == 0 || (x.pair == y.pair && same_bits(&x.on_a.x, &y.on_a.x, 3) &&
                                same_bits(&x.on_b.x, &y.on_b.x, 3)));
  }
  return same;
}

/// Clearances of scenes whose objects move on the device, or on the host.
bool same_clearances(std::uint64_t scene_count) {
  std::size_t found_count = 0;
  for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
    const tandem::test::RandomScene scene(seed, seed * seed % 200, 300);
    const tandem::Scene on_host = scene.on_host();
    tandem::cuda::DeviceScene on_device(scene.models, scene.model_of);
    tandem::cuda::SceneCollider of_host;
    for (const double distance : {0.0, 0.1, 1.0}) {
      const auto expected = on_host.clearances(distance, {.threads = 0});
      const auto found = on_device.clearances(scene.in_world, distance);
      if (!same_clearances(found, expected) ||
          !same_clearances(of_host.clearances(on_host, distance, {.threads = 0}), expected)) {
        std::fprintf(stderr, "scene of seed %llu: other objects are within %g\n",
                     static_cast<unsigned long long>(seed), distance);
        return false;
      }
      found_count += found.size();
    }
  }
  std::printf("%-28s %7llu scenes, %zu clearances: the same\n", "scenes",
              static_cast<unsigned long long>(scene_count), found_count);
  return true;
}

/// What is refused.
bool refused() {
  const std::vector<Model> models = {Model(tandem::make_box(1))};
  const std::vector<BatchQuery> queries = {{0, 0, Pose()}};
  const auto throws = [&](const char* what, const auto& call) {
    try {
      call();
    } catch (const tandem::Error& error) {
      return true;
    }
    std::fprintf(stderr, "%s is accepted\n", what);
    return false;
  };
  Collider collider(models);
  Collider blocked(models, {.method = CollideMethod::blocked});
  const std::vector<BatchQuery> wrong = {{0, 1, Pose()}};
  return throws("a negative limit", [&] { collider.distance(queries, -1); }) &&
         throws("a distance that is not a number", [&] { collider.within(queries, NAN); }) &&
         throws("a model that is not there", [&] { collider.distance(wrong); }) &&
         throws("another method", [&] { blocked.distance(queries); }) &&
         collider.distance({}).empty();
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool small = argument_count > 1 && std::strcmp(arguments[1], "small") == 0;
  return tandem::test::run_on_device([&] {
    bool same =
        refused() && same_clearances(small ? 1 : 40) && same_distances(hard_ones(small ? 3 : 40));
    for (std::uint64_t seed = 1; seed <= (small ? 1 : 8) && same; ++seed) {
      same = same_distances(random_cases(seed, small ? 10 : 500));
    }
    for (const char* const shape : {"rock", "knot", "torus", "pipes", "soup"}) {
      if (small && std::strcmp(shape, "knot") != 0) continue;
      same = same && same_distances(poses(shape, small ? 100 : 3'000, small ? 6 : 4'000, 4));
      same = same && same_distances(poses(shape, small ? 100 : 30'000, small ? 2 : 50, 8));
    }
    same = same && (small || same_distances(poses("rock", 1'000'000, 4, 8)));
    return same;
  });
}
