tessera_operation(
  TAG ElectricField
  SUMMARY "electric field on the nodes of a grid, from the potential"
  PRECISIONS double single)
