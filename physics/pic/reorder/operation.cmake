tessera_operation(
  TAG Reorder
  SUMMARY "particles put in the order of the cells of a grid"
  PRECISIONS double single)
