// The tables of the restricted boxtree reproduction, and all of its rows as JSON.
#include <cmath>
#include <cstdio>

#include "measure/findings.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"

namespace tandem::cli::restricted_boxtree {

namespace {

std::string decimals(double value, int places) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", places, value);
  return text;
}

std::string percent(double share) {
  return decimals(100 * share, 1) + " %";
}

std::string or_blank(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}

std::string millions(double per_second) {
  return decimals(per_second / 1e6, 2) + " M/s";
}

// The mean over the steps of all measurements.
std::string mean_count(const std::vector<const tumble::Measurement*>& measurements,
                       std::size_t variant, std::uint64_t Statistics::*counter) {
  double sum = 0;
  double steps = 0;
  for (const tumble::Measurement* measurement : measurements) {
    sum += static_cast<double>(measurement->rows[variant].statistics.*counter);
    steps += measurement->steps;
  }
  return grouped(static_cast<std::uint64_t>(std::llround(sum / steps)));
}

double bytes_per_triangle(const tumble::Measurement& measurement, std::size_t variant) {
  return static_cast<double>(measurement.rows[variant].hierarchy_bytes) /
         static_cast<double>(measurement.triangle_count);
}

Json to_json(const NodeCost& cost) {
  Json row;
  row["table"] = 1;
  row["structure"] = cost.structure;
  row["test"] = cost.test;
  row["bytes_per_node"] = cost.bytes_per_node;
  row["operations"] = cost.operations();
  row["operations_one_level_up"] = cost.operations_one_level_up();
  row["operations_node_a"] = cost.node_a;
  row["operations_node_b"] = cost.node_b;
  row["operations_pair"] = cost.pair;
  row["paper_bytes_per_node"] = nullptr;
  row["paper_operations"] = nullptr;
  if (cost.paper_bytes) row["paper_bytes_per_node"] = *cost.paper_bytes;
  if (cost.paper_operations) row["paper_operations"] = *cost.paper_operations;
  return row;
}

Json to_json(const EmptySpace& space) {
  Json row;
  row["figure"] = 1;
  row["mesh"] = space.source;
  row["triangles"] = space.triangle_count;
  row["builder"] = name_of(space.builder);
  row["median_empty_share"] = space.median();
  row["touching_sides"] = space.touching_sides;
  row["nodes_within"] = Json::array();
  for (int i = 0; i <= 20; ++i) {
    row["nodes_within"].push_back(
        {{"empty_share", i / 20.0}, {"nodes", space.nodes_within(i / 20.0)}});
  }
  return row;
}

Json to_json(const BuildCurve& curve, const BuildCurve::Point& point) {
  Json row;
  row["figure"] = 6;
  row["object"] = curve.name;
  row["builder"] = name_of(curve.builder);
  row["triangles"] = point.triangle_count;
  row["build_s"] = point.timing.median_s();
  row["triangles_per_s"] = static_cast<double>(point.triangle_count) / point.timing.median_s();
  row["exponent"] = curve.exponent();
  return row;
}

// One row of a comparison, with what identifies the variant.
Json to_json(const Comparison& comparison, const tumble::Measurement& measurement,
             std::size_t variant) {
  const tumble::Row& measured = measurement.rows[variant];
  const BuildOptions& build = comparison.variants[variant].combination.build;
  Json row = tumble::to_json(measurement, measured);
  row["variant"] = comparison.variants[variant].name;
  row["builder"] = name_of(build.builder);
  row["arity"] = build.arity;
  row["leaf_size"] = build.leaf_size;
  row["parallel_planes"] = build.parallel_planes;
  row["trim"] = build.trim;
  row["bytes_per_triangle"] = bytes_per_triangle(measurement, variant);
  row["time_ratio"] = median_ratio(measured.timing, measurement.rows[0].timing);
  return row;
}

// Those of the first few variants.
void add_rows(Json& rows, const Comparison& comparison, std::size_t variant_count, const char* kind,
              const Json& name) {
  for (const tumble::Measurement& measurement : comparison.measurements) {
    for (std::size_t variant = 0; variant < variant_count; ++variant) {
      Json row;
      row[kind] = name;
      row.update(to_json(comparison, measurement, variant));
      rows.push_back(std::move(row));
    }
  }
}

}  // namespace

