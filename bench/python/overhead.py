"""What Python costs: queries called from Python and from a loop of C++, interleaved.

    PYTHONPATH=build/release/python:build/release/bench/python \\
      /usr/bin/python3 bench/python/overhead.py
"""

import sys
import threading
import time

import numpy as np

import tandem
import tandem_loops


def best(measure, rounds):
    """The least of several times, and what was found."""
    return min(measure() for _ in range(rounds))


def per_call(name, loops, models, matrix, repetitions=1000, rounds=200):
    pose = tandem.Pose(matrix)
    query = getattr(tandem, name)
    a, b = models

    def python(given):
        start = time.perf_counter()
        for _ in range(repetitions):
            query(a, b, given)
        return time.perf_counter() - start

    in_cpp, with_pose, with_matrix = [], [], []
    for _ in range(rounds):
        in_cpp.append(getattr(loops, name)(matrix, repetitions)[0])
        with_pose.append(python(pose))
        with_matrix.append(python(matrix))
    cpp, posed, raw = (1e6 * min(times) / repetitions for times in (in_cpp, with_pose, with_matrix))
    print(f"{name:11} {cpp:10.2f} {posed:12.2f} {raw:14.2f} {posed - cpp:9.2f} {raw - cpp:9.2f}")


def batch(loops, models, matrices, threads, rounds=5):
    cpp, python = [], []
    for _ in range(rounds):
        cpp.append(tuple(loops.count_batch(matrices, threads)))
        start = time.perf_counter()
        counts = tandem.count_batch(*models, matrices, threads=threads)
        python.append((time.perf_counter() - start, int(counts.sum())))
    (c, found), (p, also) = min(cpp), min(python)
    assert found == also
    print(
        f"{len(matrices):8} poses, {threads} threads: C++ {c:7.3f} s, Python {p:7.3f} s, "
        f"ratio {p / c:.3f}, {found} pairs"
    )


def scaling(models, matrix, repetitions):
    def ask():
        for _ in range(repetitions):
            tandem.count(*models, matrix)

    for count in 1, 2, 4:
        threads = [threading.Thread(target=ask) for _ in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rate = count * repetitions / (time.perf_counter() - start)
        print(f"{count} threads of Python: {rate:9.0f} queries per second")


def poses(count, spread):
    random = np.random.default_rng(7)
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, 3] = random.uniform(-spread, spread, (count, 3))
    return matrices


def main():
    quick = "--quick" in sys.argv
    box, knot = tandem.make_box(1), tandem.make_shape("knot", 2000)
    apart = np.eye(4)
    apart[0, 3] = 1.9
    apart[1, 3] = 0.1
    print("µs per call       C++  Python, Pose  Python, matrix  overhead of each")
    loops = tandem_loops.Loops(box.vertices, box.triangles)
    models = tandem.Model(box), tandem.Model(box)
    for name in "intersects", "count", "collide", "distance":
        per_call(name, loops, models, apart, *((100, 5) if quick else ()))
    loops = tandem_loops.Loops(knot.vertices, knot.triangles)
    models = tandem.Model(knot), tandem.Model(knot)
    for threads in 1, 2:
        batch(loops, models, poses(1000 if quick else 100000, 3), threads, 1 if quick else 5)
    scaling(models, poses(5, 0.5)[3], 20 if quick else 500)


if __name__ == "__main__":
    main()
