// A plugin of another version: it has the symbols, but its layouts are not ours.
extern "C" const char* tessera_plugin_fingerprint() {
  return "tessera-0.0 of another time";
}
extern "C" void tessera_plugin_register(void*) {
  __builtin_trap();
}
