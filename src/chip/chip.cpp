#include "chip/chip.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "chip/comparators.h"

namespace tandem::chip {
namespace {

constexpr int k_sides = 2;

/// Entries of a list that the stack engine holds, the one that is at work among them.
constexpr std::size_t k_entries_ahead = 4;

/// The lines of a leaf's matrix: one is written per cycle.
constexpr Cycle k_leaf_lines = 3;

/// The state of one query.
class Query {
 public:
  Query(const Config& config, const ObjectImage& a, const ObjectImage& b,
        const MemoryLayout& layout, const RegisterContents& registers, Observer* observer)
      : config_(config),
        a_(a),
        b_(b),
        layout_(layout),
        registers_(registers),
        observer_(observer),
        sdram_(config),
        matrix_(registers),
        correspondences_(registers),
        dot_add_(config),
        stack_(config),
        triangle_unit_(config) {}

  Report run() {
    // The driver's list: the root of A, for the root of B.
    stack_.open({0, 0});
    push(0, {.pointer = 0, .leaf = false}, now_);
    visit_pair(0, stack_.list(0));
    while (!stack_.at_bottom()) {
      const StackEngine::List first = stack_.list(0);
      first.count > 0 ? visit_pair(stack_.children(0), first) : go_back();
    }
    finish();
    return report_;
  }

 private:
  /// A tumbled node whose volume is in a result bank.
  struct Member {
    std::uint32_t place = 0;
    NodeKind kind = NodeKind::none;
    std::uint32_t link = 0;
  };

  bool has(int side) const { return member(side).kind != NodeKind::none; }
  const Member& member(int side) const { return members_[static_cast<std::size_t>(side)]; }
  Bounds& results(int side) { return results_[static_cast<std::size_t>(side)]; }

  // ---- The traversal (section 3.2) ----

  /// Up to the next level whose second branch is still to be visited, as its flip bit says, and
  /// into that. Branches whose list is empty are left out.
  void go_back() {
    while (!stack_.at_bottom()) {
      decide();
      if (stack_.flipped()) {
        stack_.close();
        continue;
      }
      stack_.flip();
      use_stack(now_, 1, "a flip bit");
      const StackEngine::List second = stack_.list(1);
      if (second.count == 0) continue;
      decide();
      return visit_pair(stack_.children(1), second);
    }
  }

  /// A pair of tumbled siblings and the list that it meets.
  void visit_pair(std::uint32_t pair, const StackEngine::List& list) {
    const Cycle begin = now_;
    const Cycle loaded = load_and_transform(pair);
    stack_.open({member(0).link, member(1).link});
    use_stack(begin, StackEngine::k_frame_words, "pointers to children");

    ++report_.counts.lists;
    report_.counts.list_entries += list.count;
    compare_list(list, 0, list.count, {has(0), has(1)}, {begin, loaded}, Purpose::pairs);
    decide();
    // Leaves first: below an inner node both result banks are needed.
    for (int side = 0; side < k_sides; ++side) {
      if (member(side).kind == NodeKind::leaf) finish_leaf(side);
    }
  }

  /// A tumbled leaf, whose volume stays in its result bank, goes on down A's subtrees, list by
  /// list.
  void finish_leaf(int side) {
    for (StackEngine::List list = stack_.list(side); list.count > 0; list = stack_.list(side)) {
      ++report_.counts.leaf_lists;
      report_.counts.leaf_list_entries += list.count;
      stack_.begin_list(side);
      for (std::size_t i = 0; i < list.count;) {
        if (stack_.read(list, i).leaf) {
          const bool read_ahead = i > 0 && !stack_.read(list, i - 1).leaf;
          test_triangles(stack_.read(list, i).pointer, member(side).link, read_ahead);
          decide();
          ++i;
          continue;
        }
        std::size_t end = i + 1;
        while (end < list.count && !stack_.read(list, end).leaf) ++end;
        compare_list(list, i, end, {side == 0, side == 1}, {now_, now_}, Purpose::leaf);
        decide();
        i = end;
      }
    }
    stack_.clear(side);
  }

