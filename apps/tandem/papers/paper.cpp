#include "papers/paper.h"

#include "papers/collision_chip/collision_chip.h"
#include "papers/collision_chip_hardware/collision_chip_hardware.h"
#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "papers/stackless_rays/stackless_rays.h"
#include "papers/stackless_tandem/stackless_tandem.h"

namespace tandem::cli {

namespace {

constexpr PaperInfo k_papers[] = {
    {"stackless-tandem", "two hierarchies traversed without a stack: tables 2 to 8, figure 33",
     false, true, false, &stackless_tandem::reproduce},
    {"collision-chip-traversal", "24-DOP trees in close proximity: table 1's node counts", true,
     true, false, &collision_chip::reproduce},
    {"collision-chip", "a model of the chip: table 1, cycle by cycle, and other chips", true, true,
     false, &collision_chip_hardware::reproduce},
    {"restricted-boxtree", "one plane per node: table 1, figures 1, 6, 8, 9 and 10, and beyond",
     true, true, false, &restricted_boxtree::reproduce},
    {"stackless-rays", "rays without a stack: tables 1 and 2 of a path tracer's rays", true, false,
     true, &stackless_rays::reproduce},
    {"gpu-blocked-tandem", "rigid bodies in a stack, a pile and a rock slide: figures 6 to 8", true,
     true, true, &gpu_blocked_tandem::reproduce},
};

}  // namespace

std::span<const PaperInfo> papers() {
  return k_papers;
}

void write_paper_json(const ReproduceOptions& options, std::string_view paper, const Json& rows,
                      const std::vector<std::string>& findings) {
  options.report.write([&] {
    Json object = json_head("paper", paper);
    object["quick"] = options.quick();
    object["rows"] = rows;
    object["findings"] = findings;
    return object;
  });
}

}  // namespace tandem::cli
