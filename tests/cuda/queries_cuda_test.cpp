// Queries on a CUDA device through the public interface: the hits of the host, to the bit.
#include <tandem/cuda/rays.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/ray_cases.h"

namespace {

using tandem::Hit;
using tandem::Mesh;
using tandem::Model;
using tandem::Ray;
using tandem::cuda::DeviceModel;
using tandem::cuda::RayTracing;

/// The exit status that means skipped, for machines without a device.
constexpr int k_skipped = 77;

/// Hard rays at a mesh, traced in every way, against the host's.
bool same_hits(const std::string& name, const Mesh& mesh, std::size_t ray_count,
               std::uint64_t seed) {
  const Model model(mesh);
  tandem::test::RayCases cases(mesh, seed);
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < ray_count; ++i) rays.push_back(cases.next());
  std::vector<Hit> expected(rays.size());
  tandem::closest_hits(model, rays, expected, {.threads = 0});
  std::size_t hit_count = 0;
  for (const Hit& hit : expected) hit_count += hit ? 1 : 0;

  struct Way {
    std::string name;
    const DeviceModel* model;
    RayTracing how;
  };
  const DeviceModel built(mesh);
  std::vector<DeviceModel> copied;
  for (const char* const structure : {"ray-pairs", "ray-binary", "ray-wide"}) {
    copied.emplace_back(model, structure);
  }
  std::vector<Way> ways;
  for (const bool refill : {false, true}) {
    ways.push_back({"built on the device", &built, {{}, refill}});
    ways.push_back({"pairs", copied.data(), {"pairs", refill}});
    ways.push_back({"pairs-stackless", copied.data(), {"pairs-stackless", refill}});
    for (const char* const traversal : {"stack-distance", "stack", "automaton", "compact", "skip",
                                        "restart-trail", "backtrack"}) {
      ways.push_back({traversal, &copied[1], {traversal, refill}});
    }
    ways.push_back({"lanes", &copied[2], {"lanes", refill}});
  }
  for (const Way& way : ways) {
    std::vector<Hit> hits(rays.size());
    std::vector<std::uint8_t> any(rays.size(), 7);
    tandem::cuda::closest_hits(*way.model, rays, hits, {}, way.how);
    tandem::cuda::any_hits(*way.model, rays, any, {}, way.how);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (hits[i] == expected[i] && any[i] == (expected[i] ? 1 : 0)) continue;
      std::fprintf(stderr, "%s, seed %llu, ray %zu, %s%s: host and device disagree\n", name.c_str(),
                   static_cast<unsigned long long>(seed), i, way.name.c_str(),
                   way.how.refill ? ", refilled" : "");
      return false;
    }
  }
  std::printf("%-12s %8zu triangles %9zu rays %9zu hits, the same in %zu ways\n", name.c_str(),
              mesh.triangle_count(), rays.size(), hit_count, ways.size());
  return true;
}

/// A traversal of another structure is refused.
bool wrong_names() {
  const DeviceModel box(Model(tandem::make_shape("box", 12)));
  std::vector<Hit> hits(1);
  const std::vector<Ray> one(1, Ray{{0, 0, 0}, {1, 0, 0}});
  try {
    tandem::cuda::closest_hits(box, one, hits, {}, {"skip", false});
  } catch (const tandem::Error&) {
    return true;
  }
  std::fprintf(stderr, "a traversal of another structure is accepted\n");
  return false;
}

/// Nothing to trace, and nothing to trace through.
bool empty_ones() {
  const DeviceModel nothing{Mesh()};
  const DeviceModel box(Model(tandem::make_shape("box", 12)));
  std::vector<Hit> hits(1, Hit{7, 1, 0, 0});
  const std::vector<Ray> one(1, Ray{{0, 0, 0}, {1, 0, 0}});
  tandem::cuda::closest_hits(nothing, one, hits);
  const bool missed = !hits[0];
  tandem::cuda::closest_hits(box, {}, {});
  if (!missed) std::fprintf(stderr, "an empty model is hit\n");
  return missed;
}

}  // namespace

int main() {
  try {
    if (tandem::cuda::devices().empty()) {
      std::printf("no CUDA device here: skipped\n");
      return k_skipped;
    }
    const std::size_t count = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 2'000'000 : 200'000;
    bool same = empty_ones() && wrong_names();
    std::uint64_t seed = 1;
    for (const char* const name : {"knot", "rock", "torus", "soup", "pipes"}) {
      same = same && same_hits(name, tandem::make_shape(name, 20'000), count, seed++);
    }
    // Beyond and below what float32 arithmetic can trace.
    const Mesh rock = tandem::make_shape("rock", 2'000);
    for (const double scale : {1e-30, 1e-9, 1e9, 1e25}) {
      const std::string name = "rock x " + std::to_string(static_cast<int>(std::log10(scale)));
      same = same && same_hits(name, tandem::test::transformed(rock, scale, {3, -1, 2}), count / 10,
                               seed++);
    }
    return same ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