  // ---- Tumbled nodes: memory, DOP register file, DOTADD unit, result banks (section 4.1) ----

  /// Returns when the memory interface holds no tumbled node any more.
  Cycle load_and_transform(std::uint32_t pair) {
    members_ = {};
    int count = 0;
    for (std::uint32_t i = 0; i < k_sides; ++i) {
      const NodeRecord& node = b_.nodes[2 * pair + i];
      if (node.kind == NodeKind::none) continue;
      members_[i] = {2 * pair + i, node.kind, node.link};
      ++count;
    }
    const int bytes = count * config_.node_bytes();
    const Cycle data = sdram_.read(now_, 0, layout_.node_address(1, 2 * pair), bytes);
    span(Unit::sdram, data, data + transfer(bytes), "tumbled nodes");
    Cycle file_free = now_;
    Cycle loaded = now_;
    for (int side = 0; side < count; ++side) loaded = transform(side, data, &file_free);
    // The last results come out of the pipeline.
    phase(Phase::drain, file_free + dot_add_.stages());
    return loaded;
  }

  /// From the data of a burst to a result bank. The register file is written anew once the rows of
  /// the volume before are issued. Returns when the last number is written.
  Cycle transform(int side, Cycle data, Cycle* file_free) {
    const NodeRecord& node = b_.nodes[member(side).place];
    const auto k = static_cast<Cycle>(registers_.k);
    const auto writes = static_cast<Cycle>(config_.register_writes);
    // Numbers are written as early as none of them has to be waited for.
    Cycle write = *file_free;
    for (Cycle i = 0; i < k; ++i) {
      const Cycle arrival = data + arrival_of(side, static_cast<int>(i));
      write = std::max(write, arrival - std::min(arrival, i / writes));
      dops_.write(static_cast<int>(i), node.bounds[i]);
    }
    const Cycle written = write + (k + writes - 1) / writes;
    const Cycle issue = write + static_cast<Cycle>(registers_.fill_cycles);
    *file_free = dot_add_.issue(issue, k);
    transform_dop(matrix_, correspondences_, dops_, &results(side));
    ++report_.counts.tumbled_nodes;
    loader_busy_ += written - write;
    phase(Phase::fetch, write);
    phase(Phase::fill, issue);
    phase(Phase::transform, *file_free);
    span(Unit::loader, write, written, "numbers of a tumbled node");
    span(Unit::dot_add, issue, *file_free, "rows of a tumbled node");
    if (observer_ != nullptr) observer_->transformed(member(side).place, results(side));
    return written;
  }

  /// From the first data of a burst to when a number of its nodes can be written.
  Cycle arrival_of(int side, int number) const {
    // A plane of a boxtree is all that is read of a node.
    const int byte = config_.nodes == Nodes::boxtree ? 0 : 4 * number;
    const int beat = (side * config_.node_bytes() + byte) / config_.beat_bytes();
    return static_cast<Cycle>(beat) * static_cast<Cycle>(config_.beat_cycles) +
           static_cast<Cycle>(config_.interface_cycles);
  }

  // ---- Aligned nodes: memory, e registers, comparators ----

  enum class Purpose { pairs, leaf };

  /// From when on a list may be read, and from when on the memory interface has room.
  struct Free {
    Cycle list;
    Cycle buffer;
  };

