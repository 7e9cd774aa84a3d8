tessera_operation(
  TAG Moments
  SUMMARY "weight, means and centred second moments of up to six columns"
  PRECISIONS double,mixed single)
