"""CollisionManager: named objects, with the methods of trimesh.collision.CollisionManager.

What is found is Tandem's: all pairs of triangles, exactly. docs/coming-from-trimesh.md says what is
different.
"""

import itertools

from ._tandem import Error, Mesh, Model, Pose, Scene, contacts, distance, intersects, relative_pose
from .convert import from_trimesh

# What trimesh calls an object that is in no manager.
_EXTERNAL = "__external"


class ContactData:
    """Where two objects touch: one pair of triangles."""

    def __init__(self, names, contact, to_world):
        #: The names of the two objects.
        self.names = set(names)
        self._indices = dict(zip(names, (int(triangle) for triangle in contact["pair"])))
        middle = (contact["points"][0] + contact["points"][1]) / 2
        self._point = to_world[:3, :3] @ middle + to_world[:3, 3]
        self._normal = to_world[:3, :3] @ contact["normal"]
        self._depth = -float(contact["separation"])

    @property
    def normal(self):
        """From the first object to the second, of length 1, float64 of shape (3,)."""
        return self._normal

    @property
    def point(self):
        """The middle of what the two triangles share, in the world, float64 of shape (3,)."""
        return self._point

    @property
    def depth(self):
        """How deep the one triangle lies behind the other."""
        return self._depth

    def index(self, name):
        """The triangle of the object of that name."""
        return self._indices[name]


class DistanceData:
    """Where two objects are closest."""

    def __init__(self, names, result, to_world):
        #: The names of the two objects.
        self.names = set(names)
        self._distance = result.distance
        self._indices = dict(zip(names, result.pair))
        points = (result.on_a, result.on_b)
        in_world = (to_world[:3, :3] @ point + to_world[:3, 3] for point in points)
        self._points = dict(zip(names, in_world))

    @property
    def distance(self):
        """How far apart they are; 0 where they touch."""
        return self._distance

    def index(self, name):
        """The closest triangle of the object of that name."""
        return self._indices[name]

    def point(self, name):
        """The closest point of the object of that name, in the world, float64 of shape (3,)."""
        return self._points[name]


def _chosen(first, *others):
    """The first, and those others that are asked for, as trimesh returns them."""
    wanted = [value for asked, value in others if asked]
    return (first, *wanted) if wanted else first


class _Object:
    """A model at a place under a name."""

    def __init__(self, name, model, pose):
        self.name, self.model, self.pose = name, model, pose

    def touches(self, other):
        return bool(intersects(self.model, other.model, relative_pose(self.pose, other.pose)))

    def contacts(self, other):
        found = contacts(self.model, other.model, relative_pose(self.pose, other.pose))
        to_world, names = self.pose.matrix, (self.name, other.name)
        return [ContactData(names, contact, to_world) for contact in found]

    def distance(self, other, limit=float("inf")):
        return distance(self.model, other.model, relative_pose(self.pose, other.pose), limit=limit)


