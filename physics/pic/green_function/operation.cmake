tessera_operation(
  TAG GreenFunction
  SUMMARY "potential of a unit charge in one cell of a grid, at all distances of nodes"
  PRECISIONS double)
