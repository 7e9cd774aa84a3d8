// A library without the symbols of a plugin.
extern "C" int something_else() {
  return 0;
}
