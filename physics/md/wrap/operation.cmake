tessera_operation(
  TAG Wrap
  SUMMARY "atoms folded into the box, crossings counted"
  PRECISIONS double,mixed single)
