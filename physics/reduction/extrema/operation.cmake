tessera_operation(
  TAG Extrema
  SUMMARY "smallest and largest value of each column, and the rows that hold them"
  PRECISIONS double,mixed single int32,int64)
