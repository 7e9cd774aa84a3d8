tessera_operation(
  TAG PoissonSolve
  SUMMARY "potential of a charge density on a grid, by transforms"
  PRECISIONS double single)
