/* OpenCL C 1.2; of extensions only cl_khr_fp64, in kernels of double precision. */
#ifndef WEFT_PRINT_OPENCL_H
#define WEFT_PRINT_OPENCL_H

#include "print/c_like.h"

extern const struct c_dialect opencl_dialect;

#endif
