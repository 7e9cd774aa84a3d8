#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/sanitizers.hpp"

#include <atomic>
#include <type_traits>

/// \file
/// Atomic operations. One thread runs at a time, so they are plain ones, except for
/// ThreadSanitizer.

namespace tessera::emulated {

/// Replaces the value at an address by next(value). \returns the former value.
template <class T, class Next>
T replace(T* address, const Next& next) {
  if constexpr (finds_races) {
    before_atomic();
    const std::atomic_ref<T> atomic(*address);
    T former = atomic.load(std::memory_order_relaxed);
    while (!atomic.compare_exchange_weak(former, next(former), std::memory_order_relaxed)) {
    }
    return former;
  } else {
    const T former = *address;
    *address = next(former);
    return former;
  }
}

}  // namespace tessera::emulated

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address, [value](T former) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(former) +
                            static_cast<std::make_unsigned_t<T>>(value));  // wraps around
    else
      return former + value;
  });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address,
                                    [value](T former) { return former < value ? value : former; });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address,
                                    [value](T former) { return value < former ? value : former; });
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address, [value](T former) { return former | value; });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address, [value](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return tessera::emulated::replace(address,
                                    [=](T former) { return former == compare ? value : former; });
}

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP
