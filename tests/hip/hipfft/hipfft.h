#ifndef TESSERA_TESTS_HIP_HIPFFT_HIPFFT_H
#define TESSERA_TESTS_HIP_HIPFFT_HIPFFT_H

#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>

/// \file
/// The calls of hipFFT that backends/gpu/execution/transform.cu uses, so that scripts/build_hip
/// compiles it where hipFFT is not installed. Source: hipFFT documentation, "hipFFT API usage".
/// Programs are not run with this header.

extern "C" {

typedef struct hipfftHandle_t* hipfftHandle;
typedef hipFloatComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
typedef float hipfftReal;
typedef double hipfftDoubleReal;

typedef enum { HIPFFT_SUCCESS = 0, HIPFFT_INVALID_PLAN = 1, HIPFFT_ALLOC_FAILED = 2 } hipfftResult;
typedef enum {
  HIPFFT_R2C = 0x2a,
  HIPFFT_C2R = 0x2c,
  HIPFFT_C2C = 0x29,
  HIPFFT_D2Z = 0x6a,
  HIPFFT_Z2D = 0x6c,
  HIPFFT_Z2Z = 0x69
} hipfftType;
#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1

hipfftResult hipfftGetVersion(int* version);
hipfftResult hipfftCreate(hipfftHandle* plan);
hipfftResult hipfftDestroy(hipfftHandle plan);
hipfftResult hipfftMakePlanMany64(hipfftHandle plan, int rank, long long int* n,
                                  long long int* inembed, long long int istride,
                                  long long int idist, long long int* onembed,
                                  long long int ostride, long long int odist, hipfftType type,
                                  long long int batch, size_t* workSize);
hipfftResult hipfftSetStream(hipfftHandle plan, hipStream_t stream);
hipfftResult hipfftExecC2C(hipfftHandle plan, hipfftComplex* idata, hipfftComplex* odata,
                           int direction);
hipfftResult hipfftExecZ2Z(hipfftHandle plan, hipfftDoubleComplex* idata,
                           hipfftDoubleComplex* odata, int direction);
hipfftResult hipfftExecR2C(hipfftHandle plan, hipfftReal* idata, hipfftComplex* odata);
hipfftResult hipfftExecD2Z(hipfftHandle plan, hipfftDoubleReal* idata, hipfftDoubleComplex* odata);
hipfftResult hipfftExecC2R(hipfftHandle plan, hipfftComplex* idata, hipfftReal* odata);
hipfftResult hipfftExecZ2D(hipfftHandle plan, hipfftDoubleComplex* idata, hipfftDoubleReal* odata);

}  // extern "C"

#endif  // TESSERA_TESTS_HIP_HIPFFT_HIPFFT_H
