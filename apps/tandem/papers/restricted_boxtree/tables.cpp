// Table 1 and the numbers of the figures of the restricted boxtree paper, measured here, as text.
#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::restricted_boxtree {

namespace {

std::string percent(double share) {
  return fixed(100 * share, 1) + " %";
}

std::string or_blank(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}

std::string millions(double per_second) {
  return fixed(per_second / 1e6, 2) + " M/s";
}

// The mean of a counter over the steps of all measurements.
std::string mean_count(const std::vector<const tumble_bench::Measurement*>& measurements,
                       std::size_t variant, std::uint64_t Statistics::*counter) {
  double sum = 0;
  double steps = 0;
  for (const tumble_bench::Measurement* measurement : measurements) {
    sum += static_cast<double>(measurement->rows[variant].statistics.*counter);
    steps += measurement->steps;
  }
  return rounded(sum / steps);
}

}  // namespace

std::string costs_text(std::span<const NodeCost> costs) {
  Table table;
  table.add_row({"", "bytes", "", "operations", "", "", "", "", "with one"});
  table.add_row({"structure, test", "per node", "paper", "A's node", "B's node", "the pair",
                 "together", "paper", "level up"});
  for (const NodeCost& cost : costs) {
    table.add_row({std::string(cost.title).append(", ").append(cost.test),
                   std::to_string(cost.bytes_per_node), or_blank(cost.paper_bytes),
                   std::to_string(cost.node_a), std::to_string(cost.node_b),
                   std::to_string(cost.pair), std::to_string(cost.operations()),
                   or_blank(cost.paper_operations), shortest(cost.operations_one_level_up())});
  }
  return "\nTable 1. Bytes per node, and operations for a pair of nodes in the worst case\n" +
         table.text("  ");
}

std::string empty_space_text(std::span<const EmptySpace> spaces) {
  Table table;
  table.add_row({"", "", "", "median", "nodes with", "sides of 6"});
  table.add_row({"object, builder", "triangles", "nodes", "empty", "at most 10 %", "touching"});
  for (const EmptySpace& space : spaces) {
    table.add_row({space.name + ", " + name_of(space.builder), grouped(space.triangle_count),
                   grouped(space.shares.size() + 1), percent(space.median()),
                   percent(space.nodes_within(0.1)), fixed(space.touching_sides, 2)});
  }
  return "\nFigure 1. Empty space between a node's box and its parent's in an AABB tree, without "
         "the "
         "side of the split\n" +
         table.text("  ");
}

std::string builds_text(std::span<const BuildCurve> curves) {
  Table table;
  table.add_row({"object, builder", "triangles", "time", "triangles", "exponent"});
  for (const BuildCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const BuildCurve::Point& point = curve.points[i];
      const bool last = i + 1 == curve.points.size();
      table.add_row({i == 0 ? curve.name + ", " + name_of(curve.builder) : "",
                     grouped(point.triangle_count), duration(point.timing.median_s()),
                     millions(static_cast<double>(point.triangle_count) / point.timing.median_s()),
                     last && curve.points.size() > 1 ? fixed(curve.exponent(), 2) : ""});
    }
  }
  return "\nFigure 6. Build times of boxtrees, 9 bytes per node\n" + table.text("  ");
}

std::string distances_text(const Comparison& comparison) {
  std::string text =
      "\nFigures 8 and 9. The overlap tests of boxtrees: mean time of a query, and times relative "
      "to " +
      comparison.variants[0].name + "\n";
  for (const std::string& object : comparison.objects()) {
    const auto measurements = comparison.of(object);
    Table table;
    std::vector<std::string> head = {"distance", comparison.variants[0].name};
    for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
      head.push_back(comparison.variants[i].name);
    }
    table.add_row(std::move(head));
    for (const tumble_bench::Measurement* measurement : measurements) {
      std::vector<std::string> cells = {shortest(measurement->distance),
                                        duration(measurement->query_s(measurement->rows[0]))};
      for (std::size_t i = 1; i < measurement->rows.size(); ++i) {
        cells.push_back(
            ratio_text(median_ratio(measurement->rows[i].timing, measurement->rows[0].timing)));
      }
      table.add_row(std::move(cells));
    }
    const auto add_total = [&](const char* name, std::uint64_t Statistics::*counter) {
      std::vector<std::string> cells = {name, mean_count(measurements, 0, counter)};
      for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
        cells.push_back(mean_count(measurements, i, counter));
      }
      table.add_row(std::move(cells));
    };
    add_total("iterations", &Statistics::iterations);
    add_total("triangle tests", &Statistics::triangle_tests);
    text += object + ": " + counted(measurements[0]->triangle_count, "triangle", "triangles") +
            "; counts are means of a query over all distances\n" + table.text("  ");
  }
  return text;
}

std::string families_text(std::span<const Family> families, const Comparison& comparison) {
  Table table;
  std::vector<std::string> head = {"object", "triangles"};
  for (const Variant& variant : comparison.variants) head.push_back(variant.name);
  table.add_row(std::move(head));
  for (const Family& family : families) {
    for (const TumblingObject& object : family.sizes) {
      std::vector<std::string> cells = {family.name, grouped(object.mesh.triangle_count())};
      for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        cells.push_back(duration(comparison.mean_query_s(object.name, i)));
      }
      table.add_row(std::move(cells));
    }
  }
  return "\nFigure 10. Boxtrees and 24-DOP trees: mean time of a query over the distances\n" +
         table.text("  ");
}

std::string choices_text(const Comparison& comparison) {
  const std::vector<std::string> objects = comparison.objects();
  Table table;
  std::vector<std::string> names = {"", "bytes per"};
  std::vector<std::string> head = {"", "triangle"};
  for (const std::string& object : objects) {
    names.insert(names.end(), {"", object, ""});
    head.insert(head.end(), {"iterations", "triangle tests", "time"});
  }
  table.add_row(std::move(names));
  table.add_row(std::move(head));
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    std::vector<std::string> cells = {comparison.variants[i].name,
                                      fixed(bytes_per_triangle(comparison.measurements[0], i), 1)};
    for (const std::string& object : objects) {
      const auto measurements = comparison.of(object);
      cells.push_back(mean_count(measurements, i, &Statistics::iterations));
      cells.push_back(mean_count(measurements, i, &Statistics::triangle_tests));
      cells.push_back(ratio_text(comparison.time_ratio(object, i, 0)));
    }
    table.add_row(std::move(cells));
  }
  return "\n" + comparison.title + ". Means of a query; times relative to the first row's\n" +
         table.text("  ");
}

}  // namespace tandem::cli::restricted_boxtree
