from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import BatchResult, Bools, Mesh, Model, PosesLike, Progress, Records, Scene, SceneResult

# Whatever has __cuda_array_interface__: arrays of CuPy and Numba, tensors of PyTorch.
DeviceArray = Any

built: bool
query_dtype: np.dtype[Any]
device_distance_dtype: np.dtype[Any]

class DeviceInfo:
    name: str
    major: int
    minor: int
    memory_bytes: int
    multiprocessors: int

def devices() -> List[DeviceInfo]: ...
def require_device() -> None: ...

class CollideMethod:
    best: CollideMethod
    waves: CollideMethod
    warps: CollideMethod
    blocked: CollideMethod
    stackless: CollideMethod

class ColliderBuilder:
    bisection: ColliderBuilder
    curve: ColliderBuilder

class BlockedVolume:
    aabb: BlockedVolume
    obb: BlockedVolume

class BlockedFlags:
    bits: BlockedFlags
    bytes: BlockedFlags

class BlockedBuilder:
    full: BlockedBuilder
    plain: BlockedBuilder

class BlockedTriangleTest:
    exact: BlockedTriangleTest
    separating_axes: BlockedTriangleTest

class StacklessOrder:
    alternating: StacklessOrder
    scheduled: StacklessOrder
    larger_first: StacklessOrder

class BlockedOptions:
    def __init__(
        self, volume: BlockedVolume = ..., flags: BlockedFlags = ..., builder: BlockedBuilder = ...,
        triangle_test: BlockedTriangleTest = ..., most_at_once: int = 0,
    ) -> None: ...
    volume: BlockedVolume
    flags: BlockedFlags
    builder: BlockedBuilder
    triangle_test: BlockedTriangleTest
    most_at_once: int

class StacklessOptions:
    def __init__(
        self, order: StacklessOrder = ..., least_walks: int = 0, first_visits: int = 0,
    ) -> None: ...
    order: StacklessOrder
    least_walks: int
    first_visits: int

class DeviceMesh:
    def __init__(self, vertices: DeviceArray, triangles: DeviceArray) -> None: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def triangle_count(self) -> int: ...

class DeviceIds:
    @property
    def shape(self) -> Tuple[int, int]: ...
    def __len__(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...

class CollideStep:
    phase: str
    level: int
    items: int
    bytes: int
    seconds: float

def make_queries(pairs: ArrayLike, b_in_a: PosesLike) -> Records: ...

class Collider:
    def __init__(
        self, models: Union[Sequence[Model], Sequence[Mesh], Sequence[DeviceMesh]], *,
        method: CollideMethod = ..., memory_limit: int = 0, builder: ColliderBuilder = ...,
        blocked: BlockedOptions = ..., stackless: StacklessOptions = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def collide(self, pairs: ArrayLike, b_in_a: PosesLike) -> BatchResult: ...
    @overload
    def count(self, pairs: ArrayLike, b_in_a: PosesLike) -> NDArray[np.uint64]: ...
    @overload
    def count(self, queries: DeviceArray, *, out: DeviceArray) -> DeviceArray: ...
    @overload
    def intersects(self, pairs: ArrayLike, b_in_a: PosesLike) -> Bools: ...
    @overload
    def intersects(self, queries: DeviceArray, *, out: DeviceArray) -> DeviceArray: ...
    @overload
    def within(self, pairs: ArrayLike, b_in_a: PosesLike, distance: float) -> Bools: ...
    @overload
    def within(self, queries: DeviceArray, distance: float, *, out: DeviceArray) -> DeviceArray: ...
    @overload
    def distance(self, pairs: ArrayLike, b_in_a: PosesLike, *, limit: float = ...) -> Records: ...
    @overload
    def distance(
        self, queries: DeviceArray, *, out: DeviceArray, limit: float = ...,
    ) -> DeviceArray: ...
    def find(self, queries: DeviceArray) -> DeviceIds: ...
    def refit(self, model: int, positions: Union[ArrayLike, DeviceArray]) -> None: ...
    def measure(self, pairs: ArrayLike, b_in_a: PosesLike) -> List[CollideStep]: ...
    def model_bytes(self) -> int: ...
    def query_bytes(self) -> int: ...

class SceneCollider:
    def __init__(
        self, *, method: CollideMethod = ..., memory_limit: int = 0, builder: ColliderBuilder = ...,
        blocked: BlockedOptions = ..., stackless: StacklessOptions = ...,
    ) -> None: ...
    def collide(
        self, scene: Scene, *, threads: int = 1, progress: Progress = None,
    ) -> SceneResult: ...
    def clearances(
        self, scene: Scene, distance: float, *, threads: int = 1, progress: Progress = None
    ) -> Records: ...

class DeviceFrame:
    @property
    def close(self) -> DeviceIds: ...
    @property
    def found(self) -> DeviceIds: ...

class DeviceScene:
    def __init__(
        self, models: Union[Sequence[Model], Sequence[Mesh], Sequence[DeviceMesh]],
        model_of: ArrayLike, *, method: CollideMethod = ..., memory_limit: int = 0,
        builder: ColliderBuilder = ..., blocked: BlockedOptions = ...,
        stackless: StacklessOptions = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def collide(self, in_world: PosesLike) -> SceneResult: ...
    def clearances(self, in_world: PosesLike, distance: float) -> Records: ...
    def find(self, in_world: DeviceArray) -> DeviceFrame: ...
    def refit(self, model: int, positions: Union[ArrayLike, DeviceArray]) -> None: ...

class DeviceBuilder:
    curve: DeviceBuilder
    clusters: DeviceBuilder

class DeviceModel:
    @overload
    def __init__(self, model: Model, *, structure: str = "automatic") -> None: ...
    @overload
    def __init__(self, mesh: Union[Mesh, DeviceMesh], *, builder: DeviceBuilder = ...) -> None: ...
    def refit(self, positions: Union[ArrayLike, DeviceArray]) -> DeviceModel: ...
    def bytes(self) -> int: ...
    @property
    def structure(self) -> str: ...

def make_device_models(
    meshes: Sequence[Mesh], *, builder: DeviceBuilder = ...,
) -> List[DeviceModel]: ...
@overload
def closest_hits(
    model: DeviceModel, origins: ArrayLike, directions: Optional[ArrayLike] = None,
    t_min: ArrayLike = 0.0, t_max: ArrayLike = ..., *, traversal: str = "automatic",
    refill: bool = False, out: None = None,
) -> Records: ...
@overload
def closest_hits(
    model: DeviceModel, origins: DeviceArray, directions: None = None, t_min: float = 0.0,
    t_max: float = ..., *, traversal: str = "automatic", refill: bool = False, out: DeviceArray,
) -> DeviceArray: ...
@overload
def any_hits(
    model: DeviceModel, origins: ArrayLike, directions: Optional[ArrayLike] = None,
    t_min: ArrayLike = 0.0, t_max: ArrayLike = ..., *, traversal: str = "automatic",
    refill: bool = False, out: None = None,
) -> Bools: ...
@overload
def any_hits(
    model: DeviceModel, origins: DeviceArray, directions: None = None, t_min: float = 0.0,
    t_max: float = ..., *, traversal: str = "automatic", refill: bool = False, out: DeviceArray,
) -> DeviceArray: ...
@overload
def intersects(a: ArrayLike, b: ArrayLike, *, out: None = None) -> Bools: ...
@overload
def intersects(a: DeviceArray, b: DeviceArray, *, out: DeviceArray) -> DeviceArray: ...
