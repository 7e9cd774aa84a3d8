#include "core/hdf5/hdf5_library.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

namespace tessera::hdf5 {
namespace {

#if defined(TESSERA_HDF5_HEADERS)

TEST_CASE("HDF5 is loaded, in the version of the headers") {
  REQUIRE(library().missing() == "");
  CHECK(library().version().find(TESSERA_TEST_HDF5_VERSION) == 0);
  CHECK(library().file().find("hdf5") != std::string::npos);
  CHECK_NOTHROW(functions());
}

TEST_CASE("a library that is not there, or lacks functions, is refused by name") {
  const char* const nowhere[] = {"libnowhere.so.1", "libnowhere.so.2"};
  const Library none(nowhere);
  CHECK(test::message_of([&] { static_cast<void>(none.functions()); }) ==
        "openPMD input and output cannot run: HDF5 " TESSERA_TEST_HDF5_VERSION
        " was not found (Debian: libhdf5-dev)");
  CHECK(none.version() == "");
  const char* const other[] = {"libm.so.6"};
  CHECK(Library(other).missing() == "libm.so.6 has no H5dont_atexit");
  const char* const half[] = {TESSERA_TEST_HALF_HDF5};
  CHECK(Library(half).missing() == std::string(half[0]) + " has no H5open");
}

TEST_CASE("a library of another version is refused with both versions") {
  const char* const files[] = {"libnowhere.so.1", TESSERA_TEST_OTHER_HDF5};
  const Library other(files);
  CHECK(other.missing().find(std::string(files[1]) +
                             " is HDF5 9.8.7, but this program was built with the headers "
                             "of " TESSERA_TEST_HDF5_VERSION) == 0);
  CHECK(other.version() == "");
  CHECK_THROWS(static_cast<void>(other.functions()));
}

#else

TEST_CASE("a program that was built without HDF5's headers says so") {
  CHECK(test::message_of([] { static_cast<void>(functions()); }) ==
        "openPMD input and output cannot run: this program was built without HDF5's headers "
        "(Debian: libhdf5-dev)");
  CHECK(library().version() == "");
}

#endif

}  // namespace
}  // namespace tessera::hdf5
