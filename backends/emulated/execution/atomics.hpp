#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP

#include <type_traits>

/// \file
/// Atomic operations. One thread runs at a time, so they are plain ones.

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  const T former = *address;
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
    *address = static_cast<T>(static_cast<std::make_unsigned_t<T>>(former) +
                              static_cast<std::make_unsigned_t<T>>(value));  // wraps around
  else
    *address = former + value;
  return former;
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  const T former = *address;
  if (former < value) *address = value;
  return former;
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  const T former = *address;
  if (value < former) *address = value;
  return former;
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  const T former = *address;
  *address = former | value;
  return former;
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  const T former = *address;
  if (former == compare) *address = value;
  return former;
}

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_ATOMICS_HPP
