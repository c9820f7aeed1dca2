// tandem bench gpu: scenes of many bodies on a CUDA device.
#include <memory>

#include "bench/bench_commands.h"
#include "bench/gpu/gpu_bench.h"
#include "devices/devices.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Finds all touching triangles of a scene as it stands at one moment:
  stack      boxes in a cube, face to face
  pile       bodies so dense that each reaches into several others
  heavy      a pile of longer bodies, which reach into twice as many others
  rockslide  bodies on a slope, some of which touch the ground
  pair       two large bodies that reach into each other
  plates     two plates in one plane, which touch in coplanar triangles alone
  poses      two bodies in as many poses as --objects says, nearly all of them touching: all pairs,
             how many each pose has, and whether it has any
  apart      two bodies in as many poses, 1.01 to 2 times as far apart as where they touch: how far
             apart they are, and whether they come as close as they do in the middle
  apart-pair the same for one pose of two large bodies
Times are medians: on the device by its own events, with poses on the device already and pairs left
there; a whole frame also finds out on the device which bodies are close; with copies means from the
host's poses to the host's sorted pairs; on the processor wall times of the same queries. Of obb and
fcl only some pairs of bodies are timed (--sample), and the time of all is estimated from them. All
of Tandem's ways must find the same pairs.

Examples:
  tandem bench gpu --scenes stack,pile,rockslide --objects 216 --triangles 1500
  tandem bench gpu --scenes poses --objects 1000000 --method waves,warps --rounds 5
  tandem bench gpu --scenes apart,apart-pair --objects 100000 --method warps
  tandem bench gpu --objects 2500 --method waves,blocked --beside tandem,obb,fcl --json rows.json)";

int run(const GpuBenchOptions& options) {
  require_cuda("tandem bench gpu");
#ifdef TANDEM_HAS_CUDA
  return bench_on_cuda(options);
#else
  static_cast<void>(options);
  return k_exit_ok;
#endif
}

}  // namespace

Command add_bench_gpu(CLI::App& bench) {
  const auto options = std::make_shared<GpuBenchOptions>();
  CLI::App* const app =
      add_benchmark(bench, "gpu", "Scenes of many bodies on a CUDA device, and beside it", k_help);
  add_list(*app, "--scenes", options->scenes,
           "stack, pile, heavy, rockslide, pair, plates, poses, apart, apart-pair");
  add_value_with_default(*app, "--objects", options->objects, "N", "bodies of a scene, or poses");
  add_value(*app, "--mesh", options->mesh, "MESH",
            "what all bodies look like: a mesh file or a shape; by default a\n"
            "rock, or a box in a stack");
  add_value(*app, "--triangles", options->triangles, "N",
            "triangles of the default bodies (24000; 192 in a stack, a million\nin a pair, 250000 "
            "in a plate)");
  add_list(*app, "--method", options->methods, "how the device finds them");
  add_list(*app, "--beside", options->beside,
           "tandem (one core), threads (all cores), obb (one core), fcl (one core)");
  add_value_with_default(*app, "--sample", options->sample, "N",
                         "pairs of bodies from which the time of obb and fcl is estimated");
  add_value_with_default(*app, "--rounds", options->rounds, "N", "times that a scene is timed");
  add_value(*app, "--memory-limit", options->memory_limit, "MB",
            "the most megabytes that the queues of waves may take");
  add_flag(*app, "--unique", options->unique,
           "each body is a model of its own, instead of one that all show");
  add_flag(*app, "--steps", options->steps, "also tell where the time of a method goes");
  add_json_file(*app, options->measurement);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
