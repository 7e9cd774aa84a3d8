#include <cstdio>

// A plugin of another version: its note says so, and none of its code may run.
#define NOTE_TEXT                 \
  "tessera-0.0 of another time\0" \
  "core/base/error.hpp=000000000000 core/base/gone.hpp=000000000000"

namespace foreign {

struct Note {
  unsigned owner_size, text_size, type;
  char owner[8];
  char text[sizeof(NOTE_TEXT)];
};
extern const Note note;
__attribute__((section(".note.tessera"), aligned(4), used))
const Note note = {8, sizeof(NOTE_TEXT), 1, "Tessera", NOTE_TEXT};

}  // namespace foreign

__attribute__((constructor)) static void run_when_loaded() {
  std::puts("code of the plugin ran");
}
extern "C" void tessera_plugin_register(void*) {
  __builtin_trap();
}
