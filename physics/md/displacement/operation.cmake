tessera_operation(
  TAG Displacement
  SUMMARY "largest displacement since a reference, and whether all coordinates are finite"
  PRECISIONS double,mixed single)
