// A substitute for HDF5 that reports the version of the headers, but lacks nearly all functions.
#include <hdf5.h>

extern "C" {

herr_t H5dont_atexit() {
  return 0;
}
herr_t H5get_libversion(unsigned* major, unsigned* minor, unsigned* release) {
  *major = H5_VERS_MAJOR;
  *minor = H5_VERS_MINOR;
  *release = H5_VERS_RELEASE;
  return 0;
}
}
