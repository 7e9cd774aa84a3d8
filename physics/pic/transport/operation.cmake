tessera_operation(
  TAG Transport
  SUMMARY "particles of a bunch through one element of a beam line, those that are lost counted"
  PRECISIONS double single)
