#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/md/wrap/wrap.hpp>

/// \file
/// The portable body of md/wrap: one work item an atom.

namespace tessera::md {

template <class Storage>
struct WrapAtom {
  WrapArgs<Storage> args;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d) {
      if (!args.box.periodic[d]) continue;
      const auto lower = static_cast<Storage>(args.box.lower[d]);
      const auto length = static_cast<Storage>(args.box.length[d]);
      Storage s = args.positions(i, d) - lower;
      if (s >= 0 && s < length) continue;
      const Storage crossings = whole(s / length);
      s -= crossings * length;
      std::int32_t image = static_cast<std::int32_t>(crossings);
      // Rounding may leave the result on the wrong side of a face.
      if (s < 0) {
        s += length;
        --image;
      }
      if (s >= length) {
        s -= length;
        ++image;
        if (s < 0) s = 0;
      }
      args.positions(i, d) = lower + s < lower + length ? lower + s : lower;
      if (args.images.given()) args.images(i, d) += image;
    }
  }

 private:
  /// Largest integer not above x.
  [[nodiscard]] static TESSERA_INLINE Storage whole(Storage x) {
    const auto truncated = static_cast<Storage>(static_cast<std::int64_t>(x));
    return truncated > x ? truncated - 1 : truncated;
  }
};

template <class P, ExecutionSpace Space>
class WrapPortable final : public Plan<Wrap, P> {
 public:
  using Policy = NoPolicy;
  using Args = typename Plan<Wrap, P>::Args;
  static constexpr Determinism determinism = Determinism::any_order;

  WrapPortable(const WrapProblem& problem, const Context& context, const Policy&)
      : problem_(problem), space_(space_of<Space>(context)) {}

  static Refusal can_run(const WrapProblem&, const Context&) { return {}; }

  void execute(const Args& args) override {
    space_.for_each("wrap", problem_.atoms, WrapAtom<typename P::Storage>{args});
  }

 private:
  WrapProblem problem_;
  Space space_;
};

}  // namespace tessera::md
