// A substitute for HDF5 that reports the version 9.8.7.

extern "C" {

int H5dont_atexit() {
  return 0;
}
int H5get_libversion(unsigned* major, unsigned* minor, unsigned* release) {
  *major = 9;
  *minor = 8;
  *release = 7;
  return 0;
}
}
