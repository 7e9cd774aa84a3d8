#include "core/hdf5/hdf5_library.hpp"

#include "core/base/error.hpp"
#include "core/base/loaded_library.hpp"

#include <array>

#if defined(TESSERA_HDF5_HEADERS)

#include "core/hdf5/hdf5_functions.hpp"

namespace tessera::hdf5 {
namespace {

#define TESSERA_TEXT_OF(x) #x
#define TESSERA_TEXT(x) TESSERA_TEXT_OF(x)
constexpr const char* header_version = TESSERA_TEXT(H5_VERS_MAJOR) "." TESSERA_TEXT(H5_VERS_MINOR);
constexpr const char* package = "Debian: libhdf5-dev";

/// Serial libraries as Debian and as upstream call them. The interface of 1.10 has the number 103,
/// that of 1.12 has 200, that of 1.14 has 310, that of 2.0 has 320. Libraries of other versions
/// come last: they are refused, with a message that names their version.
#define TESSERA_NUMBERED(number) "libhdf5_serial.so." #number, "libhdf5.so." #number
constexpr std::array known_files = {
#if H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 10
    TESSERA_NUMBERED(103),
#elif H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12
    TESSERA_NUMBERED(200),
#elif H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 14
    TESSERA_NUMBERED(310),
#elif H5_VERS_MAJOR == 2 && H5_VERS_MINOR == 0
    TESSERA_NUMBERED(320),
#endif
    "libhdf5_serial.so",   "libhdf5.so",          TESSERA_NUMBERED(103),
    TESSERA_NUMBERED(200), TESSERA_NUMBERED(310), TESSERA_NUMBERED(320),
};
#undef TESSERA_NUMBERED

std::string version_of(unsigned major, unsigned minor, unsigned release) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace

Library::Library(std::span<const char* const> files) : functions_(std::make_unique<Functions>()) {
  for (const char* const file : files) {
    LoadedLibrary library(
        file, std::string("HDF5 ") + header_version + " was not found (" + package + ")");
    missing_ = library.missing();
    if (!missing_.empty()) continue;
    file_ = file;
    start(library);
    return;
  }
}

void Library::start(LoadedLibrary& library) {
  Functions& f = *functions_;
  library.find(f.H5dont_atexit, "H5dont_atexit");
  library.find(f.H5get_libversion, "H5get_libversion");
  missing_ = library.missing();
  if (!missing_.empty()) return;
  // Disables HDF5's exit handler, which crashes when a file that could not be written is still
  // open. This has no effect where the process has initialized HDF5 before.
  static_cast<void>(f.H5dont_atexit());
  unsigned major = 0, minor = 0, release = 0;
  if (f.H5get_libversion(&major, &minor, &release) < 0) {
    missing_ = file_ + " does not give its version";
    return;
  }
  if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR) {
    missing_ = file_ + " is HDF5 " + version_of(major, minor, release) +
               ", but this program was built with the headers of " +
               version_of(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE) + ": expected HDF5 " +
               header_version + " (" + package + ")";
    return;
  }
#define TESSERA_HDF5_FIND(name) library.find(f.name, #name);
  TESSERA_HDF5_FUNCTIONS(TESSERA_HDF5_FIND)
#undef TESSERA_HDF5_FIND
  missing_ = library.missing();
  if (!missing_.empty()) return;
  if (f.H5open() < 0) {
    missing_ = file_ + " cannot be started";
    return;
  }
  const auto type = [&](hid_t& into, const char* name) {
    const hid_t* place = nullptr;
    library.find(place, name);
    if (place != nullptr) into = *place;
  };
#define TESSERA_HDF5_TYPE(name) type(f.name, #name);
  TESSERA_HDF5_TYPES(TESSERA_HDF5_TYPE)
#undef TESSERA_HDF5_TYPE
  missing_ = library.missing();
  if (missing_.empty()) version_ = version_of(major, minor, release);
}

const Library& library() {
  static const Library loaded(known_files);
  return loaded;
}

}  // namespace tessera::hdf5

#else

namespace tessera::hdf5 {

struct Functions {};

Library::Library(std::span<const char* const>)
    : missing_("this program was built without HDF5's headers (Debian: libhdf5-dev)") {}

const Library& library() {
  static const Library none({});
  return none;
}

}  // namespace tessera::hdf5

#endif

namespace tessera::hdf5 {

Library::~Library() = default;

const Functions& Library::functions() const {
  if (!missing_.empty()) throw RefusalError("openPMD input and output", missing_);
  return *functions_;
}

const Functions& functions() {
  return library().functions();
}

}  // namespace tessera::hdf5
