/* The link between host and CUDA devices. */
#ifndef WEFT_DEVICE_CUDA_LINK_H
#define WEFT_DEVICE_CUDA_LINK_H

#include "device/device.h"

extern const struct device_link cuda_link;

#endif
