// What stands around the chip on its board: the memory behind its bus, and the SRAM of the stack
// engine.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "chip/sdram.h"

namespace tandem::chip {

/// Answers reads in their order, with the times of the model's SDRAM. A burst begins when its data
/// are there and the chip has room for it.
class BusModel {
 public:
  BusModel(const Config& config, std::span<const std::uint32_t> words)
      : sdram_(config), words_(words) {}

  void ask(Cycle cycle, std::uint64_t address, std::uint32_t beats) {
    reads_.push_back({cycle, address, beats});
  }
  /// The eight words of the beat of this cycle, if there is one. `room(beats)` says whether a burst
  /// may begin.
  template <class Room>
  const std::uint32_t* beat(Cycle cycle, Room room) {
    if (beats_left_ == 0 && !reads_.empty()) {
      const Read& next = reads_.front();
      const int bytes = static_cast<int>(next.beats * k_beat_bytes);
      if (!data_there_) data_there_ = Sdram(sdram_).read(next.asked, 0, next.address, bytes);
      if (cycle >= *data_there_ && room(next.beats)) {
        sdram_.read(next.asked, cycle, next.address, bytes);
        beats_left_ = next.beats;
        next_word_ = next.address / 4;
        reads_.pop_front();
        data_there_.reset();
      }
    }
    if (beats_left_ == 0) return nullptr;
    --beats_left_;
    const std::uint32_t* const beat = &words_[next_word_];
    next_word_ += k_beat_bytes / 4;
    return beat;
  }
  bool idle() const { return reads_.empty() && beats_left_ == 0; }
  const SdramCounts& counts() const { return sdram_.counts(); }

 private:
  static constexpr std::uint32_t k_beat_bytes = 32;
  struct Read {
    Cycle asked;
    std::uint64_t address;
    std::uint32_t beats;
  };

  Sdram sdram_;
  std::span<const std::uint32_t> words_;
  std::deque<Read> reads_;
  /// When the data of the first read could come.
  std::optional<Cycle> data_there_;
  std::uint32_t beats_left_ = 0;
  std::size_t next_word_ = 0;
};

/// Words of 36 bits; what is read is there in the next cycle.
class StackSram {
 public:
  explicit StackSram(int words) : words_(static_cast<std::size_t>(words)) {}

  /// The ports of a module for one cycle. Returns what is read, if anything is.
  std::optional<std::uint64_t> access(bool enable, bool write, std::uint32_t address,
                                      std::uint64_t value) {
    if (!enable) return std::nullopt;
    ++accesses_;
    if (!write) return words_.at(address);
    words_.at(address) = value;
    return std::nullopt;
  }
  std::uint64_t accesses() const { return accesses_; }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t accesses_ = 0;
};

}  // namespace tandem::chip
