from enum import Enum
from os import PathLike
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import cuda as cuda, sim as sim
from .collision import (
    CollisionManager as CollisionManager,
    ContactData as ContactData,
    DistanceData as DistanceData,
    scene_to_collision as scene_to_collision,
)

__version__: str

PoseLike = Union[Pose, ArrayLike, None]
PosesLike = Union[ArrayLike, Sequence[PoseLike]]
Path = Union[str, bytes, PathLike[str]]
Progress = Optional[Callable[[float], Any]]
Sink = Callable[[int, int], Optional[Flow]]
Ids = NDArray[np.uint32]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Records = NDArray[np.void]

clearance_dtype: np.dtype[Any]
closest_dtype: np.dtype[Any]
contact_dtype: np.dtype[Any]
distance_dtype: np.dtype[Any]
hit_dtype: np.dtype[Any]
manifold_dtype: np.dtype[Any]
no_triangle: int

class Error(ValueError): ...

class Named(str, Enum):
    @property
    def description(self) -> str: ...

class Structure(Named):
    wide = "wide"
    aabb = "aabb"
    sphere = "sphere"
    obb = "obb"
    obb_relative = "obb-relative"
    dop6 = "dop6"
    dop14 = "dop14"
    dop18 = "dop18"
    dop24 = "dop24"
    dop26 = "dop26"
    boxtree = "boxtree"
    boxtree_two_planes = "boxtree-two-planes"
    boxtree_packed = "boxtree-packed"
    ray_wide = "ray-wide"
    ray_binary = "ray-binary"
    ray_pairs = "ray-pairs"
    ray_boxtree = "ray-boxtree"
    triangles = "triangles"

class Traversal(Named):
    blocks = "blocks"
    recursive = "recursive"
    leaf = "leaf"
    dynamic_stack = "dynamic-stack"
    alternating_stack = "alternating-stack"
    stackless = "stackless"
    stackless_post = "stackless-post"
    trail = "trail"
    scheduled = "scheduled"
    one_level_up = "one-level-up"
    list = "list"
    list_pairs = "list-pairs"
    list_fours = "list-fours"
    brute_force = "brute-force"

class OverlapTest(Named):
    boxes_and_slabs = "boxes-and-slabs"
    aligned = "aligned"
    fifteen_axes = "fifteen-axes"
    six_axes = "six-axes"
    realigned = "realigned"
    spheres = "spheres"
    intervals = "intervals"
    lookup = "lookup"
    none = "none"

class TriangleTest(Named):
    exact = "exact"
    unit_triangle = "unit-triangle"
    separating_axes = "separating-axes"

class RayTraversal(Named):
    lanes = "lanes"
    stack_distance = "stack-distance"
    stack = "stack"
    automaton = "automaton"
    compact = "compact"
    skip = "skip"
    restart_trail = "restart-trail"
    backtrack = "backtrack"
    pairs = "pairs"
    pairs_stackless = "pairs-stackless"
    recursive = "recursive"
    brute_force = "brute-force"

class Builder(Named):
    best = "best"
    fast = "fast"
    sah = "sah"
    median = "median"
    volume = "volume"
    volume_longest = "volume-longest"
    volume_random = "volume-random"
    volume_ahead = "volume-ahead"

class Shape(Named):
    sphere = "sphere"
    torus = "torus"
    knot = "knot"
    rock = "rock"
    box = "box"
    plane = "plane"
    sheet = "sheet"
    pipes = "pipes"
    screw = "screw"
    soup = "soup"

class Flow:
    go_on: Flow
    stop: Flow

class Meeting:
    apart: Meeting
    touching: Meeting
    crossing: Meeting

class SolidRelation:
    apart: SolidRelation
    touching: SolidRelation
    crossing: SolidRelation
    a_inside_b: SolidRelation
    b_inside_a: SolidRelation

class Pose:
    def __init__(self, matrix: PoseLike = None) -> None: ...
    @staticmethod
    def from_translation(translation: ArrayLike) -> Pose: ...
    @staticmethod
    def from_axis_angle(axis: ArrayLike, radians: float, translation: ArrayLike = ...) -> Pose: ...
    @staticmethod
    def from_quaternion(
        w: float, x: float, y: float, z: float, translation: ArrayLike = ...,
    ) -> Pose: ...
    @staticmethod
    def from_rotation(rows: ArrayLike, translation: ArrayLike = ...) -> Pose: ...
    @property
    def matrix(self) -> Doubles: ...
    @property
    def rotation(self) -> Doubles: ...
    @property
    def translation(self) -> Doubles: ...
    def inverse(self) -> Pose: ...
    def is_translation(self) -> bool: ...
    def __mul__(self, first: Pose) -> Pose: ...
    def __matmul__(self, first: Pose) -> Pose: ...