  /// Entries [begin, end) of a list against the volumes in the result banks.
  void compare_list(const StackEngine::List& list, std::size_t begin, std::size_t end,
                    const std::array<bool, 2>& sides, const Free& free, Purpose purpose) {
    const Cycle ready = now_;
    const Cycle load = transfer(config_.node_bytes());
    loads_.clear();
    asked_.clear();
    Cycle compared = 0;
    for (std::size_t i = begin; i < end; ++i) {
      // The stack engine reads ahead; an entry takes the place of one that is done with.
      while (asked_.size() < std::min(i - begin + k_entries_ahead, end - begin)) {
        const Cycle place = std::max(free.list, compared);
        asked_.push_back(use_stack(place, stack_.entry_words(), "an entry is read"));
      }
      const ListEntry entry = stack_.read(list, i);
      const std::uint32_t first = entry.leaf ? entry.pointer : 2 * entry.pointer;
      const int count = entry.leaf || a_.nodes[first + 1].kind == NodeKind::none ? 1 : 2;
      const int bytes = count * config_.node_bytes();
      const Cycle data = sdram_.read(asked_[i - begin], buffer_room(count, free.buffer),
                                     layout_.node_address(0, first), bytes);
      span(Unit::sdram, data, data + transfer(bytes), "aligned nodes");
      for (int n = 0; n < count; ++n) {
        const Cycle begun = std::max(data + offset_of(n), compared);
        const Cycle paced = loads_.empty() ? ready : compared + load;
        const Cycle fed = std::max(begun + load, ready);
        // The words of the node before are written before this one adds its own.
        compared = std::max(fed, pushes_done_);
        loads_.push_back(begun);
        count_phases(purpose, paced, fed, compared);
        compare_node(first + static_cast<std::uint32_t>(n), sides, compared);
      }
    }
  }

  /// The first cycle from which so many nodes can arrive one behind the other: each takes the place
  /// in the buffer that one before it leaves for the e registers.
  Cycle buffer_room(int count, Cycle buffer_free) const {
    const std::size_t capacity = 2 * static_cast<std::size_t>(config_.buffer_pairs);
    Cycle earliest = buffer_free;
    for (int n = 0; n < count; ++n) {
      const std::size_t position = loads_.size() + static_cast<std::size_t>(n);
      if (position < capacity) continue;
      const Cycle room = loads_[position - capacity];
      earliest = std::max(earliest, room - std::min(room, offset_of(n)));
    }
    return earliest;
  }

  void count_phases(Purpose purpose, Cycle paced, Cycle fed, Cycle when) {
    if (purpose == Purpose::leaf) return phase(Phase::leaf_lists, when);
    phase(Phase::compare, paced);
    phase(Phase::memory_wait, fed);
    phase(Phase::stack_wait, when);
  }

  /// One aligned node against both result banks.
  void compare_node(std::uint32_t place, const std::array<bool, 2>& sides, Cycle when) {
    const NodeRecord& aligned = a_.nodes[place];
    ++comparator_busy_;
    ++report_.counts.aligned_nodes;
    span(Unit::comparators, when, when + 1, "an aligned node");
    for (int side = 0; side < k_sides; ++side) {
      if (!sides[static_cast<std::size_t>(side)]) continue;
      const bool leaves = aligned.kind == NodeKind::leaf && member(side).kind == NodeKind::leaf;
      const bool compared = !leaves || config_.compare_leaves;
      const bool overlap =
          !compared || volumes_overlap(results(side), aligned.bounds, registers_.k);
      ++report_.counts.iterations;
      report_.counts.overlaps += overlap ? 1 : 0;
      report_.counts.leaf_overlaps += leaves && overlap ? 1 : 0;
      if (observer_ != nullptr) {
        observer_->visit({when, place, member(side).place, compared, overlap});
      }
      if (!overlap) continue;
      // A leaf stays, with its place; two leaves leave their triangles, so that no node is read
      // again.
      const bool stays = aligned.kind == NodeKind::leaf && !leaves;
      push(side, {stays ? place : aligned.link, aligned.kind == NodeKind::leaf}, when);
    }
  }

  void push(int side, ListEntry entry, Cycle when) {
    stack_.push(side, entry);
    pushes_done_ = use_stack(when, stack_.entry_words(), "an entry is written");
  }

  // ---- Triangles (sections 3.3 and 4.1) ----