class CollisionManager:
    """Named objects: which of them touch, and how far apart they are.

    Objects are tandem.Model, tandem.Mesh, or whatever tandem.from_trimesh takes. A Model is best
    where many objects show the same mesh, or one is asked about again and again.

    >>> import numpy as np, tandem
    >>> manager, box = tandem.CollisionManager(), tandem.Model(tandem.make_box(1))
    >>> for name, x in ("a", 0.0), ("b", 1.5), ("c", 9.0):
    ...     manager.add_object(name, box, tandem.Pose.from_translation([x, 0, 0]))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('a', 'b')})
    >>> manager.min_distance_single(box, tandem.Pose.from_translation([6, 0, 0]), return_name=True)
    (1.0, 'c')
    """

    def __init__(self):
        self._scene = Scene()
        self._ids = {}
        self._names = {}

    def add_object(self, name, mesh, transform=None):
        """Adds an object, in place of the one of that name if there is one.

        transform is a Pose or a matrix of shape (4, 4), the identity when it is None.
        """
        model, pose = _to_model(mesh), _to_pose(transform)
        if name in self._ids:
            self.remove_object(name)
        self._ids[name] = self._scene.add(model, pose)
        self._names[self._ids[name]] = name

    def remove_object(self, name):
        """Takes an object out. One that is not there is an Error."""
        number = self._id(name)
        self._scene.remove(number)
        del self._ids[name], self._names[number]

    def set_transform(self, name, transform):
        """Moves an object, to a Pose or a matrix of shape (4, 4)."""
        self._scene.move(self._id(name), _to_pose(transform))

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Whether one more object would touch any that is here.

        Returns whether; with return_names also the set of names of those that it touches; with
        return_data also a list of ContactData, in which the object is called '__external'.
        """
        single = _Object(_EXTERNAL, _to_model(mesh), _to_pose(transform))
        touching = (other for other in self._all() if other.touches(single))
        if not return_names and not return_data:
            return next(touching, None) is not None
        touching = list(touching)
        names = {other.name for other in touching}
        data = []
        if return_data:
            data = [contact for other in touching for contact in other.contacts(single)]
        return _chosen(bool(touching), (return_names, names), (return_data, data))

    def in_collision_internal(self, return_names=False, return_data=False):
        """Whether any two objects touch.

        Returns whether; with return_names also the set of pairs of names, each in alphabetical
        order; with return_data also a list of ContactData.
        """
        touching = self._scene.touching()
        pairs = [tuple(self._object(int(number)) for number in pair) for pair in touching]
        names = {tuple(sorted((a.name, b.name))) for a, b in pairs}
        data = [contact for a, b in pairs for contact in a.contacts(b)] if return_data else []
        return _chosen(bool(pairs), (return_names, names), (return_data, data))

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Whether any object here touches any of another manager.

        Returns whether; with return_names also the set of pairs of names, ours first; with
        return_data also a list of ContactData.
        """
        pairs = self._pairs_with(other_manager, lambda scene: scene.touching())
        names = {(a.name, b.name) for a, b in pairs}
        data = [contact for a, b in pairs for contact in a.contacts(b)] if return_data else []
        return _chosen(bool(pairs), (return_names, names), (return_data, data))

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """How far one more object would be from the closest one that is here.

        Returns the distance, infinite when there is none; with return_name also the closest
        object's name; with return_data also a DistanceData, in which the object is called
        '__external'.
        """
        single = _Object(_EXTERNAL, _to_model(mesh), _to_pose(transform))
        found, pair, data = _closest((other, single) for other in self._all())
        return _chosen(found, (return_name, pair and pair[0].name), (return_data, data))

    def min_distance_internal(self, name=None, return_names=False, return_data=False):
        """How far apart the two closest objects are; with a name, that one and the closest other.

        Returns the distance, infinite when there are no two objects; with return_names also their
        two names in alphabetical order; with return_data also a DistanceData.
        """
        objects = list(self._all())
        if name is not None:
            one = self._object(self._id(name))
            found, pair, data = _closest((one, other) for other in objects if other.name != name)
        else:
            found, pair, data = _closest(_close_pairs(self._scene, objects, self._object))
        names = pair and tuple(sorted((pair[0].name, pair[1].name)))
        return _chosen(found, (return_names, names), (return_data, data))

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """How far the closest objects are apart, one of them here and one of another manager.

        Returns the distance; with return_names also their two names, ours first; with return_data
        also a DistanceData.
        """
        found, pair, data = _closest(itertools.product(self._all(), list(other_manager._all())))
        names = pair and (pair[0].name, pair[1].name)
        return _chosen(found, (return_names, names), (return_data, data))

    def _id(self, name):
        if name not in self._ids:
            raise Error(f"name is {name!r}, but there is no such object in the manager")
        return self._ids[name]

    def _object(self, number):
        return _Object(self._names[number], self._scene.model(number), self._scene.pose(number))

    def _all(self):
        return (self._object(number) for number in self._ids.values())

    def _pairs_with(self, other, ask):
        """Pairs of objects, one from each manager, as a scene of both answers."""
        both, objects = Scene(), []
        for group, manager in ("ours", self), ("theirs", other):
            both.allow(group, group)
            for each in manager._all():
                both.add(each.model, each.pose, group=group)
                objects.append(each)
        return [tuple(objects[number] for number in pair) for pair in ask(both)]


def _close_pairs(scene, objects, of_id):
    """The pairs of objects of a scene among which the closest one is."""
    bound, _, _ = _closest(zip(objects, objects[1:]))
    if bound == float("inf"):
        return itertools.combinations(objects, 2)
    return (tuple(of_id(int(number)) for number in pair) for pair in scene.close_objects(bound))


def _closest(pairs):
    """The distance of the closest pair of objects, that pair, and its DistanceData."""
    best, found, result = float("inf"), None, None
    for a, b in pairs:
        apart = a.distance(b, limit=best)
        if apart.distance < best:
            best, found, result = apart.distance, (a, b), apart
        if best == 0:
            break
    if found is None:
        return best, None, None
    return best, found, DistanceData((found[0].name, found[1].name), result, found[0].pose.matrix)


def _to_model(mesh):
    if isinstance(mesh, Model):
        return mesh
    return Model(mesh if isinstance(mesh, Mesh) else from_trimesh(mesh))


def _to_pose(transform):
    try:
        return transform if isinstance(transform, Pose) else Pose(transform)
    except Error as error:
        raise Error(str(error).replace("matrix", "transform", 1)) from None


def scene_to_collision(scene):
    """A CollisionManager of a trimesh.Scene, and the Model that each of its nodes shows, by name.

    Takes anything with a graph that lists nodes_geometry and gives (matrix, geometry name) for a
    node, and with a dictionary geometry of meshes. Nodes that show one geometry share its model.
    """
    manager, models, shown = CollisionManager(), {}, {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        if geometry not in models:
            models[geometry] = Model(from_trimesh(scene.geometry[geometry]))
        shown[node] = models[geometry]
        manager.add_object(node, models[geometry], transform)
    return manager, shown
