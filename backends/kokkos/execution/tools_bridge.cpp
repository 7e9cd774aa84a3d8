#include "backends/kokkos/execution/tools_bridge.hpp"

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_TUNING)
#include "backends/kokkos/execution/runtime.hpp"
#include "backends/kokkos/execution/tool_variables.hpp"
#include "core/base/precision.hpp"
#include "core/operations/external_tuner.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#endif

namespace tessera::kokkos {

#if defined(KOKKOS_ENABLE_TUNING)
namespace {

namespace tools = Kokkos::Tools::Experimental;

/// Lock for Kokkos Tools, whose state is not thread-safe.
std::mutex& tools_mutex() {
  static auto& mutex = *new std::mutex;  // for plans that outlive the end of main too
  return mutex;
}

/// A context of the tuner, open as long as its plan lives.
///
/// Kokkos numbers contexts like a stack: get_new_context_id() counts up, end_context() counts down,
/// whichever context ends. Plans end in any order, and the contexts of kernels
/// (KOKKOS_TUNE_INTERNALS) open and close meanwhile, so two open contexts could get the same
/// number. The contexts of plans therefore have numbers of their own and leave the count of Kokkos
/// unchanged.
class ToolContext {
 public:
  ToolContext() : runtime_(acquire_runtime()) { tools::begin_context(number_); }
  ~ToolContext() {
    const std::lock_guard lock(tools_mutex());
    if (!Kokkos::is_initialized()) return;           // the program has finalised it
    static_cast<void>(tools::get_new_context_id());  // which end_context() counts down again
    tools::end_context(number_);
  }
  ToolContext(const ToolContext&) = delete;
  ToolContext& operator=(const ToolContext&) = delete;

  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  static std::size_t next_number() {
    static std::size_t last = std::size_t{1} << 40;
    return ++last;
  }

  std::shared_ptr<void> runtime_;
  std::size_t number_ = next_number();
};

class KokkosToolsTuner final : public ExternalTuner {
 public:
  [[nodiscard]] bool is_active() const override {
    return Kokkos::is_initialized() && tools::have_tuning_tool();
  }

  [[nodiscard]] TunerAdvice request_values(const ImplementationInfo& implementation,
                                           const std::vector<ParameterInfo>& parameters,
                                           const ParameterValues& now,
                                           const ProblemKey& problem) override {
    // Kokkos keeps pointers to the candidates of variables for as long as it runs.
    static auto& inputs = *new ContextVariables;
    static auto& outputs = *new ParameterVariables;

    std::shared_ptr<ToolContext> context;  // ends after the lock does when something throws
    const std::lock_guard lock(tools_mutex());
    inputs.clear();
    inputs.set("operation", implementation.operation);
    inputs.set("implementation", implementation.name);
    inputs.set("precision", std::string(name(implementation.precision)));
    inputs.set("size", problem.size);
    for (const auto& [magnitude, value] : problem.magnitudes)
      inputs.set(magnitude, value);
    for (const auto& [kind, value] : problem.kinds)
      inputs.set(kind, value);
    auto request = outputs.request(implementation, parameters, now);

    context = std::make_shared<ToolContext>();
    auto values = inputs.values();
    tools::set_input_values(context->number(), values.size(), values.data());
    tools::request_output_values(context->number(), request.values.size(), request.values.data());
    return {request.answers(), std::move(context)};
  }
};

}  // namespace

void offer_parameters_to_tools() {
  set_external_tuner(std::make_shared<KokkosToolsTuner>());
}
#else
void offer_parameters_to_tools() {}
#endif

}  // namespace tessera::kokkos
