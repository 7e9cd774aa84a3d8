// The declarations for the library that is loaded at run time match HDF5's headers, where these are
// installed.
#include "core/hdf5/hdf5_library.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#if __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#define TESSERA_TEST_HDF5_HEADERS
#elif __has_include(<hdf5.h>)
#include <hdf5.h>
#define TESSERA_TEST_HDF5_HEADERS
#endif

namespace tessera::hdf5 {
namespace {

TEST_CASE("HDF5 is there, and says which version it is") {
  REQUIRE(library().missing() == "");
  CHECK(library().version().find('.') != std::string::npos);
  CHECK(library().file().find("hdf5") != std::string::npos);
  CHECK(functions().float64 > 0);
}

TEST_CASE("where it is not, or is something else, is said with the package that brings it") {
  const char* const nowhere[] = {"libnowhere.so.1", "libnowhere.so.2"};
  const Library none(nowhere);
  CHECK(test::message_of([&] { static_cast<void>(none.functions()); }) ==
        "openPMD input and output cannot run: HDF5 1.10 or newer was not found (Debian: "
        "libhdf5-dev)");
  const char* const other[] = {"libm.so.6"};
  CHECK(Library(other).missing().find("libm.so.6 has no H5") == 0);
}

#if defined(TESSERA_TEST_HDF5_HEADERS)

template <class A, class B>
constexpr bool passed_alike =
    sizeof(A) == sizeof(B) && std::is_pointer_v<A> ==
                                  std::is_pointer_v<B>&& std::is_floating_point_v<A> ==
                                  std::is_floating_point_v<B>;

template <class Ours, class Theirs>
struct Alike : std::false_type {};
template <class R, class... A, class S, class... B>
requires(sizeof...(A) == sizeof...(B)) struct Alike<R (*)(A...), S (*)(B...)>
    : std::bool_constant<passed_alike<R, S> && (passed_alike<A, B> && ...)> {
};

#define CHECK_ALIKE(ours, theirs) \
  static_assert(Alike<decltype(Functions::ours), decltype(&theirs)>::value)

CHECK_ALIKE(stay_open_at_exit, H5dont_atexit);
CHECK_ALIKE(open, H5open);
CHECK_ALIKE(version, H5get_libversion);
CHECK_ALIKE(free_memory, H5free_memory);
CHECK_ALIKE(get_print_errors, H5Eget_auto2);
CHECK_ALIKE(set_print_errors, H5Eset_auto2);
CHECK_ALIKE(walk_errors, H5Ewalk2);
CHECK_ALIKE(clear_errors, H5Eclear2);
CHECK_ALIKE(create_file, H5Fcreate);
CHECK_ALIKE(open_file, H5Fopen);
CHECK_ALIKE(flush, H5Fflush);
CHECK_ALIKE(close_file, H5Fclose);
CHECK_ALIKE(create_group, H5Gcreate2);
CHECK_ALIKE(group_info, H5Gget_info);
CHECK_ALIKE(link_name, H5Lget_name_by_idx);
CHECK_ALIKE(link_exists, H5Lexists);
CHECK_ALIKE(open_object, H5Oopen);
CHECK_ALIKE(close_object, H5Oclose);
CHECK_ALIKE(kind_of_id, H5Iget_type);
CHECK_ALIKE(create_attribute, H5Acreate2);
CHECK_ALIKE(attribute_exists, H5Aexists);
CHECK_ALIKE(open_attribute, H5Aopen);
CHECK_ALIKE(attribute_type, H5Aget_type);
CHECK_ALIKE(attribute_space, H5Aget_space);
CHECK_ALIKE(read_attribute, H5Aread);
CHECK_ALIKE(write_attribute, H5Awrite);
CHECK_ALIKE(close_attribute, H5Aclose);
CHECK_ALIKE(create_dataset, H5Dcreate2);
CHECK_ALIKE(dataset_type, H5Dget_type);
CHECK_ALIKE(dataset_space, H5Dget_space);
CHECK_ALIKE(read_dataset, H5Dread);
CHECK_ALIKE(write_dataset, H5Dwrite);
CHECK_ALIKE(close_dataset, H5Dclose);
CHECK_ALIKE(create_space, H5Screate);
CHECK_ALIKE(create_simple_space, H5Screate_simple);
CHECK_ALIKE(space_rank, H5Sget_simple_extent_ndims);
CHECK_ALIKE(space_extents, H5Sget_simple_extent_dims);
CHECK_ALIKE(space_points, H5Sget_simple_extent_npoints);
CHECK_ALIKE(close_space, H5Sclose);
CHECK_ALIKE(copy_type, H5Tcopy);
CHECK_ALIKE(type_class, H5Tget_class);
CHECK_ALIKE(type_size, H5Tget_size);
CHECK_ALIKE(set_type_size, H5Tset_size);
CHECK_ALIKE(set_string_padding, H5Tset_strpad);
CHECK_ALIKE(is_variable_string, H5Tis_variable_str);
CHECK_ALIKE(close_type, H5Tclose);

static_assert(sizeof(StackEntry) == sizeof(H5E_error2_t));
static_assert(offsetof(StackEntry, description) == offsetof(H5E_error2_t, desc));
static_assert(sizeof(GroupInfo) == sizeof(H5G_info_t));
static_assert(offsetof(GroupInfo, links) == offsetof(H5G_info_t, nlinks));

// These macros would call the library.
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN
static_assert(read_only == H5F_ACC_RDONLY && replace == H5F_ACC_TRUNC);
static_assert(whole_file == H5F_SCOPE_GLOBAL);
static_assert(by_name == H5_INDEX_NAME && increasing == H5_ITER_INC);
static_assert(upward == H5E_WALK_UPWARD);
static_assert(group_id == H5I_GROUP && dataset_id == H5I_DATASET);
static_assert(scalar_space == H5S_SCALAR);
static_assert(integer_class == H5T_INTEGER && float_class == H5T_FLOAT);
static_assert(string_class == H5T_STRING && null_padded == H5T_STR_NULLPAD);
static_assert(all_elements == H5S_ALL && defaults == H5P_DEFAULT && defaults == H5E_DEFAULT);

#endif

}  // namespace
}  // namespace tessera::hdf5
