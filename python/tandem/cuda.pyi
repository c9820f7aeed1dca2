from typing import List, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import BatchResult, Bools, Model, PosesLike, Records, Scene, SceneResult

built: bool

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

class Collider:
    def __init__(
        self, models: Sequence[Model], *, method: CollideMethod = ..., memory_limit: int = 0
    ) -> None: ...
    def collide(self, pairs: ArrayLike, b_in_a: PosesLike) -> BatchResult: ...
    def count(self, pairs: ArrayLike, b_in_a: PosesLike) -> NDArray[np.uint64]: ...
    def intersects(self, pairs: ArrayLike, b_in_a: PosesLike) -> Bools: ...
    def within(self, pairs: ArrayLike, b_in_a: PosesLike, distance: float) -> Bools: ...
    def distance(self, pairs: ArrayLike, b_in_a: PosesLike, *, limit: float = ...) -> Records: ...

class SceneCollider:
    def __init__(self, *, method: CollideMethod = ..., memory_limit: int = 0) -> None: ...
    def collide(self, scene: Scene, *, threads: int = 1) -> SceneResult: ...

class DeviceModel:
    def __init__(self, model: Model) -> None: ...
    def bytes(self) -> int: ...

def closest_hits(
    model: DeviceModel, origins: ArrayLike, directions: Optional[ArrayLike] = None, t_min: ArrayLike = 0.0,
    t_max: ArrayLike = ...,
) -> Records: ...
def any_hits(
    model: DeviceModel, origins: ArrayLike, directions: Optional[ArrayLike] = None, t_min: ArrayLike = 0.0,
    t_max: ArrayLike = ...,
) -> Bools: ...
