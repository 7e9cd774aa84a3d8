#include "core/base/error.hpp"
#include "core/trials/trial.hpp"

#include <cmath>

namespace tessera {
namespace {

/// Makes the checks of check() and keeps the verdict to report: the first failure, or else the
/// result closest to its tolerance.
class Checker {
 public:
  explicit Checker(TrialRun& run) : run_(run), trial_(run.trial()) {}

  Verdict verdict() {
    // Simple calls come first, so that the simplest call that shows a fault reports it.
    constexpr std::uint64_t shuffled = 20260711;
    run_.plan();
    if (!judged(0, true, {})) return worst_;
    const std::vector<unsigned char> first = trial_.bits();
    if (!judged(0, false, "again on the same plan")) return worst_;
    const Determinism determinism = run_.determinism();
    if (determinism != Determinism::none && trial_.bits() != first)
      return failed("a second run gave other bits");
    for (int way = 1; way < trial_.ways(); ++way) {
      trial_.choose(way);
      if (!judged(0, true, "with optional arguments left out, variant " + std::to_string(way)))
        return worst_;
    }
    trial_.choose(0);
    if (!judged(shuffled, true, "with the items in another order")) return worst_;
    if (determinism == Determinism::any_order && trial_.bits() != first)
      return failed("another order of the items gave other bits");
    if (!run_.prepare_is_required()) {
      run_.plan();
      if (!judged(0, false, "without prepare")) return worst_;
    }
    drifted();
    return worst_;
  }

  Verdict sampled() {
    run_.plan();
    trial_.choose(0);
    if (judged(0, true, {})) drifted();
    if (judged_ && worst_.passed() && !drifted_) (void)judged(0, false, "again on the same plan");
    return worst_;
  }

 private:
  /// Runs one call and judges it; false when it failed.
  bool judged(std::uint64_t order, bool prepare, const std::string& how) {
    trial_.reset(order);
    if (prepare) run_.prepare();
    run_.execute();
    return kept(how);
  }

  void drifted() {
    trial_.reset(0);
    run_.prepare();
    if (!std::isfinite(run_.drift(1))) return;
    drifted_ = true;
    run_.execute();
    (void)kept("at the end of the steps that one prepare serves");
  }

  bool kept(const std::string& how) {
    Verdict found = trial_.judge();
    if (!how.empty() && !found.passed()) found.detail += " (" + how + ")";
    if (!judged_ || !found.passed() || share(found) > share(worst_)) worst_ = std::move(found);
    judged_ = true;
    return worst_.passed();
  }

  Verdict failed(std::string detail) {
    Verdict verdict = Verdict::failure(std::move(detail));
    verdict.input = trial_.label();
    return verdict;
  }

  static double share(const Verdict& v) { return v.error == 0 ? 0 : v.error / v.tolerance; }

  TrialRun& run_;
  TrialBase& trial_;
  Verdict worst_;
  bool judged_ = false;
  bool drifted_ = false;
};

/// \param look makes the checks; it is called only where the implementation can run the problem.
template <class Look>
Verdict verdict_of(TrialRun& run, const Look& look) {
  Verdict verdict;
  try {
    if (const Refusal refusal = run.can_run())
      verdict = Verdict::refusal(*refusal);
    else
      verdict = look();
  } catch (const InputError&) {
    throw;
  } catch (const SelectionError&) {
    throw;
  } catch (const std::exception& error) {
    verdict = Verdict::failure(error.what());
  }
  verdict.input = run.trial().label();
  return verdict;
}

}  // namespace

Verdict check(TrialRun& run) {
  return verdict_of(run, [&] { return Checker(run).verdict(); });
}

Verdict check_sample(TrialRun& run, std::int64_t sampled) {
  return verdict_of(run, [&] {
    run.trial().sample(sampled);
    Verdict verdict = Checker(run).sampled();
    run.trial().sample(0);
    return verdict;
  });
}

}  // namespace tessera