  void test_triangles(std::uint32_t triangle_a, std::uint32_t triangle_b, bool read_ahead) {
    const Cycle begin = now_;
    const TriangleRecord& a = a_.triangles[triangle_a];
    const TriangleRecord& b = b_.triangles[triangle_b];
    const Cycle read = use_stack(now_, stack_.entry_words(), "an entry is read");
    // A controller that takes no time has the entry at hand.
    if (!read_ahead && control_ > 0) phase(Phase::control, read + control_);
    const int bytes = Config::triangle_bytes();
    const Cycle data_a = sdram_.read(now_, 0, layout_.triangle_address(0, triangle_a), bytes);
    const Cycle data_b = sdram_.read(now_, 0, layout_.triangle_address(1, triangle_b), bytes);
    span(Unit::sdram, data_a, data_a + transfer(bytes), "a triangle of A");
    span(Unit::sdram, data_b, data_b + transfer(bytes), "a triangle of B");
    const auto there = [&](Cycle data) {
      return data + transfer(bytes) + static_cast<Cycle>(config_.interface_cycles);
    };
    // A's edges against B, and if none pierces it, B's against A.
    bool overlap = pierce(a, b, CornerTransform::a_to_b, there(data_a), there(data_b));
    if (!overlap) overlap = pierce(b, a, CornerTransform::b_to_a, now_, now_);
    ++report_.counts.triangle_tests;
    if (overlap) {
      ++report_.counts.triangle_overlaps;
      report_.pairs.push_back({triangle_a, triangle_b});
    }
    if (observer_ != nullptr) observer_->triangle({begin, now_, triangle_a, triangle_b, overlap});
  }

  /// The corners of `moving` into the frame of `fixed`, then by its matrix; then the triangle unit.
  bool pierce(const TriangleRecord& moving, const TriangleRecord& fixed, CornerTransform into,
              Cycle corners_there, Cycle matrix_there) {
    constexpr int k_numbers = 9;
    const auto writes = static_cast<Cycle>(config_.register_writes);
    for (int corner = 0; corner < 3; ++corner) {
      for (int axis = 0; axis < 3; ++axis) {
        dops_.write(3 * corner + axis, moving.corner[corner][axis]);
      }
    }
    matrix_.load_leaf(fixed);
    transform_corners(into, matrix_, correspondences_, &dops_);
    transform_corners(CornerTransform::leaf, matrix_, correspondences_, &dops_);

    const Cycle write = corners_there;
    const Cycle written = write + (k_numbers + writes - 1) / writes;
    // The rows of a corner follow as soon as it is there: in the second transform, as soon as the
    // first has brought it back.
    const Cycle issue = first_issue(write);
    const Cycle rows_done = dot_add_.issue(issue, k_numbers);
    const Cycle first_back = issue + dot_add_.cycles(3) + dot_add_.stages();
    const Cycle second = std::max({rows_done, first_back, matrix_there + k_leaf_lines});
    const Cycle second_done = dot_add_.issue(second, k_numbers);
    const Cycle corners_done = second_done + dot_add_.stages();
    loader_busy_ += written - write;
    span(Unit::loader, write, written, "corners");
    span(Unit::dot_add, issue, rows_done, "corners into the other frame");
    span(Unit::dot_add, second, second_done, "corners by the leaf's matrix");

    const TriangleUnit::Answer answer = triangle_unit_.test(dops_, correspondences_);
    span(Unit::triangle, corners_done, corners_done + answer.cycles, "edges");
    phase(Phase::triangles, corners_done + answer.cycles);
    return answer.pierced;
  }

  /// When the nine rows of three corners may begin to follow each other, if their numbers are
  /// written from `write` on.
  Cycle first_issue(Cycle write) const {
    const auto writes = static_cast<Cycle>(config_.register_writes);
    Cycle issue = 0;
    for (Cycle corner = 0; corner < 3; ++corner) {
      const Cycle there = write + (3 * (corner + 1) + writes - 1) / writes;
      const Cycle rows_before = 3 * corner / static_cast<Cycle>(config_.dotadd_units);
      issue = std::max(issue, there - std::min(there, rows_before));
    }
    return issue;
  }

