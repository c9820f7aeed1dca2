"""The same queries on a CUDA device, with the same answers to the byte.

`built` says whether this build of the package has them. Where it has not, everything here is an
Error that says what is missing; `devices()` is empty where there is no driver or no device.

Arrays are numpy's, or, where a docstring says so, in the memory of the current device: whatever has
`__cuda_array_interface__`, as arrays of CuPy and tensors of PyTorch do. All work goes into CUDA's
default stream, and calls with `out` return before it is done.

>>> from tandem import cuda
>>> isinstance(cuda.built, bool)
True
"""

from . import _tandem

built = hasattr(_tandem, "_cuda")

if built:
    # What is native is one module, whose parts cannot be imported by their names.
    globals().update(
        (name, value) for name, value in vars(_tandem._cuda).items() if not name.startswith("_")
    )
else:
    # What there would be; docs/python.md says how to build it.
    _names = frozenset(
        "BlockedBuilder BlockedFlags BlockedOptions BlockedTriangleTest BlockedVolume "
        "CollideMethod CollideStep Collider ColliderBuilder DeviceBuilder DeviceFrame DeviceIds "
        "DeviceInfo DeviceMesh DeviceModel DeviceScene SceneCollider StacklessOptions "
        "StacklessOrder any_hits closest_hits device_distance_dtype devices intersects "
        "make_device_models make_queries query_dtype require_device".split()
    )

    def __getattr__(name):
        if name in _names:
            raise _tandem.Error(
                f"tandem.cuda.{name}: this build of the package has no CUDA; where nvcc is "
                "installed, `TANDEM_CUDA=ON pip install --no-build-isolation .` builds one that has"
            )
        raise AttributeError(f"module 'tandem.cuda' has no attribute '{name}'")
