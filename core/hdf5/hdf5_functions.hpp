#ifndef TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP
#define TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP

#include <hdf5.h>

#include <cstdint>
#include <type_traits>

/// \file
/// The HDF5 functions that Tessera uses, as pointers that are set when the library is loaded.
/// Types, constants and signatures come from the headers that the build was made with; nothing
/// links the library (docs/decisions/0018). Only sources of this folder include this file.

// The constants for opening files (H5F_ACC_RDONLY) contain these macros, which would call the
// library.
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

// clang-format off
#define TESSERA_HDF5_FUNCTIONS(F) \
  F(H5dont_atexit) F(H5get_libversion) F(H5open) F(H5free_memory) \
  F(H5Eget_auto2) F(H5Eset_auto2) F(H5Ewalk2) F(H5Eclear2) \
  F(H5Fcreate) F(H5Fopen) F(H5Fflush) F(H5Fclose) \
  F(H5Gcreate2) F(H5Gget_info) \
  F(H5Lget_name_by_idx) F(H5Lexists) \
  F(H5Oopen) F(H5Oclose) F(H5Iget_type) \
  F(H5Acreate2) F(H5Aexists) F(H5Aopen) F(H5Aget_type) F(H5Aget_space) \
  F(H5Aread) F(H5Awrite) F(H5Aclose) \
  F(H5Dcreate2) F(H5Dget_type) F(H5Dget_space) F(H5Dread) F(H5Dwrite) F(H5Dclose) \
  F(H5Screate) F(H5Screate_simple) F(H5Sget_simple_extent_ndims) \
  F(H5Sget_simple_extent_dims) F(H5Sget_simple_extent_npoints) F(H5Sclose) \
  F(H5Tcopy) F(H5Tget_class) F(H5Tget_size) F(H5Tset_size) F(H5Tset_strpad) \
  F(H5Tis_variable_str) F(H5Tclose)

/// Variables behind the macros H5T_NATIVE_FLOAT and so on, which HDF5 sets in H5open().
#define TESSERA_HDF5_TYPES(F) \
  F(H5T_NATIVE_FLOAT_g) F(H5T_NATIVE_DOUBLE_g) F(H5T_NATIVE_UINT32_g) F(H5T_NATIVE_UINT64_g) \
  F(H5T_C_S1_g)
// clang-format on

namespace tessera::hdf5 {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 1.10 or newer is expected");

struct Functions {
#define TESSERA_HDF5_POINTER(name) decltype(&::name) name = nullptr;
  TESSERA_HDF5_FUNCTIONS(TESSERA_HDF5_POINTER)
#undef TESSERA_HDF5_POINTER
#define TESSERA_HDF5_VALUE(name) decltype(::name) name = H5I_INVALID_HID;
  TESSERA_HDF5_TYPES(TESSERA_HDF5_VALUE)
#undef TESSERA_HDF5_VALUE
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP
