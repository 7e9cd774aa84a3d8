#include <tessera/core/operations/plugin.hpp>
#include <tessera/reduction/extrema/extrema.hpp>

// An implementation that computes nothing, to test that a program can load a plugin.
namespace {

class NoExtrema : public tessera::Plan<tessera::reduction::Extrema, tessera::Double> {
 public:
  using Parameters = tessera::NoParameters;
  static constexpr tessera::PlanTraits<tessera::reduction::Extrema> traits{
      .determinism = tessera::Determinism::any_order, .description = "finds nothing"};
  static tessera::Refusal can_run(const tessera::reduction::ExtremaProblem&,
                                  const tessera::Context&, const Parameters&) {
    return {};
  }
  NoExtrema(const tessera::reduction::ExtremaProblem&, const tessera::Context&, const Parameters&) {
  }
  void execute(const Args& args) override {
    if (args.values.size() < 0) throw tessera::ArgumentError("consumer", "values", "negative");
  }
};

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(tessera::plugin_implementation<NoExtrema>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::host));
}
