"""Arrays in the memory of a CUDA device, by its driver alone: neither CuPy nor PyTorch is there."""

import ctypes
import functools

import numpy as np


@functools.lru_cache(maxsize=None)
def driver():
    """The driver, with the context current that the runtime of CUDA uses too."""
    library = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call(library, "cuInit", ctypes.c_uint(0))
    call(library, "cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
    call(library, "cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call(library, "cuCtxSetCurrent", context)
    return library


def call(library, function, *arguments):
    error = getattr(library, function)(*arguments)
    assert error == 0, f"{function} failed with {error}"


class OnDevice:
    """A copy of an array; what it shows of itself can be changed, to be wrong."""

    def __init__(self, array, **shown):
        array = np.ascontiguousarray(array)
        self.address = ctypes.c_uint64()
        size = ctypes.c_size_t(max(array.nbytes, 1))
        call(driver(), "cuMemAlloc_v2", ctypes.byref(self.address), size)
        if array.nbytes:
            call(driver(), "cuMemcpyHtoD_v2", self.address, array.ctypes.data_as(ctypes.c_void_p),
                 ctypes.c_size_t(array.nbytes))
        self.__cuda_array_interface__ = interface_of(array, self.address.value, **shown)

    def __del__(self):
        driver().cuMemFree_v2(self.address)


class Fake:
    """An array that says it is on a device, where there is none."""

    def __init__(self, dimensions, dtype, **shown):
        array = np.broadcast_to(np.zeros((), dtype), dimensions)
        self.__cuda_array_interface__ = interface_of(array, 256, **shown)


def interface_of(array, address, **shown):
    return {"version": 3, "shape": array.shape, "typestr": array.dtype.str,
            "data": (address, False), "strides": None, "stream": 1, **shown}


def on_host(shown):
    """A copy of what is in the memory of the device, after all work of the default stream."""
    interface = shown.__cuda_array_interface__
    array = np.zeros(interface["shape"], np.dtype(interface["typestr"]))
    if array.nbytes:
        call(driver(), "cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p),
             ctypes.c_uint64(interface["data"][0]), ctypes.c_size_t(array.nbytes))
    return array
