// What a driver writes into the registers of the chip in SystemVerilog (chip/rtl/register_map.sv),
// and into its memory.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/config.h"
#include "chip/memory_image.h"
#include "chip/set_up.h"

namespace tandem::chip {

/// Addresses of registers.
enum class Register : std::uint32_t {
  matrix = 0x000,
  correspondence = 0x100,
  fill = 0x180,
  root_a = 0x181,
  root_b = 0x182,
  nodes_a = 0x183,
  nodes_b = 0x184,
  triangles_a = 0x185,
  triangles_b = 0x186,
  stack_words = 0x187,
  control = 0x188,
  status = 0x189,
  result_a = 0x18a,
  result_b = 0x18b,
  cycles = 0x18c,
};
struct RegisterWrite {
  std::uint32_t address;
  std::uint32_t value;
};

// Bits of the status.
inline constexpr std::uint32_t k_status_busy = 1;
inline constexpr std::uint32_t k_status_overflow = 4;
inline constexpr std::uint32_t k_status_result = 8;

/// Everything for a query, in an order in which it may be written; the last one starts it.
std::vector<RegisterWrite> register_writes(const Config& config, const RegisterContents& contents,
                                           const MemoryLayout& layout);

/// The words of the memory.
std::vector<std::uint32_t> memory_words(const MemoryLayout& layout, const ObjectImage& a,
                                        const ObjectImage& b);

}  // namespace tandem::chip
