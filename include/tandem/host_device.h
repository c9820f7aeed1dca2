// TANDEM_HD marks functions that run on the host and, under nvcc, on a CUDA device too.
#pragma once

#if defined(__CUDACC__)
#define TANDEM_HD __host__ __device__
#else
#define TANDEM_HD
#endif