def relative_pose(a_in_world: PoseLike, b_in_world: PoseLike) -> Pose: ...
def transform_points(pose: PoseLike, points: ArrayLike) -> Doubles: ...

class Mesh:
    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(
        self, vertices: ArrayLike, triangles: ArrayLike, *, copy: bool = False,
    ) -> None: ...
    @property
    def vertices(self) -> Floats: ...
    @property
    def triangles(self) -> Ids: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def bounds(self) -> Tuple[Floats, Floats]: ...
    def with_vertices(self, vertices: ArrayLike, *, copy: bool = False) -> Mesh: ...
    def __len__(self) -> int: ...

class MeshInfo:
    triangle_count: int
    vertex_count: int
    distinct_position_count: int
    unused_vertex_count: int
    bounds: Tuple[Floats, Floats]
    boundary_edge_count: int
    non_manifold_edge_count: int
    component_count: int
    duplicate_triangle_count: int
    degenerate_triangle_count: int
    closed: bool

class AssemblyPart:
    name: str
    mesh: int
    pose: Pose
    first_triangle: int

class Assembly:
    meshes: List[Mesh]
    parts: List[AssemblyPart]
    def file_triangle(self, part: int, triangle: int) -> int: ...
    def __len__(self) -> int: ...

def describe(mesh: Mesh) -> MeshInfo: ...
def read_mesh(
    path: Any, format: Optional[str] = None, *, max_bytes: int = ..., max_elements: int = 0,
    scale: float = 1.0, pose: PoseLike = None,
) -> Mesh: ...
def write_mesh(mesh: Mesh, path: Path) -> None: ...
def reads_gltf() -> bool: ...
def read_assembly(
    path: Path, *, max_bytes: int = ..., max_elements: int = 0, scale: float = 1.0,
    pose: PoseLike = None,
) -> Assembly: ...
@overload
def split_components(mesh: Mesh, name: str) -> Assembly: ...
@overload
def split_components(assembly: Assembly) -> Assembly: ...
def from_trimesh(mesh: Any) -> Mesh: ...
def from_open3d(mesh: Any) -> Mesh: ...
def make_shape(name: str, triangle_count: int, seed: int = 1) -> Mesh: ...
def make_icosphere(frequency: int, radius: float = 1.0) -> Mesh: ...
def make_torus(around: int, across: int, radius: float = 1.0, tube_radius: float = 0.4) -> Mesh: ...
def make_knot(around: int, across: int, tube_radius: float = 0.35) -> Mesh: ...
def make_rock(frequency: int, seed: int, roughness: float = 0.3) -> Mesh: ...
def make_box(divisions: int, sides: ArrayLike = ...) -> Mesh: ...
def make_plane(divisions: int) -> Mesh: ...
def make_soup(triangle_count: int, seed: int, size: float = 0.05) -> Mesh: ...
def make_turned(profile: ArrayLike, around: int) -> Mesh: ...
def make_sheet(holes: int, around: int) -> Mesh: ...
def make_pipes(pipes: int, around: int) -> Mesh: ...
def make_screw(turns: int, around: int) -> Mesh: ...
def subdivide(mesh: Mesh) -> Mesh: ...

class Engine:
    def __init__(
        self, structure: str = "automatic", traversal: str = "automatic",
        overlap: str = "automatic", triangle_test: str = "automatic",
    ) -> None: ...
    @property
    def structure(self) -> str: ...
    @property
    def traversal(self) -> str: ...
    @property
    def overlap(self) -> str: ...
    @property
    def triangle_test(self) -> str: ...
    def exists(self) -> bool: ...

class RayEngine:
    def __init__(self, structure: str = "automatic", traversal: str = "automatic") -> None: ...
    @property
    def structure(self) -> str: ...
    @property
    def traversal(self) -> str: ...
    def exists(self) -> bool: ...

def engines() -> List[Engine]: ...
def ray_engines() -> List[RayEngine]: ...
def builds(builder: str, structure: str) -> bool: ...
def bytes_per_node(structure: str) -> int: ...

