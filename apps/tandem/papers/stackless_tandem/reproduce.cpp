// tandem reproduce stackless-tandem: measures, and prints tables 2 to 8, figure 33 and the
// findings.
#include "measure/findings.h"
#include "papers/stackless_tandem/stackless_tandem.h"

namespace tandem::cli::stackless_tandem {

namespace {

constexpr const char* k_introduction =
    R"(Two torus knots, boxes halved at the median along their longest side, one triangle per leaf.
Times are processor time of one query. A round repeats it as often as the table says, and the rounds
of all traversals are timed alternately. Ratios are to the time of the twin with a stack, of the
means and the median over the rounds: stackless, stackless-post and scheduled to alternating-stack,
trail and recursive to dynamic-stack. The hash is that of the sorted pairs.
)";

// The setups of a table, measured one after the other.
std::vector<Measurement> measure_table(int table, const ReproduceOptions& options) {
  const TimingOptions timing = options.quick() ? TimingOptions{.round_s = 0.004, .max_rounds = 5}
                                               : TimingOptions{.round_s = 0.01, .max_rounds = 100};
  ProgressBar bar("table " + std::to_string(table), options.reporting);
  const Progress progress = bar.callback();
  const std::vector<Setup> setups = make_setups(table, options.extent);
  std::vector<Measurement> measurements;
  for (const Setup& setup : setups) {
    const auto done = static_cast<double>(measurements.size());
    const auto share_of_table = [&](double share) {
      if (progress) progress((done + share) / static_cast<double>(setups.size()));
    };
    measurements.push_back(measure(setup, timing, share_of_table));
  }
  return measurements;
}

}  // namespace

void reproduce(const ReproduceOptions& options) {
  options.report.say(k_introduction);
  std::vector<Measurement> all;
  for (int table = k_first_table; table <= k_last_table; ++table) {
    const std::vector<Measurement> measurements = measure_table(table, options);
    options.report.say(table_text(table, measurements));
    all.insert(all.end(), measurements.begin(), measurements.end());
  }

  const std::vector<std::string> sentences = findings(all);
  options.report.say("\nWhat the paper found, and what holds here\n" + findings_text(sentences) +
                     "\n");
  options.report.plot([&](const WriteChart& write) { draw_charts(all, write); });
  write_paper_json(options, "stackless-tandem", rows_of(all, to_json), sentences);
}

}  // namespace tandem::cli::stackless_tandem
