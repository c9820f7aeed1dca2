// The stack engine and its SRAM (section 3.2, figure 2): the stack of lists, pointers to the
// tumbled pairs that were visited, and the flip bit that says which of the two branches comes next.
//
// Two lists grow at once, one for each tumbled sibling. So the SRAM is a stack with two ends: the
// first sibling's lists and the pointers grow from its bottom, the second's lists from its top.
// Where a list begins is kept in registers of the engine. It is a limit that is reported: a query
// whose lists do not fit is an error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chip/config.h"
#include "chip/dot_add.h"

namespace tandem::chip {

/// What a list refers to: a pair of aligned siblings, or an aligned leaf that stays.
struct ListEntry {
  /// The pair, or the place of the leaf; on lists of a tumbled leaf, the leaf's triangle.
  std::uint32_t pointer = 0;
  bool leaf = false;

  friend bool operator==(const ListEntry&, const ListEntry&) = default;
};

class StackEngine {
 public:
  explicit StackEngine(const Config& config);

  /// Goes down one level. `children` are the pairs below the two tumbled siblings there; they are
  /// pushed with a flip bit of 0, and the lists of both siblings begin empty.
  void open(const std::array<std::uint32_t, 2>& children);
  /// Goes up one level: what the topmost level had is given back.
  void close();
  bool at_bottom() const { return levels_.empty(); }

  /// Of the topmost level; `side` says which sibling's.
  std::uint32_t children(int side);
  bool flipped() const { return levels_.back().flipped; }
  /// Sets the flip bit and gives the first sibling's lists back.
  void flip();

  /// Adds to the list of a sibling. Throws `tandem::Error` when the SRAM is full.
  void push(int side, ListEntry entry);
  /// The list that a sibling has now.
  struct List {
    int side = 0;
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  List list(int side) const;
  ListEntry read(const List& list, std::size_t index);
  /// Begins another list of a sibling behind the one that it has, or gives all of them back.
  void begin_list(int side);
  void clear(int side);

  /// The one port of the SRAM: the cycle after so many accesses that begin at `at` or when it is
  /// free.
  Cycle access(Cycle at, Cycle words);
  Cycle busy() const { return busy_; }
  Cycle entry_words() const { return static_cast<Cycle>(entry_words_); }
  static constexpr Cycle k_frame_words = 2;

  std::size_t peak_words() const { return peak_; }

 private:
  struct Level {
    std::size_t frame = 0;
    /// Where the lists of each side begin, and the last of them.
    std::array<std::size_t, 2> base{};
    std::array<std::size_t, 2> begin{};
    bool flipped = false;
  };

  void reserve(std::size_t words);
  /// A word that one end of the stack has.
  ListEntry& word(int side, std::size_t address);

  std::size_t entry_words_;
  std::size_t word_count_;
  /// What the ends have had so far, each from its own end: memories are larger than most queries.
  std::array<std::vector<ListEntry>, 2> ends_;
  std::vector<Level> levels_;
  /// One past the last word of the lower end, and the first of the upper end.
  std::array<std::size_t, 2> top_;
  std::size_t peak_ = 0;
  Cycle port_free_ = 0;
  Cycle busy_ = 0;
};

}  // namespace tandem::chip
