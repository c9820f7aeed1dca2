#include "hardware/rtl_run.h"

#include <tandem/error.h>

#include <string>

#ifdef TANDEM_HAS_RTL
#include "chip/rtl/rtl_chip.h"
#endif

namespace tandem::cli::hardware {

#ifdef TANDEM_HAS_RTL

RtlRun run_rtl(const chip::Config& config, const chip::ObjectImage& a, const chip::ObjectImage& b,
               const Pose& b_in_a) {
  chip::Config with_control = config;
  with_control.control_cycles = chip::rtl_config().control_cycles;
  const chip::Report rtl = chip::RtlChip(with_control, a, b).run(b_in_a);
  const chip::Report model = chip::CollisionChip(with_control, a, b).run(b_in_a);
  if (rtl.pairs != model.pairs || rtl.cycles != model.cycles) {
    throw Error("the chip in SystemVerilog finds " + std::to_string(rtl.pairs.size()) +
                " pairs in " + std::to_string(rtl.cycles) + " cycles, its model " +
                std::to_string(model.pairs.size()) + " in " + std::to_string(model.cycles) +
                ": this is a bug in Tandem");
  }
  return {rtl.cycles, model.of(chip::Phase::control)};
}

#else

RtlRun run_rtl(const chip::Config& /*config*/, const chip::ObjectImage& /*a*/,
               const chip::ObjectImage& /*b*/, const Pose& /*b_in_a*/) {
  throw Error("this program was built without Verilator, which --rtl needs");
}

#endif

}  // namespace tandem::cli::hardware
