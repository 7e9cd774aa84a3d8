// A plugin of another version: it has the symbols, but its layouts are not ours.
extern "C" const char* tessera_plugin_fingerprint() {
  return "tessera-0.0 of another time";
}
extern "C" const char* tessera_plugin_headers() {
  return "core/base/error.hpp=000000000000 core/base/gone.hpp=000000000000";
}
extern "C" void tessera_plugin_register(void*) {
  __builtin_trap();
}