  // ---- Time ----

  Cycle transfer(int bytes) const { return static_cast<Cycle>(config_.transfer_cycles(bytes)); }
  /// Where the first beat with something of the burst's node n comes.
  Cycle offset_of(int n) const {
    const int beat = n * config_.node_bytes() / config_.beat_bytes();
    return static_cast<Cycle>(beat) * static_cast<Cycle>(config_.beat_cycles);
  }

  /// The controller decides what comes next.
  void decide() { phase(Phase::control, now_ + control_); }

  /// The chip was in a phase until then.
  void phase(Phase phase, Cycle until) {
    if (until <= now_) return;
    report_.phases[static_cast<std::size_t>(phase)] += until - now_;
    now_ = until;
  }

  /// The cycle after the last of so many accesses to the SRAM.
  Cycle use_stack(Cycle at, Cycle words, std::string_view what) {
    const Cycle done = stack_.access(at, words);
    stack_done_ = done;
    span(Unit::stack, done - words, done, what);
    return done;
  }

  void span(Unit unit, Cycle begin, Cycle end, std::string_view what) const {
    if (observer_ != nullptr) observer_->span(unit, begin, end, what);
  }

  void finish() {
    // The chip is done when the stack engine has come back to the bottom.
    phase(Phase::stack_wait, stack_done_);
    report_.cycles = now_;
    report_.memory = sdram_.counts();
    report_.stack_accesses = stack_.busy();
    report_.stack_peak_words = stack_.peak_words();
    report_.busy = {sdram_.counts().bus_cycles, loader_busy_,  dot_add_.busy(),
                    comparator_busy_,           stack_.busy(), triangle_unit_.busy()};
  }

  const Config& config_;
  const ObjectImage& a_;
  const ObjectImage& b_;
  const MemoryLayout& layout_;
  const RegisterContents& registers_;
  Observer* observer_;

  Sdram sdram_;
  DopFile dops_;
  MatrixFile matrix_;
  CorrespondenceFile correspondences_;
  DotAdd dot_add_;
  StackEngine stack_;
  TriangleUnit triangle_unit_;
  std::array<Member, 2> members_{};
  std::array<ResultBank, 2> results_{};

  const Cycle control_ = static_cast<Cycle>(config_.control_cycles);
  Cycle now_ = 0;
  Cycle pushes_done_ = 0;
  Cycle stack_done_ = 0;
  Cycle loader_busy_ = 0;
  Cycle comparator_busy_ = 0;
  /// Of the list that is compared: when each node began to be loaded into the e registers, and when
  /// each entry was read.
  std::vector<Cycle> loads_;
  std::vector<Cycle> asked_;
  Report report_;
};

}  // namespace

std::string_view name_of(Unit unit) {
  constexpr std::string_view k_names[k_unit_count] = {
      "SDRAM bus", "register loader", "DOTADD", "comparators", "stack SRAM", "triangles"};
  return k_names[static_cast<std::size_t>(unit)];
}

std::string_view name_of(Phase phase) {
  constexpr std::string_view k_names[k_phase_count] = {
      "fetch",       "fill",       "transform",  "drain",     "compare",
      "memory wait", "stack wait", "leaf lists", "triangles", "control"};
  return k_names[static_cast<std::size_t>(phase)];
}

CollisionChip::CollisionChip(const Config& config, const ObjectImage& a, const ObjectImage& b)
    : config_(config), a_(a), b_(b), layout_(config, a, b) {
  config_.check();
}

Report CollisionChip::run(const Pose& b_in_a, Observer* observer) const {
  if (a_.empty() || b_.empty()) return {};
  const RegisterContents registers = set_up(config_, a_, b_, b_in_a);
  return Query(config_, a_, b_, layout_, registers, observer).run();
}

}  // namespace tandem::chip
