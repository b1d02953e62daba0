/**
 * Rendezvous hashing (highest random weight): each place draws a number of its own for a seed, and the best draw wins. When a
 * place goes, only what it had won moves, and when it comes back, only that returns.
 * https://en.wikipedia.org/wiki/Rendezvous_hashing
 * @param seed an unsigned whole number of 32 bits
 * @returns in (0, 1), the same for the same seed and place
 */
export function drawOf(seed: number, place: number): number {
  // The last steps of MurmurHash3: every bit of what goes in changes half of the bits that come out.
  let hash = (seed ^ Math.imul(place + 1, 0x9e3779b1)) >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = (hash ^ (hash >>> 16)) >>> 0
  return (hash + 0.5) / 2 ** 32
}

/** Better is higher; a place with twice the weight is the best for twice as many seeds. */
export function scoreOf(seed: number, place: number, weight: number): number {
  return weight / -Math.log(drawOf(seed, place))
}
