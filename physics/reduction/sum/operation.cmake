tessera_operation(
  TAG Sum
  SUMMARY "weighted sums of columns and of products of two columns over all rows"
  PRECISIONS double,mixed single int32,int64)
