tessera_backend(serial
  SPACE tessera::serial::Space
  HEADER tessera/backends/serial/execution/space.hpp
  PRIORITY priority::portable
  REGISTRY_PRIORITY 0
  MEMORY host
  UNAVAILABLE "std::string()"
  DESCRIPTION "one thread")