class Statistics:
    def __init__(self) -> None: ...
    iterations: int
    overlaps: int
    leaf_overlaps: int
    node_transforms: int
    aligned_visits: int
    tumbled_visits: int
    triangle_tests: int
    triangle_overlaps: int
    def as_dict(self) -> Dict[str, int]: ...
    def __iadd__(self, other: Statistics) -> Statistics: ...

class RayStatistics:
    def __init__(self) -> None: ...
    rays: int
    box_tests: int
    node_visits: int
    leaf_visits: int
    triangle_tests: int
    def as_dict(self) -> Dict[str, int]: ...
    def __iadd__(self, other: RayStatistics) -> RayStatistics: ...

class BoxtreeOptions:
    def __init__(
        self, leaf_size: int = 0, parallel_planes: bool = False, trim: float = 0.1,
    ) -> None: ...
    leaf_size: int
    parallel_planes: bool
    trim: float

class Model:
    @overload
    def __init__(
        self, mesh: Mesh, *, structure: str = "automatic", builder: str = "automatic",
        arity: int = 0, boxtree: BoxtreeOptions = ..., threads: int = 1, progress: Progress = None,
    ) -> None: ...
    @overload
    def __init__(
        self, vertices: ArrayLike, triangles: ArrayLike, *, copy: bool = False,
        structure: str = "automatic", builder: str = "automatic", arity: int = 0,
        boxtree: BoxtreeOptions = ..., threads: int = 1, progress: Progress = None,
    ) -> None: ...
    @overload
    def __init__(
        self, path: Path, *, structure: str = "automatic", builder: str = "automatic",
        arity: int = 0, boxtree: BoxtreeOptions = ..., threads: int = 1, progress: Progress = None,
    ) -> None: ...
    @property
    def mesh(self) -> Mesh: ...
    @property
    def structure(self) -> str: ...
    def refit(
        self, positions: ArrayLike, *, rebuild_at: float = 2.0, copy: bool = False,
    ) -> Model: ...
    def wear(self) -> float: ...
    def prepare(self, engine: Optional[Engine] = None) -> None: ...
    def prepare_rays(self, engine: Optional[RayEngine] = None) -> None: ...
    def structure_bytes(self) -> int: ...

class IntersectsResult:
    @property
    def pair(self) -> Optional[Tuple[int, int]]: ...
    def __bool__(self) -> bool: ...

class Witness:
    def __init__(self) -> None: ...
    def clear(self) -> None: ...

