#ifndef TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP

#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

/// \file
/// Functions that run a test of several operations on one or on all backends.

namespace tessera::pic::analytic {

/// Runs a test on every available backend.
template <class Test>
void each_backend(const Test& test) {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    INFO(backend.name);
    test(registry().open(backend.name));
  }
}

/// Runs a long test on one backend: on a GPU if there is one, else on one core, because ctest uses
/// the others. One backend suffices, because conformance tests check that all backends agree.
template <class Test>
void one_backend(const Test& test) {
  const Context context = registry().open();
  const bool on_host = context.memory() == MemorySpace::host;
  test(on_host ? registry().open("serial") : context);
}

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP
