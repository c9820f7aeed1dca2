// Two spheres that overlap: the default engine and brute force find the same touching triangles.
#include <tandem/tandem.h>
#ifdef CONSUMER_CUDA
#include <tandem/cuda/rays.h>
#endif

#include <iostream>

int main() {
  const tandem::Model a{tandem::make_icosphere(8)};
  const tandem::Model b{tandem::make_icosphere(5)};
  const auto b_in_a = tandem::Pose::from_translation({0.9, 0.2, 0.1});

  const auto found = tandem::collide(a, b, b_in_a);
  const auto all = tandem::collide(a, b, b_in_a, {.engine = {.traversal = "brute-force"}});
  std::cout << found.pairs.size() << " pairs, "
            << (found.pairs == all.pairs ? "as brute force finds" : "unlike brute force") << '\n';
#ifdef CONSUMER_CUDA
  std::cout << tandem::cuda::devices().size() << " CUDA devices\n";
#endif
}