std::string costs_text(std::span<const NodeCost> costs) {
  Table table;
  table.add_row({"", "bytes", "", "operations", "", "", "", "", "with one"});
  table.add_row({"structure, test", "a node", "paper", "A's node", "B's node", "the pair",
                 "together", "paper", "level up"});
  for (const NodeCost& cost : costs) {
    table.add_row({std::string(cost.structure).append(", ").append(cost.test),
                   std::to_string(cost.bytes_per_node), or_blank(cost.paper_bytes),
                   std::to_string(cost.node_a), std::to_string(cost.node_b),
                   std::to_string(cost.pair), std::to_string(cost.operations()),
                   or_blank(cost.paper_operations), shortest(cost.operations_one_level_up())});
  }
  return "\nTable 1. Bytes a node, and operations for a pair of nodes in the worst case\n" +
         table.text("  ");
}

std::string empty_space_text(std::span<const EmptySpace> spaces) {
  Table table;
  table.add_row({"", "", "", "median", "nodes with", "sides of 6"});
  table.add_row({"object, builder", "triangles", "nodes", "empty", "at most 10 %", "touching"});
  for (const EmptySpace& space : spaces) {
    table.add_row({space.name + ", " + std::string(name_of(space.builder)),
                   grouped(space.triangle_count), grouped(space.shares.size() + 1),
                   percent(space.median()), percent(space.nodes_within(0.1)),
                   decimals(space.touching_sides, 2)});
  }
  return "\nFigure 1. Empty space between a node's box and its parent's in an AABB tree, the side "
         "of the "
         "split left out\n" +
         table.text("  ");
}

std::string builds_text(std::span<const BuildCurve> curves) {
  Table table;
  table.add_row({"object, builder", "triangles", "time", "triangles", "exponent"});
  for (const BuildCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const BuildCurve::Point& point = curve.points[i];
      const bool last = i + 1 == curve.points.size();
      table.add_row({i == 0 ? curve.name + ", " + std::string(name_of(curve.builder)) : "",
                     grouped(point.triangle_count), duration(point.timing.median_s()),
                     millions(static_cast<double>(point.triangle_count) / point.timing.median_s()),
                     last && curve.points.size() > 1 ? decimals(curve.exponent(), 2) : ""});
    }
  }
  return "\nFigure 6. Build times of boxtrees, 9 bytes a node\n" + table.text("  ");
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
    for (const tumble::Measurement* measurement : measurements) {
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
  std::vector<std::string> names = {"", "bytes a"};
  std::vector<std::string> head = {"", "triangle"};
  for (const std::string& object : objects) {
    names.insert(names.end(), {"", object, ""});
    head.insert(head.end(), {"iterations", "triangle tests", "time"});
  }
  table.add_row(std::move(names));
  table.add_row(std::move(head));
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    std::vector<std::string> cells = {
        comparison.variants[i].name,
        decimals(bytes_per_triangle(comparison.measurements[0], i), 1)};
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

Json to_json(const Measurements& measurements) {
  Json rows = Json::array();
  for (const NodeCost& cost : measurements.costs) rows.push_back(to_json(cost));
  for (const EmptySpace& space : measurements.empty_spaces) rows.push_back(to_json(space));
  for (const BuildCurve& curve : measurements.builds) {
    for (const BuildCurve::Point& point : curve.points) rows.push_back(to_json(curve, point));
  }
  const auto add_all = [&](const Comparison& comparison, const char* kind, const Json& name) {
    add_rows(rows, comparison, comparison.variants.size(), kind, name);
  };
  add_rows(rows, measurements.tests, 1, "figure", 8);
  add_all(measurements.tests, "figure", 9);
  add_all(measurements.dops, "figure", 10);
  for (const Comparison& comparison : measurements.choices) {
    add_all(comparison, "comparison", comparison.key);
  }
  return rows;
}

}  // namespace tandem::cli::restricted_boxtree
