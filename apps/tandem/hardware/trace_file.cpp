#include "hardware/trace_file.h"

#include <tandem/error.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/busy_picture.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli::hardware {

namespace {

using chip::Cycle;
using chip::Unit;

bool is_svg(const std::string& file) {
  return file_ending(file) == ".svg";
}

/// Writes events while the query runs.
class EventWriter final : public chip::Observer {
 public:
  EventWriter(TextBuffer& out, double cycle_ns) : out_(out), us_(1e-3 * cycle_ns) {
    out_ << R"({"displayTimeUnit": "ns", "traceEvents": [)"
         << "\n"
         << R"({"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "CollisionChip"}})";
    for (std::size_t unit = 0; unit < chip::k_unit_count; ++unit) {
      name_row(unit, name_of(static_cast<Unit>(unit)));
    }
    name_row(k_visits, "visits");
  }
  void finish() { out_ << "\n]}\n"; }

  void span(Unit unit, Cycle begin, Cycle end, std::string_view what) override {
    if (end == begin) return;
    event(what, "X", static_cast<std::size_t>(unit), begin);
    out_ << ", \"dur\": " << time(end - begin) << "}";
  }
  void visit(const chip::Visit& visit) override {
    event(visit.overlap ? "overlap" : "apart", "i", k_visits, visit.cycle);
    out_ << R"(, "s": "t", "args": {"aligned": )" << std::to_string(visit.aligned)
         << ", \"tumbled\": " << std::to_string(visit.tumbled) << "}}";
  }
  void triangle(const chip::TriangleVisit& test) override {
    event(test.overlap ? "triangles intersect" : "triangles do not", "X", k_visits, test.begin);
    out_ << ", \"dur\": " << time(test.end - test.begin) << R"(, "args": {"a": )"
         << std::to_string(test.a) << ", \"b\": " << std::to_string(test.b) << "}}";
  }

 private:
  static constexpr std::size_t k_visits = chip::k_unit_count;

  std::string time(Cycle cycles) const {
    constexpr int k_picoseconds = 6;
    return fixed(us_ * static_cast<double>(cycles), k_picoseconds);
  }
  void name_row(std::size_t row, std::string_view name) {
    out_ << ",\n"
         << R"({"name": "thread_name", "ph": "M", "pid": 0, "tid": )" << std::to_string(row)
         << R"(, "args": {"name": )" << Json(name).dump() << "}}";
  }
  /// All of an event but its last members.
  void event(std::string_view name, const char* kind, std::size_t row, Cycle begin) {
    out_ << ",\n"
         << R"({"name": )" << Json(name).dump() << R"(, "ph": ")" << kind
         << R"(", "pid": 0, "tid": )" << std::to_string(row) << ", \"ts\": " << time(begin);
  }

  TextBuffer& out_;
  double us_;
};

/// Keeps the spans of each unit.
struct SpanKeeper final : chip::Observer {
  std::array<std::vector<BusySpan>, chip::k_unit_count> spans;

  void span(Unit unit, Cycle begin, Cycle end, std::string_view /*what*/) override {
    spans[static_cast<std::size_t>(unit)].push_back({begin, end});
  }
};

}  // namespace

void check_trace_name(const std::string& file) {
  if (is_svg(file) || file_ending(file) == ".json") return;
  throw Error("--trace writes .json (Chrome, Perfetto) or .svg, not '" + file_ending(file) + "'");
}

chip::Report run_with_trace(const chip::CollisionChip& chip, const Pose& b_in_a,
                            const std::string& file) {
  chip::Report report;
  if (is_svg(file)) {
    SpanKeeper keeper;
    report = chip.run(b_in_a, &keeper);
    write_file(file, busy_picture(keeper.spans, report.cycles, chip.config().cycle_ns));
    return report;
  }
  with_text_file(file, [&](TextBuffer* out) {
    EventWriter events(*out, chip.config().cycle_ns);
    report = chip.run(b_in_a, &events);
    events.finish();
  });
  return report;
}

}  // namespace tandem::cli::hardware
