from typing import Any, List

import numpy as np
from numpy.typing import ArrayLike

from . import Doubles, Mesh, Model, Pose, PoseLike, Records

pressed_dtype: np.dtype[Any]

class MassProperties:
    mass: float
    centre: Doubles
    inertia: Doubles
    solid: bool

def solid_mass(mesh: Mesh, density: float) -> MassProperties: ...
def shell_mass(mesh: Mesh, mass_per_area: float) -> MassProperties: ...

class StepReport:
    close_bodies: int
    touching_triangles: int
    near_triangles: int
    points: int
    deepest: float
    collision_s: float
    contact_s: float
    solver_s: float

class BodyState:
    centre: Doubles
    orientation: List[float]
    velocity: Doubles
    angular_velocity: Doubles

class State:
    step: int
    bodies: List[BodyState]
    pressed: Records

class Simulation:
    def __init__(
        self, *, gravity: ArrayLike = ..., time_step: float = 0.01, margin: float = 0.01,
        slop: float = 0.002, push_out: float = 0.1, push_out_speed: float = 0.2,
        bounce_speed: float = 0.5, iterations: int = 30, push_out_iterations: int = 10,
        threads: int = 1,
    ) -> None: ...
    def add(
        self, model: Model, mass: MassProperties, in_world: PoseLike = None, *,
        velocity: ArrayLike = ..., angular_velocity: ArrayLike = ..., friction: float = 0.5,
        restitution: float = 0.0,
    ) -> int: ...
    def add_static(
        self, model: Model, in_world: PoseLike = None, *, friction: float = 0.5,
        restitution: float = 0.0,
    ) -> int: ...
    def place(
        self, body: int, in_world: PoseLike, velocity: ArrayLike = ...,
        angular_velocity: ArrayLike = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def is_static(self, body: int) -> bool: ...
    def model(self, body: int) -> Model: ...
    def pose(self, body: int) -> Pose: ...
    def body(self, body: int) -> BodyState: ...
    def step(self) -> StepReport: ...
    @property
    def step_count(self) -> int: ...
    def pressed(self) -> Records: ...
    def state(self) -> State: ...
    def restore(self, state: State) -> None: ...
    def kinetic_energy(self) -> float: ...
    def potential_energy(self) -> float: ...
    def momentum(self) -> Doubles: ...
    def angular_momentum(self) -> Doubles: ...