@overload
def collide(
    a: Model, b: Model, b_in_a: PoseLike = None, sink: None = None, *,
    engine: Optional[Engine] = None, statistics: Optional[Statistics] = None, threads: int = 1,
    progress: Progress = None,
) -> Ids: ...
@overload
def collide(
    a: Model, b: Model, b_in_a: PoseLike, sink: Sink, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> bool: ...
@overload
def intersects(
    a: Model, b: Model, b_in_a: PoseLike = None, witness: Optional[Witness] = None, *,
    engine: Optional[Engine] = None, statistics: Optional[Statistics] = None, threads: int = 1,
    progress: Progress = None,
) -> IntersectsResult: ...
@overload
def intersects(a: ArrayLike, b: ArrayLike) -> bool: ...
def count(
    a: Model, b: Model, b_in_a: PoseLike = None, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> int: ...
@overload
def intersection(a: Model, b: Model, b_in_a: PoseLike, pair: ArrayLike) -> Doubles: ...
@overload
def intersection(a: ArrayLike, b: ArrayLike) -> Doubles: ...
def contact_curves(
    a: Model, b: Model, b_in_a: PoseLike, pairs: ArrayLike,
) -> List[Tuple[Doubles, bool]]: ...
@overload
def self_collide(
    model: Model, sink: None = None, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> Ids: ...
@overload
def self_collide(
    model: Model, sink: Sink, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> bool: ...
def self_intersects(
    model: Model, *, engine: Optional[Engine] = None, statistics: Optional[Statistics] = None,
    threads: int = 1, progress: Progress = None,
) -> IntersectsResult: ...
def self_count(
    model: Model, *, engine: Optional[Engine] = None, statistics: Optional[Statistics] = None,
    threads: int = 1, progress: Progress = None,
) -> int: ...

class BatchResult:
    offsets: NDArray[np.uint64]
    pairs: Ids
    def __len__(self) -> int: ...
    def __getitem__(self, query: int) -> Ids: ...

@overload
def collide_batch(
    a: Model, b: Model, b_in_a: PosesLike, *, engine: Optional[Engine] = None, threads: int = 1,
    progress: Progress = None,
) -> BatchResult: ...
@overload
def collide_batch(
    models: Sequence[Model], pairs: ArrayLike, b_in_a: PosesLike, *,
    engine: Optional[Engine] = None, threads: int = 1, progress: Progress = None,
) -> BatchResult: ...
@overload
def count_batch(
    a: Model, b: Model, b_in_a: PosesLike, *, engine: Optional[Engine] = None, threads: int = 1,
    progress: Progress = None,
) -> NDArray[np.uint64]: ...
@overload
def count_batch(
    models: Sequence[Model], pairs: ArrayLike, b_in_a: PosesLike, *,
    engine: Optional[Engine] = None, threads: int = 1, progress: Progress = None,
) -> NDArray[np.uint64]: ...
@overload
def intersects_batch(
    a: Model, b: Model, b_in_a: PosesLike, *, engine: Optional[Engine] = None, threads: int = 1,
    progress: Progress = None,
) -> Bools: ...
@overload
def intersects_batch(
    models: Sequence[Model], pairs: ArrayLike, b_in_a: PosesLike, *,
    engine: Optional[Engine] = None, threads: int = 1, progress: Progress = None,
) -> Bools: ...
def contacts(
    a: Model, b: Model, b_in_a: PoseLike = None, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> Records: ...
def contact(a: Model, b: Model, b_in_a: PoseLike, pair: ArrayLike) -> Optional[np.void]: ...
def reduce_contacts(contacts: Records, max_points: int = 4) -> Records: ...

class DistanceResult:
    distance: float
    pair: Optional[Tuple[int, int]]
    on_a: Doubles
    on_b: Doubles
    normal: Doubles
    lower_bound: float

class DistanceWitness:
    def __init__(self) -> None: ...
    def clear(self) -> None: ...

@overload
def distance(
    a: Model, b: Model, b_in_a: PoseLike = None, witness: Optional[DistanceWitness] = None, *,
    engine: Optional[Engine] = None, limit: float = ..., relative_error: float = 0.0,
    absolute_error: float = 0.0, statistics: Optional[Statistics] = None,
) -> DistanceResult: ...
@overload
def distance(a: ArrayLike, b: ArrayLike) -> Tuple[float, Doubles, Doubles, Doubles]: ...
def within(
    a: Model, b: Model, b_in_a: PoseLike, distance: float, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> IntersectsResult: ...
@overload
def collide_within(
    a: Model, b: Model, b_in_a: PoseLike, distance: float, sink: None = None, *,
    engine: Optional[Engine] = None, statistics: Optional[Statistics] = None, threads: int = 1,
    progress: Progress = None,
) -> Ids: ...
@overload
def collide_within(
    a: Model, b: Model, b_in_a: PoseLike, distance: float, sink: Sink, *,
    engine: Optional[Engine] = None, statistics: Optional[Statistics] = None, threads: int = 1,
    progress: Progress = None,
) -> bool: ...
def count_within(
    a: Model, b: Model, b_in_a: PoseLike, distance: float, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> int: ...
def contacts_within(
    a: Model, b: Model, b_in_a: PoseLike, distance: float, *, engine: Optional[Engine] = None,
    statistics: Optional[Statistics] = None, threads: int = 1, progress: Progress = None,
) -> Records: ...
@overload
def distance_batch(
    a: Model, b: Model, b_in_a: PosesLike, *, engine: Optional[Engine] = None, limit: float = ...,
    relative_error: float = 0.0, absolute_error: float = 0.0, threads: int = 1,
    progress: Progress = None,
) -> Records: ...
@overload
def distance_batch(
    models: Sequence[Model], pairs: ArrayLike, b_in_a: PosesLike, *,
    engine: Optional[Engine] = None, limit: float = ..., relative_error: float = 0.0,
    absolute_error: float = 0.0, threads: int = 1, progress: Progress = None,
) -> Records: ...
@overload
def within_batch(
    a: Model, b: Model, b_in_a: PosesLike, distance: float, *, engine: Optional[Engine] = None,
    threads: int = 1, progress: Progress = None,
) -> Bools: ...
@overload
def within_batch(
    models: Sequence[Model], pairs: ArrayLike, b_in_a: PosesLike, distance: float, *,
    engine: Optional[Engine] = None, threads: int = 1, progress: Progress = None,
) -> Bools: ...
def meeting(
    a: Model, b: Model, b_in_a: PoseLike = None, pair: Optional[ArrayLike] = None, *,
    engine: Optional[Engine] = None, threads: int = 1, progress: Progress = None,
) -> Meeting: ...
def solid_relation(
    a: Model, b: Model, b_in_a: PoseLike = None, *, engine: Optional[Engine] = None,
    threads: int = 1, progress: Progress = None,
) -> SolidRelation: ...
def closest_points(
    model: Model, points: ArrayLike, *, limit: float = ..., threads: int = 1,
) -> Records: ...
def signed_distances(
    model: Model, points: ArrayLike, *, limit: float = ..., threads: int = 1,
) -> Doubles: ...

class Hit:
    @property
    def triangle(self) -> Optional[int]: ...
    distance: float
    u: float
    v: float
    def __bool__(self) -> bool: ...

def closest_hit(
    model: Model, origin: ArrayLike, direction: ArrayLike, t_min: float = 0.0, t_max: float = ...,
    *, engine: Optional[RayEngine] = None,
) -> Hit: ...
def any_hit(
    model: Model, origin: ArrayLike, direction: ArrayLike, t_min: float = 0.0, t_max: float = ...,
    *, engine: Optional[RayEngine] = None,
) -> bool: ...
def make_rays(
    origins: ArrayLike, directions: ArrayLike, t_min: ArrayLike = 0.0, t_max: ArrayLike = ...,
) -> Floats: ...
def closest_hits(
    model: Model, origins: ArrayLike, directions: Optional[ArrayLike] = None,
    t_min: ArrayLike = 0.0, t_max: ArrayLike = ..., *, engine: Optional[RayEngine] = None,
    threads: int = 1, statistics: Optional[RayStatistics] = None,
) -> Records: ...
def any_hits(
    model: Model, origins: ArrayLike, directions: Optional[ArrayLike] = None,
    t_min: ArrayLike = 0.0, t_max: ArrayLike = ..., *, engine: Optional[RayEngine] = None,
    threads: int = 1, statistics: Optional[RayStatistics] = None,
) -> Bools: ...
def all_hits(
    model: Model, origins: ArrayLike, directions: Optional[ArrayLike] = None,
    t_min: ArrayLike = 0.0, t_max: ArrayLike = ..., *, engine: Optional[RayEngine] = None,
    statistics: Optional[RayStatistics] = None,
) -> Tuple[NDArray[np.uint64], Records]: ...

class AdvanceResult:
    pairs: Ids
    finished: bool
    iterations: int

class Cursor:
    def __init__(
        self, a: Model, b: Model, b_in_a: PoseLike, traversal: str, state: bytes = b"",
    ) -> None: ...
    def advance(self, budget: int) -> AdvanceResult: ...
    @property
    def finished(self) -> bool: ...
    @property
    def state(self) -> bytes: ...

class SceneHit:
    object: int
    hit: Hit
    def __bool__(self) -> bool: ...

class SceneResult:
    objects: Ids
    offsets: NDArray[np.uint64]
    pairs: Ids
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Ids: ...

class Scene:
    def __init__(self) -> None: ...
    def add(
        self, model: Model, in_world: PoseLike = None, *, name: str = "", group: str = "",
    ) -> int: ...
    def move(self, object: int, in_world: PoseLike) -> None: ...
    def remove(self, object: int) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, object: int) -> bool: ...
    def objects(self) -> Ids: ...
    def model(self, object: int) -> Model: ...
    def pose(self, object: int) -> Pose: ...
    def labels(self, object: int) -> Tuple[str, str]: ...
    def allow(self, label: str, other: str) -> None: ...
    def forbid(self, label: str, other: str) -> None: ...
    def is_allowed(self, a: int, b: int) -> bool: ...
    def close_objects(
        self, distance: float = 0.0, *, threads: int = 1, progress: Progress = None,
    ) -> Ids: ...
    def touching(self, *, threads: int = 1, progress: Progress = None) -> Ids: ...
    def collide(self, *, threads: int = 1, progress: Progress = None) -> SceneResult: ...
    def clearances(
        self, distance: float, *, threads: int = 1, progress: Progress = None,
    ) -> Records: ...
    def closest_hit(
        self, origin: ArrayLike, direction: ArrayLike, t_min: float = 0.0, t_max: float = ...
    ) -> SceneHit: ...
    def any_hit(
        self, origin: ArrayLike, direction: ArrayLike, t_min: float = 0.0, t_max: float = ...,
    ) -> bool: ...
