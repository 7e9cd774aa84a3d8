#pragma once

#include <math.h>

#include <cstdint>
#include <string>
#include <tessera/core/base/device_code.hpp>
#include <tessera/md/pair_force/pair_force_portable.hpp>
#include <tessera/md/pair_form/form_functions.hpp>

/// \file
/// The pair loop of the portable body for one form: a row of its table. Compiled once for each form
/// and backend; the form's header is included before this one.

namespace tessera::md {

/// A distance, as a form asks for it.
template <class Real>
struct RowDistance {
  Real inverse_sq;
  Real r_sq;

  [[nodiscard]] TESSERA_INLINE Real squared() const { return r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse_squared() const { return inverse_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse() const { return sqrt(inverse_sq); }
  [[nodiscard]] TESSERA_INLINE Real length() const { return squared() * inverse(); }
};

template <class Real>
struct RowAtom {
  Real charge;
};

/// Force on the k-th atom of a block in cell order. `Lanes` neighbors are treated at once where one
/// thread runs along a row, in loops that a compiler turns into vector instructions.
template <class P, class Form, bool Coalesced, int Lanes, bool OneType, bool Tilted>
struct PairForceRow {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr int width = 1 + Form::width;
  static constexpr bool samples = forms::HasSamples<Form>::value;

  PairLoop<P, Coalesced> loop;
  Form form;
  Real only[width] = {};  ///< the numbers of the only pair of types

  PairForceRow(const PairLoop<P, Coalesced>& l, const Form& f, const Real* table)
      : loop(l), form(f) {
    for (int w = 0; w < width && w < l.width; ++w)
      only[w] = table[w];
  }

  TESSERA_FUNCTION void operator()(std::int64_t k) const { row<false>(k, nullptr); }
  TESSERA_FUNCTION void operator()(std::int64_t k, Tally& tally) const { row<true>(k, &tally); }
  [[nodiscard]] TESSERA_FUNCTION std::int64_t place(std::int64_t k) const { return loop.order[k]; }

 private:
  template <bool Tallied>
  TESSERA_INLINE void row(std::int64_t k, Tally* tally) const {
    const PackedAtom<Storage> me = loop.own[k];
    const std::int32_t count = loop.rows.counts[k];
    const bool charged = Form::reads_charge && loop.charges != nullptr;
    const RowAtom<Real> mine{charged ? loop.own_charges[k] : Real(0)};
    // Not a constant, for which GCC would work out every step of the form apart.
    const Real outside = loop.outside;
    Real fx[Lanes] = {};
    Real fy[Lanes] = {};
    Real fz[Lanes] = {};
    Real sums[Tallied ? 7 : 1][Lanes] = {};
    for (std::int32_t slot = 0; slot < count; slot += Lanes) {
      Storage x[Lanes];
      Storage y[Lanes];
      Storage z[Lanes];
      Real charge[Lanes];
      Real pair[OneType ? 1 : Lanes][width];
      for (int lane = 0; lane < Lanes; ++lane) {
        const std::int32_t j = loop.rows.at(k, slot + lane);
        const PackedAtom<Storage>* const other = loop.atoms + j;
        x[lane] = other->x;
        y[lane] = other->y;
        z[lane] = other->z;
        charge[lane] = charged ? loop.charges[j] : Real(0);
        if constexpr (!OneType) {
          const Real* const numbers =
              loop.table + (me.type * loop.types + other->type) * loop.width;
          for (int w = 0; w < width; ++w)
            pair[lane][w] = numbers[w];
        }
      }
      for (int lane = 0; lane < Lanes; ++lane) {
        const Vec3<double> d = loop.image.template reduce<Tilted>(
            {static_cast<double>(me.x) - static_cast<double>(x[lane]),
             static_cast<double>(me.y) - static_cast<double>(y[lane]),
             static_cast<double>(me.z) - static_cast<double>(z[lane])});
        const Real dx = static_cast<Real>(d.x);
        const Real dy = static_cast<Real>(d.y);
        const Real dz = static_cast<Real>(d.z);
        const Real r_sq = dx * dx + dy * dy + dz * dz;
        const Real* const c = OneType ? only : pair[lane];
        const bool inside = (r_sq < c[0]) & (r_sq > Real(0));
        // A factor, not a choice after the form: a compiler would make a branch of that, and no
        // vectors.
        const Real keep = inside ? Real(1) : Real(0);
        const Real safe = inside ? r_sq : outside;
        const RowDistance<Real> distance{Real(1) / safe, safe};
        Real force;
        Real energy;
        form.at(distance, forms::pair_numbers<samples>(c + 1, loop.samples), mine,
                RowAtom<Real>{charge[lane]}, force, energy);
        force = keep * force;
        fx[lane] += force * dx;
        fy[lane] += force * dy;
        fz[lane] += force * dz;
        if constexpr (Tallied) {
          sums[0][lane] += keep * energy;
          sums[1][lane] += force * dx * dx;
          sums[2][lane] += force * dy * dy;
          sums[3][lane] += force * dz * dz;
          sums[4][lane] += force * dx * dy;
          sums[5][lane] += force * dx * dz;
          sums[6][lane] += force * dy * dz;
        }
      }
    }
    const std::int64_t i = loop.order[k];
    store(i, 0, total(fx));
    store(i, 1, total(fy));
    store(i, 2, total(fz));
    if constexpr (Tallied) {
      tally->energy += static_cast<double>(total(sums[0]));
      for (int c = 0; c < 6; ++c)
        tally->virial[c] += static_cast<double>(total(sums[c + 1]));
    }
  }

  /// In double the units are the caller's.
  TESSERA_INLINE void store(std::int64_t i, int d, Real force) const {
    auto value = static_cast<Storage>(force);
    if constexpr (std::is_same_v<Real, float>) value *= loop.force_unit;
    loop.forces(i, d) = loop.add ? loop.forces(i, d) + value : value;
  }

  [[nodiscard]] static TESSERA_INLINE Real total(const Real (&lanes)[Lanes]) {
    Real sum = lanes[0];
    for (int lane = 1; lane < Lanes; ++lane)
      sum += lanes[lane];
    return sum;
  }
};

template <class Form, class P, ExecutionSpace Space, bool OneType, bool Tilted>
void run_pair_loop(PairLaunch<P, Space>& launch, const Form& form) {
  for (int b = 0; b < launch.matrix.block_count; ++b) {
    const std::int64_t atoms = launch.matrix.blocks[b].atoms;
    const PairForceRow<P, Form, Space::coalesced, Space::coalesced ? 1 : 8, OneType, Tilted> row(
        launch.loop_over(b), form, launch.host_table);
    if (launch.tally == nullptr)
      launch.space.for_each("pair force", atoms, row, launch.team_size);
    else
      launch.space.reduce("pair force with energy", atoms, Tally{}, row, JoinTallies{},
                          launch.tally + b, launch.workspace);
  }
}

/// Output asks for it now and then: one loop for all numbers of types and all boxes.
template <class Form, class P, ExecutionSpace Space>
void run_pair_loop_by_atom(PairLaunch<P, Space>& launch, const Form& form) {
  using Row = PairForceRow<P, Form, Space::coalesced, Space::coalesced ? 1 : 8, false, true>;
  for (int b = 0; b < launch.matrix.block_count; ++b)
    launch.space.reduce(
        "pair force by atom", launch.matrix.blocks[b].atoms, Tally{},
        RowByAtom<Row>{Row(launch.loop_over(b), form, launch.host_table), launch.by_atom},
        JoinTallies{}, launch.tally + b, launch.workspace);
}

template <class Form, class P, ExecutionSpace Space, bool OneType>
void run_pair_row(PairLaunch<P, Space>& launch, const Form& form) {
  if (launch.loop.image.tilted())
    run_pair_loop<Form, P, Space, OneType, true>(launch, form);
  else
    run_pair_loop<Form, P, Space, OneType, false>(launch, form);
}

/// The row of a compiled form.
template <class Form, class P, ExecutionSpace Space>
void pair_row(PairLaunch<P, Space>& launch) {
  if (launch.by_atom.given())
    run_pair_loop_by_atom<Form, P, Space>(launch, Form{});
  else if (launch.loop.types == 1)
    run_pair_row<Form, P, Space, true>(launch, Form{});
  else
    run_pair_row<Form, P, Space, false>(launch, Form{});
}

/// The row that decides at run time which form it is.
template <class Form, class P, ExecutionSpace Space>
void switch_row(PairLaunch<P, Space>& launch) {
  if (launch.by_atom.given())
    run_pair_loop_by_atom<Form, P, Space>(launch, Form(*launch.form));
  else
    run_pair_row<Form, P, Space, false>(launch, Form(*launch.form));
}

}  // namespace tessera::md
