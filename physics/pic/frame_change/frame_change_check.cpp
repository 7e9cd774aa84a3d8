#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/reference_check.hpp"

namespace tessera::pic {

void check_longitudinal(const ArgumentCheck& check, LongitudinalCoordinates accelerator) {
  check.require(accelerator == LongitudinalCoordinates::cdt_dpop ||
                    accelerator == LongitudinalCoordinates::zeta_ptau ||
                    accelerator == LongitudinalCoordinates::t_pt,
                "accelerator", "none of cdt_dpop, zeta_ptau, t_pt");
}

FrameChangeCheck::FrameChangeCheck(const FrameChangeProblem& problem) : problem_(problem) {
  require_count(FrameChange::name, "particles", problem.particles);
}

template <class Storage>
void FrameChangeCheck::operator()(ArgumentCheck& check,
                                  const FrameChangeArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_reference(check, args.reference);
  check_longitudinal(check, args.accelerator);
}

template void FrameChangeCheck::operator()(ArgumentCheck&, const FrameChangeArgs<double>&) const;
template void FrameChangeCheck::operator()(ArgumentCheck&, const FrameChangeArgs<float>&) const;

template <class Storage>
FrameChangeProblem frame_change_problem(const FrameChangeArgs<Storage>& args) {
  const FrameChangeProblem problem{
      ArgumentCheck(FrameChange::name).rows("coordinates", args.coordinates)};
  check_arguments<FrameChange>(problem, args);
  return problem;
}

template FrameChangeProblem frame_change_problem<double>(const FrameChangeArgs<double>&);
template FrameChangeProblem frame_change_problem<float>(const FrameChangeArgs<float>&);

}  // namespace tessera::pic
