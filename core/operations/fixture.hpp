#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tessera/core/base/precision.hpp>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/operations/implementation.hpp>
#include <vector>

/// \file
/// What an operation knows about itself beyond its contract: standard inputs, the oracle, how to
/// compare, how to time. Tests, benchmarks, `tessera verify`, `tessera bench` and the tuner use
/// this and know no operation by name.

namespace tessera {

/// Result of one implementation on one standard input against the oracle.
struct Verdict {
  enum class Outcome { passed, failed, refused };

  std::string input;  ///< name of the standard input
  Outcome outcome = Outcome::failed;
  double error = 0;  ///< in the measure that the operation documents
  double tolerance = 0;
  std::string detail;  ///< what was compared, or the reason of a refusal

  [[nodiscard]] bool passed() const { return outcome == Outcome::passed; }
};

/// One timed problem: state on the device and a plan. The caller fences and takes the time.
class Workload {
 public:
  virtual ~Workload() = default;

  /// One call as it is used in a step.
  virtual void execute() = 0;
  /// The costly part that is repeated now and then; nothing where there is none.
  virtual void prepare() = 0;

  struct Counts {
    std::string item = "particles";  ///< what is counted as a unit of work
    double items = 0;                ///< units in one execute
    double bytes = 0;                ///< least device memory traffic of one execute
    double flops = 0;                ///< least floating-point operations of one execute
  };
  [[nodiscard]] virtual Counts counts() const = 0;
};

class Fixture {
 public:
  virtual ~Fixture() = default;

  /// Names of the standard inputs, cheapest first.
  [[nodiscard]] virtual std::vector<std::string> inputs() const = 0;

  /// Runs `implementation` on a poisoned output and compares with the oracle. Bad behaviour that
  /// can be observed (an output left unwritten, non-repeating bits where the implementation
  /// promises them) fails too.
  [[nodiscard]] virtual Verdict verify(const ImplementationBase& implementation,
                                       const Context& context, const std::string& input,
                                       const Parameters& parameters) const = 0;

  /// Named problem families for timing ("melt", "random", "sorted") and the sizes worth timing.
  struct Benchmark {
    std::string input;
    std::vector<std::int64_t> sizes;
  };
  [[nodiscard]] virtual std::vector<Benchmark> benchmarks() const = 0;

  /// \throws RefusalError when the implementation cannot run it.
  [[nodiscard]] virtual std::unique_ptr<Workload> workload(const ImplementationBase& implementation,
                                                           const Context& context,
                                                           const std::string& input,
                                                           std::int64_t size,
                                                           const Parameters& parameters) const = 0;
};

}  // namespace tessera
