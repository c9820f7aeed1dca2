// A module that Verilator turned into C++, cycle by cycle.
//
// Waveforms go to a VCD file that is named, or, where the environment has TANDEM_RTL_WAVES=folder,
// to folder/<module>-<number>.vcd, one for each simulation.
#pragma once

#include <tandem/error.h>
#include <verilated.h>
#include <verilated_vcd_c.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace tandem::chip {

template <class Module>
class Simulated {
 public:
  explicit Simulated(const std::string& name, const std::string& waves = {})
      : module(&context_, name.c_str()) {
    const std::string file = waves.empty() ? file_of_environment(name) : waves;
    if (file.empty()) return;
    context_.traceEverOn(true);
    waves_ = std::make_unique<VerilatedVcdC>();
    module.trace(waves_.get(), k_all_levels);
    waves_->open(file.c_str());
    if (!waves_->isOpen()) throw Error("cannot write " + file);
  }
  ~Simulated() {
    module.final();
    if (waves_ != nullptr) waves_->close();
  }
  Simulated(const Simulated&) = delete;
  Simulated& operator=(const Simulated&) = delete;

  /// Lets the inputs reach the outputs.
  void settle() {
    module.clock = 0;
    module.eval();
  }
  /// Ends the cycle: the registers take what is at their inputs.
  void tick() {
    if (waves_ != nullptr) waves_->dump(2 * cycle_);
    module.clock = 1;
    module.eval();
    if (waves_ != nullptr) waves_->dump(2 * cycle_ + 1);
    ++cycle_;
  }
  std::uint64_t cycle() const { return cycle_; }

 private:
  static constexpr int k_all_levels = 99;

  static std::string file_of_environment(const std::string& name) {
    const char* const folder = std::getenv("TANDEM_RTL_WAVES");
    if (folder == nullptr) return {};
    static int number = 0;
    return std::string(folder) + "/" + name + "-" + std::to_string(number++) + ".vcd";
  }

  VerilatedContext context_;

 public:
  Module module;

 private:
  std::unique_ptr<VerilatedVcdC> waves_;
  std::uint64_t cycle_ = 0;
};

}  // namespace tandem::chip
