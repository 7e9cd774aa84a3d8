#include "physics/md/simulation/recovery.hpp"

namespace tessera::md {

template <class P>
Recovery<P>::Recovery(Domain<P>& domain)
    : domain_(domain), stored_{Rollback(domain.state.columns), {}, domain.state.box()} {}

template <class P>
void Recovery<P>::take(std::int64_t step, bool mid_step) {
  stored_.atoms.take(domain_.state.columns);
  stored_.scalars = domain_.scalars();
  stored_.box = domain_.state.box();
  stored_.step = step;
  stored_.mid_step = mid_step;
}

template <class P>
void Recovery<P>::restore_atoms() {
  stored_.atoms.restore(domain_.state.columns);
  domain_.set_scalars(stored_.scalars);
  domain_.state.description.box = stored_.box;
}

template <class P>
void Recovery<P>::restore() {
  restore_atoms();
  domain_.state.clock.return_to(stored_.step);
  domain_.compute_forces(true);
  if (stored_.mid_step) domain_.integrator().after(domain_.state, true);
}

template <class P>
View<const typename P::Storage, 2> Recovery<P>::positions() const {
  return stored_.atoms.rows(domain_.state.columns, domain_.state.positions);
}

template class Recovery<Double>;
template class Recovery<Mixed>;
template class Recovery<Single>;

}  // namespace tessera::md
