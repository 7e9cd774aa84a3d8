#include <cstdio>

// A library without the note of a plugin: none of its code may run.
__attribute__((constructor)) static void run_when_loaded() {
  std::puts("code of the plugin ran");
}
extern "C" void tessera_plugin_register(void*) {
  __builtin_trap();
}
