#include "chip/stack_engine.h"

#include <tandem/error.h>

#include <algorithm>
#include <string>

namespace tandem::chip {

StackEngine::StackEngine(const Config& config)
    : entry_words_(static_cast<std::size_t>(config.entry_words())),
      word_count_(static_cast<std::size_t>(config.stack_words)),
      top_{0, word_count_} {}

ListEntry& StackEngine::word(int side, std::size_t address) {
  std::vector<ListEntry>& end = ends_[static_cast<std::size_t>(side)];
  const std::size_t place = side == 0 ? address : word_count_ - 1 - address;
  if (place >= end.size()) end.resize(place + 1);
  return end[place];
}

void StackEngine::reserve(std::size_t words) {
  if (top_[1] - top_[0] < words) {
    throw Error("the lists of this query need more than the " + std::to_string(word_count_) +
                " words of SRAM that the chip has (stack_words)");
  }
  peak_ = std::max(peak_, word_count_ - (top_[1] - top_[0]) + words);
}

void StackEngine::open(const std::array<std::uint32_t, 2>& children) {
  reserve(k_frame_words);
  const std::size_t frame = top_[0];
  word(0, frame) = {children[0], false};
  word(0, frame + 1) = {children[1], false};
  top_[0] += k_frame_words;
  levels_.push_back({.frame = frame, .base = top_, .begin = top_});
}

void StackEngine::close() {
  top_ = {levels_.back().frame, levels_.back().base[1]};
  levels_.pop_back();
}

std::uint32_t StackEngine::children(int side) {
  return word(0, levels_.back().frame + static_cast<std::size_t>(side)).pointer;
}

void StackEngine::flip() {
  levels_.back().flipped = true;
  clear(0);
}

void StackEngine::push(int side, ListEntry entry) {
  reserve(entry_words_);
  if (side == 0) {
    word(0, top_[0]) = entry;
    top_[0] += entry_words_;
  } else {
    top_[1] -= entry_words_;
    word(1, top_[1]) = entry;
  }
}

StackEngine::List StackEngine::list(int side) const {
  const auto i = static_cast<std::size_t>(side);
  const std::size_t begin = levels_.back().begin[i];
  const std::size_t words = side == 0 ? top_[0] - begin : begin - top_[1];
  return {side, begin, words / entry_words_};
}

ListEntry StackEngine::read(const List& list, std::size_t index) {
  return word(list.side, list.side == 0 ? list.begin + index * entry_words_
                                        : list.begin - (index + 1) * entry_words_);
}

void StackEngine::begin_list(int side) {
  const auto i = static_cast<std::size_t>(side);
  levels_.back().begin[i] = top_[i];
}

void StackEngine::clear(int side) {
  const auto i = static_cast<std::size_t>(side);
  top_[i] = levels_.back().base[i];
  begin_list(side);
}

Cycle StackEngine::access(Cycle at, Cycle words) {
  port_free_ = std::max(port_free_, at) + words;
  busy_ += words;
  return port_free_;
}

}  // namespace tandem::chip
