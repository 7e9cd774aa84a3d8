#include "core/hdf5/hdf5_library.hpp"

#include "core/base/error.hpp"
#include "core/base/loaded_library.hpp"

#include <array>

namespace tessera::hdf5 {
namespace {

constexpr const char* package = "Debian: libhdf5-dev";

/// File names of serial libraries, by interface version: 1.10, 1.12 and 1.14, each as in Debian and
/// upstream; then the names without a version, which a development package or LD_LIBRARY_PATH
/// provides.
constexpr std::array known_files = {
    "libhdf5_serial.so.103", "libhdf5.so.103", "libhdf5_serial.so.200", "libhdf5.so.200",
    "libhdf5_serial.so.310", "libhdf5.so.310", "libhdf5_serial.so",     "libhdf5.so"};

}  // namespace

Library::Library(std::span<const char* const> files) {
  for (const char* const file : files) {
    LoadedLibrary library(file, "HDF5 1.10 or newer was not found (" + std::string(package) + ")");
    missing_ = library.missing();
    if (!missing_.empty()) continue;
    file_ = file;
    find_functions(library);
    missing_ = library.missing();
    if (missing_.empty()) start(library);
    return;
  }
}

void Library::find_functions(LoadedLibrary& library) {
  Functions& f = functions_;
  library.find(f.stay_open_at_exit, "H5dont_atexit");
  library.find(f.open, "H5open");
  library.find(f.version, "H5get_libversion");
  library.find(f.free_memory, "H5free_memory");
  library.find(f.get_print_errors, "H5Eget_auto2");
  library.find(f.set_print_errors, "H5Eset_auto2");
  library.find(f.walk_errors, "H5Ewalk2");
  library.find(f.clear_errors, "H5Eclear2");
  library.find(f.create_file, "H5Fcreate");
  library.find(f.open_file, "H5Fopen");
  library.find(f.flush, "H5Fflush");
  library.find(f.close_file, "H5Fclose");
  library.find(f.create_group, "H5Gcreate2");
  library.find(f.group_info, "H5Gget_info");
  library.find(f.link_name, "H5Lget_name_by_idx");
  library.find(f.link_exists, "H5Lexists");
  library.find(f.open_object, "H5Oopen");
  library.find(f.close_object, "H5Oclose");
  library.find(f.kind_of_id, "H5Iget_type");
  library.find(f.create_attribute, "H5Acreate2");
  library.find(f.attribute_exists, "H5Aexists");
  library.find(f.open_attribute, "H5Aopen");
  library.find(f.attribute_type, "H5Aget_type");
  library.find(f.attribute_space, "H5Aget_space");
  library.find(f.read_attribute, "H5Aread");
  library.find(f.write_attribute, "H5Awrite");
  library.find(f.close_attribute, "H5Aclose");
  library.find(f.create_dataset, "H5Dcreate2");
  library.find(f.dataset_type, "H5Dget_type");
  library.find(f.dataset_space, "H5Dget_space");
  library.find(f.read_dataset, "H5Dread");
  library.find(f.write_dataset, "H5Dwrite");
  library.find(f.close_dataset, "H5Dclose");
  library.find(f.create_space, "H5Screate");
  library.find(f.create_simple_space, "H5Screate_simple");
  library.find(f.space_rank, "H5Sget_simple_extent_ndims");
  library.find(f.space_extents, "H5Sget_simple_extent_dims");
  library.find(f.space_points, "H5Sget_simple_extent_npoints");
  library.find(f.close_space, "H5Sclose");
  library.find(f.copy_type, "H5Tcopy");
  library.find(f.type_class, "H5Tget_class");
  library.find(f.type_size, "H5Tget_size");
  library.find(f.set_type_size, "H5Tset_size");
  library.find(f.set_string_padding, "H5Tset_strpad");
  library.find(f.is_variable_string, "H5Tis_variable_str");
  library.find(f.close_type, "H5Tclose");
}

void Library::start(LoadedLibrary& library) {
  // HDF5 keeps a file open that it failed to write, and then crashes when the program exits. This
  // call prevents that, but has no effect where HDF5 was initialized before.
  static_cast<void>(functions_.stay_open_at_exit());
  unsigned major = 0, minor = 0, release = 0;
  if (functions_.open() < 0 || functions_.version(&major, &minor, &release) < 0) {
    missing_ = file_ + " cannot be started";
    return;
  }
  version_ = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
  if (major < 1 || (major == 1 && minor < 10)) {
    missing_ =
        file_ + " is version " + version_ + ", expected HDF5 1.10 or newer (" + package + ")";
    return;
  }
  const auto type = [&](Id& into, const char* name) {
    const Id* place = nullptr;
    library.find(place, name);
    if (place != nullptr) into = *place;
  };
  type(functions_.float32, "H5T_NATIVE_FLOAT_g");
  type(functions_.float64, "H5T_NATIVE_DOUBLE_g");
  type(functions_.uint32, "H5T_NATIVE_UINT32_g");
  type(functions_.uint64, "H5T_NATIVE_UINT64_g");
  type(functions_.text, "H5T_C_S1_g");
  missing_ = library.missing();
}

const Functions& Library::functions() const {
  if (!missing_.empty()) throw RefusalError("openPMD input and output", missing_);
  return functions_;
}

const Library& library() {
  static const Library loaded(known_files);
  return loaded;
}

const Functions& functions() {
  return library().functions();
}

}  // namespace tessera::hdf5
