tessera_backend(serial
  SPACE tessera::serial::Space
  HEADER backends/serial/execution/space.hpp
  RANK 10
  MEMORY host
  DESCRIPTION "one thread")
