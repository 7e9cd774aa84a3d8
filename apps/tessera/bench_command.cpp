#include "apps/tessera/command.hpp"
#include "apps/tessera/filter.hpp"
#include "apps/tessera/selection_options.hpp"
#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/table.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/base/progress.hpp"
#include "core/base/reasons.hpp"
#include "core/memory/device_timing.hpp"
#include "core/trials/timing.hpp"
#include "core/tuning/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

/// Larger sizes of an input are left out once a call takes longer than this.
constexpr double patience_seconds = 1.0;

/// The best rates of a device. Copies are timed between the rows of the table, because their times
/// drift while other programs use the memory.
struct Limits {
  ArithmeticLimits arithmetic;
  std::vector<double> copies;  ///< bytes read plus written per second, one value for each sample

  [[nodiscard]] double copy_bytes() const { return median_of(copies); }
  /// Half of the interquartile range relative to the median: half of all copies lie within about
  /// this relative distance of the median.
  [[nodiscard]] double copy_spread() const { return relative_spread(copies) / 2; }
  /// Whether other processes used the machine, so that these rates, and times measured with them,
  /// are unreliable.
  [[nodiscard]] bool disturbed() const {
    return copy_spread() > 0.1 || arithmetic.spread > 0.2 || arithmetic.others > 0.05;
  }
};

struct Measurement {
  const ImplementationInfo* info;
  std::string input;
  std::int64_t size;
  Timing timing;
  Counts counts;
  ArithmeticLimits arithmetic;
  std::int64_t cache_bytes = 0;
  double copy_bytes = 0;  ///< bytes per second: median of copies alternating with the samples

  [[nodiscard]] double items_per_second() const { return counts.items / timing.median; }
  [[nodiscard]] double bytes_per_second() const { return counts.bytes / timing.median; }
  [[nodiscard]] double flops_per_second() const { return counts.flops / timing.median; }
  [[nodiscard]] double memory_fraction() const { return bytes_per_second() / copy_bytes; }
  /// Whether the rate exceeds that of the memory and a cache can hold the arrays. Bytes that are
  /// both read and written count twice.
  [[nodiscard]] bool in_cache() const {
    return memory_fraction() > 1 && counts.bytes <= 2 * static_cast<double>(cache_bytes);
  }
  [[nodiscard]] double arithmetic_fraction() const {
    return flops_per_second() / (info->precision == Precision::double_precision
                                     ? arithmetic.flops_double
                                     : arithmetic.flops_single);
  }
};

std::string rate(double per_second) {
  if (per_second >= 1e9) return fmt::format("{:.2f} G", per_second * 1e-9);
  if (per_second >= 1e6) return fmt::format("{:.2f} M", per_second * 1e-6);
  return fmt::format("{:.2f} k", per_second * 1e-3);
}

class BenchCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return Usage{"bench", "Time implementations on the benchmark inputs", filter_.options()}
        .add({{"--input", &input_, "Only this benchmark input", "NAME"},
              {"--size", &sizes_, "Sizes in place of the defaults; may be repeated", "N",
               Option::Range::positive},
              {"--repeat", &repeat_, "Number of samples; the median is reported (default 7)", "N",
               Option::Range::positive},
              selection_.parameter_option(),
              {"--json", &json_, "Print JSON"}})
        .computing();
  }

  int run() override {
    Choices choices;
    selection_.add_to(choices, filter_.implementation);
    std::vector<Measurement> measurements;
    Reasons notes;
    const auto implementations = implementations_to_time();
    const std::int64_t rows = widen_columns(implementations);
    if (!json_) print_all([&] { table_.print_titles(stdout); });
    {
      Progress progress("bench", rows, !json_);
      std::int64_t done = 0;
      for (const Group& group : groups_of(implementations))
        measure(group, choices, progress, done, measurements, notes);
    }
    if (json_)
      print_json(measurements);
    else
      print_limits();
    for (const Reasons::Entry& note : notes.entries())
      fmt::print(stderr, "{}: {}\n", note.names(), note.reason);
    for (const auto& [backend, limits] : limits_)
      if (limits.disturbed())
        log_warning(
            fmt::format("the machine is busy: during the measurement of the limits of {}, copies "
                        "varied by +-{:.0f} %, arithmetic by {:.0f} %, and other processes used "
                        "{:.0f} % of the processors; limits and times may be wrong",
                        backend, 100 * limits.copy_spread(), 100 * limits.arithmetic.spread,
                        100 * limits.arithmetic.others));
    if (!measurements.empty()) return exit_code::ok;
    print_error(fmt::format("nothing was timed: 0 of {} implementations ran an input",
                            implementations.size()));
    return exit_code::failed;
  }

 private:
  /// The implementations that match the filter. Leaves out the oracle, which is slow by design,
  /// unless it is named.
  [[nodiscard]] std::vector<const ImplementationBase*> implementations_to_time() const {
    std::vector<const ImplementationBase*> found = filter_.implementations();
    if (filter_.implementation.empty())
      found.erase(std::remove_if(found.begin(), found.end(),
                                 [](const ImplementationBase* i) {
                                   return i->info().priority <= priority::reference;
                                 }),
                  found.end());
    std::vector<std::string> names;
    for (const ImplementationBase* i : found)
      for (const TrialInput& t : registry().trials(i->info().operation)->inputs()) {
        if (t.timed.empty() && sizes_.empty()) continue;
        if (t.name == input_) return found;
        if (std::find(names.begin(), names.end(), t.name) == names.end()) names.push_back(t.name);
      }
    if (!input_.empty()) throw SelectionError("benchmark input", input_, names);
    return found;
  }

  /// Implementations of an operation that are timed on the same arrays, one after the other.
  using Group = std::vector<const ImplementationBase*>;

  [[nodiscard]] static std::vector<Group> groups_of(
      const std::vector<const ImplementationBase*>& implementations) {
    std::vector<Group> groups;
    for (const ImplementationBase* i : implementations) {
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        const ImplementationInfo& first = group.front()->info();
        return first.operation == i->info().operation && first.backend == i->info().backend &&
               first.precision == i->info().precision;
      });
      if (same == groups.end())
        groups.push_back({i});
      else
        same->push_back(i);
    }
    return groups;
  }

  [[nodiscard]] bool is_timed(const TrialInput& input) const {
    // With --input, only the named input; otherwise all inputs that have sizes worth timing.
    return input_.empty() ? !input.timed.empty() : input.name == input_;
  }
  [[nodiscard]] std::vector<std::int64_t> sizes_of(const TrialInput& input) const {
    std::vector<std::int64_t> sizes = sizes_.empty() ? input.timed : sizes_;
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  }

  [[nodiscard]] static std::string subject_of(const ImplementationInfo& info) {
    return fmt::format("{}={} in {}", info.operation, info.name, name(info.precision));
  }

  /// \param done number of rows that are done, for the progress display.
  void measure(const Group& group, const Choices& choices, Progress& progress, std::int64_t& done,
               std::vector<Measurement>& measurements, Reasons& notes) {
    const auto trials = registry().trials(group.front()->info().operation);
    Context context;
    try {
      context = filter_.open(*group.front());
    } catch (const RefusalError& error) {
      for (const ImplementationBase* i : group)
        notes.add(subject_of(i->info()), "skipped: " + error.reason());
      for (const TrialInput& input : trials->inputs())
        if (is_timed(input)) done += std::ssize(group) * std::ssize(sizes_of(input));
      return;
    }
    for (const TrialInput& input : trials->inputs()) {
      if (!is_timed(input)) continue;
      const std::vector<std::int64_t> sizes = sizes_of(input);
      Group left = group;  // implementations that are fast enough for larger sizes
      for (const std::int64_t size : sizes) {
        std::unique_ptr<TrialRun> run;
        for (const ImplementationBase* i : Group(left)) {
          progress.advance_to(done,
                              fmt::format("{}, {} {}", subject_of(i->info()), input.name, size));
          ++done;
          const ParameterValues parameters =
              choices.parameters(i->info().operation, i->info().name);
          const std::size_t before = measurements.size();
          const bool slow = !measure(*i, parameters, context, *trials, input.name, size, run,
                                     measurements, notes);
          if (!json_ && measurements.size() > before) {
            progress.clear();
            print_all([&] { table_.print_row(stdout, cells_of(measurements.back())); });
          }
          if (!slow || !sizes_.empty() || size == sizes.back()) continue;
          notes.add(subject_of(i->info()),
                    fmt::format("sizes of {} above {} are left out; --size selects them",
                                input.name, size));
          left.erase(std::find(left.begin(), left.end(), i));
        }
      }
    }
  }

  /// \param run trial with the arrays; null until the first implementation of the group is timed.
  /// \returns whether a call was quick enough for larger sizes.
  bool measure(const ImplementationBase& implementation, const ParameterValues& parameters,
               const Context& context, const Trials& trials, const std::string& input,
               std::int64_t size, std::unique_ptr<TrialRun>& run,
               std::vector<Measurement>& measurements, Reasons& notes) {
    const ImplementationInfo& info = implementation.info();
    Limits& limits = limits_of(context);
    Measurement m{&info, input, size, {}, {}, limits.arithmetic};
    m.cache_bytes = context.device->properties().cache_bytes;
    try {
      if (run)
        run->use(implementation, parameters);
      else
        run = trials.make(implementation, context, parameters, input, size);
      std::vector<double> copies;
      m.timing = time_trial(*run, repeat_, [&] { copies.push_back(copying_.limit->sample()); });
      m.counts = run->trial().counts();
      m.copy_bytes = median_of(copies);
      limits.copies.insert(limits.copies.end(), copies.begin(), copies.end());
    } catch (const RefusalError& error) {
      notes.add(subject_of(info), fmt::format("refused {} {}: {}", input, size, error.reason()));
      return true;
    }
    measurements.push_back(std::move(m));
    return measurements.back().timing.median <= patience_seconds;
  }

  /// The best rates of the backend of `context`. Also sets `copying_` to that backend.
  Limits& limits_of(const Context& context) {
    const std::string& backend = context.device->properties().backend;
    const bool first = limits_.find(backend) == limits_.end();
    Limits& limits = limits_[backend];
    if (first) limits.arithmetic = context.device->timing().measure_arithmetic();
    if (copying_.backend != backend) {
      copying_.limit.reset();
      copying_ = {backend, context, context.device->timing().copy_limit()};
    }
    // The first sample, so that there is one even if no row is timed.
    if (first) limits.copies.push_back(copying_.limit->sample());
    return limits;
  }

  /// Makes the columns of the table wide enough for all rows, because each row is printed as soon
  /// as it is measured. \returns the largest possible number of rows.
  std::int64_t widen_columns(const std::vector<const ImplementationBase*>& implementations) {
    std::int64_t rows = 0;
    for (const ImplementationBase* i : implementations)
      for (const TrialInput& input : registry().trials(i->info().operation)->inputs()) {
        if (!is_timed(input)) continue;
        for (const std::int64_t size : sizes_of(input)) {
          ++rows;
          table_.widen_columns_for({i->info().operation, i->info().name,
                                    std::string(name(i->info().precision)), input.name,
                                    std::to_string(size)});
        }
      }
    table_.widen_columns_for({"", "", "", "", "", "10000.0000", "100.0 %", "10000.0000", "10000.00",
                              "100.00 M", "particles", "1000.00", "100.0", "10000.00", "100.0"});
    return rows;
  }

  static std::vector<std::string> cells_of(const Measurement& m) {
    return {m.info->operation,
            m.info->name,
            std::string(name(m.info->precision)),
            m.input,
            std::to_string(m.size),
            fmt::format("{:.4f}", 1e3 * m.timing.median),
            fmt::format("{:.1f} %", 50 * (m.timing.longest - m.timing.shortest) / m.timing.median),
            fmt::format("{:.4f}", 1e3 * m.timing.prepare),
            fmt::format("{:.2f}", 1e-6 * static_cast<double>(m.timing.memory)),
            rate(m.items_per_second()),
            m.counts.item,
            fmt::format("{:.2f}", 1e-9 * m.bytes_per_second()),
            fmt::format("{:.1f}", 100 * m.memory_fraction()),
            fmt::format("{:.2f}", 1e-9 * m.flops_per_second()),
            fmt::format("{:.1f}", 100 * m.arithmetic_fraction()),
            m.in_cache() ? "in cache" : ""};
  }

  void print_limits() const {
    fmt::print("\n");
    Table machine(
        {"backend", ">copy GB/s", ">+-", ">double Gflop/s", ">float Gflop/s", ">+-", ">others"});
    for (const auto& [backend, limits] : limits_)
      machine.add({backend, fmt::format("{:.1f}", 1e-9 * limits.copy_bytes()),
                   fmt::format("{:.1f} %", 100 * limits.copy_spread()),
                   fmt::format("{:.1f}", 1e-9 * limits.arithmetic.flops_double),
                   fmt::format("{:.1f}", 1e-9 * limits.arithmetic.flops_single),
                   fmt::format("{:.1f} %", 100 * limits.arithmetic.spread),
                   fmt::format("{:.0f} %", 100 * limits.arithmetic.others)});
    machine.print(stdout);
    fmt::print(
        "\nMedians of {} samples; % of copy: relative to the median of copies that alternate with "
        "them.\nBytes and operations are the minimum that the work needs.\n",
        repeat_);
    if (build_info().build_type != "Release")
      log_warning("this is a " + build_info().build_type +
                  " build: its times are not representative");
  }

  void print_json(const std::vector<Measurement>& measurements) const {
    ordered_json out;
    out["schema"] = "tessera.bench/1";
    out["version"] = build_info().version;
    out["commit"] = build_info().commit;
    out["build_type"] = build_info().build_type;
    out["limits"] = ordered_json::object();
    for (const auto& [backend, limits] : limits_)
      out["limits"][backend] = {{"copy_bytes_per_second", limits.copy_bytes()},
                                {"copy_spread", limits.copy_spread()},
                                {"copy_samples", limits.copies.size()},
                                {"flops_double_per_second", limits.arithmetic.flops_double},
                                {"flops_single_per_second", limits.arithmetic.flops_single},
                                {"spread", limits.arithmetic.spread},
                                {"others", limits.arithmetic.others}};
    out["results"] = ordered_json::array();
    for (const Measurement& m : measurements) {
      ordered_json row;
      row["operation"] = m.info->operation;
      row["implementation"] = m.info->name;
      row["backend"] = m.info->backend;
      row["precision"] = name(m.info->precision);
      row["input"] = m.input;
      row["size"] = m.size;
      row["item"] = m.counts.item;
      row["seconds"] = m.timing.median;
      row["seconds_shortest"] = m.timing.shortest;
      row["seconds_longest"] = m.timing.longest;
      row["prepare_seconds"] = m.timing.prepare;
      row["memory_bytes"] = m.timing.memory;
      row["steps_per_prepare"] =
          std::isfinite(m.timing.steps) ? ordered_json(m.timing.steps) : ordered_json(nullptr);
      row["samples"] = m.timing.samples;
      row["calls_per_sample"] = m.timing.calls_per_sample;
      row["items_per_second"] = m.items_per_second();
      row["bytes_per_second"] = m.bytes_per_second();
      row["flops_per_second"] = m.flops_per_second();
      row["copy_bytes_per_second"] = m.copy_bytes;
      row["memory_fraction"] = m.memory_fraction();
      row["in_cache"] = m.in_cache();
      row["arithmetic_fraction"] = m.arithmetic_fraction();
      out["results"].push_back(std::move(row));
    }
    fmt::print("{}\n", out.dump(2));
  }

  Filter filter_;
  SelectionOptions selection_;
  std::string input_;
  std::vector<std::int64_t> sizes_;
  int repeat_ = 7;
  bool json_ = false;
  std::map<std::string, Limits> limits_;
  /// Measurement of the copy bandwidth, for one backend at a time because it has large arrays.
  struct {
    std::string backend;
    Context context;
    std::unique_ptr<CopyLimit> limit;
  } copying_;
  Table table_{{"operation", "implementation", "precision", "input", ">size", ">ms", ">+-",
                ">prepare ms", ">plan MB", ">items/s", "item", ">GB/s", ">% of copy", ">Gflop/s",
                ">% of peak", ""}};
};

}  // namespace

std::unique_ptr<Command> make_bench_command() {
  return std::make_unique<BenchCommand>();
}

}  // namespace tessera::command_line
