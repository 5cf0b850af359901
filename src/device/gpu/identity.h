/* Which build of the library this is. */
#ifndef WEFT_DEVICE_GPU_IDENTITY_H
#define WEFT_DEVICE_GPU_IDENTITY_H

/* Differs between any two builds whose sources, compilers or flags differ; made while building
 * (cmake/identity.cmake). */
extern const char gpu_identity[];

#endif
