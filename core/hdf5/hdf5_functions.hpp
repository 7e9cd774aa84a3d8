#ifndef TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP
#define TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

/// \file
/// The part of HDF5's C interface in use ("HDF5: API Reference", The HDF Group), unchanged since
/// version 1.10. The library is loaded for the first file (docs/decisions/0018).

namespace tessera::hdf5 {

using Id = std::int64_t;          ///< hid_t; negative: a call failed
using Status = int;               ///< herr_t, htri_t; negative: a call failed
using Size = unsigned long long;  ///< hsize_t

/// H5E_error2_t.
struct StackEntry {
  Id error_class, major, minor;
  unsigned line;
  const char* function;
  const char* file;
  const char* description;
};
/// H5G_info_t.
struct GroupInfo {
  int storage;
  Size links;
  std::int64_t largest_creation_order;
  bool mounted;
};
using PrintErrors = Status (*)(Id, void*);
using VisitError = Status (*)(unsigned, const StackEntry*, void*);

inline constexpr unsigned read_only = 0x0;  ///< H5F_ACC_RDONLY
inline constexpr unsigned replace = 0x2;    ///< H5F_ACC_TRUNC
inline constexpr int whole_file = 1;        ///< H5F_SCOPE_GLOBAL
inline constexpr int by_name = 0;           ///< H5_INDEX_NAME
inline constexpr int increasing = 0;        ///< H5_ITER_INC
inline constexpr int upward = 0;            ///< H5E_WALK_UPWARD: the innermost call first
inline constexpr int group_id = 2;          ///< H5I_GROUP
inline constexpr int dataset_id = 5;        ///< H5I_DATASET
inline constexpr int scalar_space = 0;      ///< H5S_SCALAR
inline constexpr int integer_class = 0;     ///< H5T_INTEGER
inline constexpr int float_class = 1;       ///< H5T_FLOAT
inline constexpr int string_class = 3;      ///< H5T_STRING
inline constexpr int null_padded = 1;       ///< H5T_STR_NULLPAD
inline constexpr Id all_elements = 0;       ///< H5S_ALL
inline constexpr Id defaults = 0;           ///< H5P_DEFAULT, H5E_DEFAULT

struct Functions {
  Status (*stay_open_at_exit)();
  Status (*open)();
  Status (*version)(unsigned*, unsigned*, unsigned*);
  Status (*free_memory)(void*);

  Status (*get_print_errors)(Id, PrintErrors*, void**);
  Status (*set_print_errors)(Id, PrintErrors, void*);
  Status (*walk_errors)(Id, int, VisitError, void*);
  Status (*clear_errors)(Id);

  Id (*create_file)(const char*, unsigned, Id, Id);
  Id (*open_file)(const char*, unsigned, Id);
  Status (*flush)(Id, int);
  Status (*close_file)(Id);

  Id (*create_group)(Id, const char*, Id, Id, Id);
  Status (*group_info)(Id, GroupInfo*);
  std::ptrdiff_t (*link_name)(Id, const char*, int, int, Size, char*, std::size_t, Id);
  Status (*link_exists)(Id, const char*, Id);
  Id (*open_object)(Id, const char*, Id);
  Status (*close_object)(Id);
  int (*kind_of_id)(Id);

  Id (*create_attribute)(Id, const char*, Id, Id, Id, Id);
  Status (*attribute_exists)(Id, const char*);
  Id (*open_attribute)(Id, const char*, Id);
  Id (*attribute_type)(Id);
  Id (*attribute_space)(Id);
  Status (*read_attribute)(Id, Id, void*);
  Status (*write_attribute)(Id, Id, const void*);
  Status (*close_attribute)(Id);

  Id (*create_dataset)(Id, const char*, Id, Id, Id, Id, Id);
  Id (*dataset_type)(Id);
  Id (*dataset_space)(Id);
  Status (*read_dataset)(Id, Id, Id, Id, Id, void*);
  Status (*write_dataset)(Id, Id, Id, Id, Id, const void*);
  Status (*close_dataset)(Id);

  Id (*create_space)(int);
  Id (*create_simple_space)(int, const Size*, const Size*);
  int (*space_rank)(Id);
  int (*space_extents)(Id, Size*, Size*);
  long long (*space_points)(Id);
  Status (*close_space)(Id);

  Id (*copy_type)(Id);
  int (*type_class)(Id);
  std::size_t (*type_size)(Id);
  Status (*set_type_size)(Id, std::size_t);
  Status (*set_string_padding)(Id, int);
  Status (*is_variable_string)(Id);
  Status (*close_type)(Id);

  /// Type identifiers, valid once the library is open.
  Id float32, float64, uint32, uint64, text;
};

/// The functions of this process. \throws RefusalError where HDF5 is missing.
[[nodiscard]] const Functions& functions();

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_FUNCTIONS_HPP
