/** A target that seeds are assigned to. */
export interface WeightedNode {
  /** Stays the same whatever other places come and go. */
  readonly id: number
  /** An integer. A place of weight 0 or less is a spare: it comes after all places with a weight, in equal shares. */
  readonly weight: number
}

/**
 * Rings of one kind. A single ring gives some places far more than others; with eight, shares are right to some 8 %.
 */
const layers = 8
const heaviest = 2 ** 31 - 1

/**
 * An order of places for each seed, by consistent hashing. Places come first for as many seeds as their weights say; one
 * that goes, comes or changes its weight moves only the seeds that it loses or wins.
 *
 * Each place has a point on a ring, and the seed goes to the point that follows its own. A weight is the sum of its
 * binary digits: for each digit that is set a place stands on rings of that digit, where distances count as much
 * shorter. (The least of exponential variables of rates 2 and 8 is one of rate 10, so shares are exact.) There are never
 * more rings than digits need, and on each the way to the first point takes the same few steps with ten places and ten
 * thousand. https://en.wikipedia.org/wiki/Consistent_hashing
 */
export class ConsistentHash {
  readonly #nodes: readonly WeightedNode[]
  #groups: readonly (readonly Ring[])[] | undefined

  /** Costs nothing until the first seed. */
  constructor(nodes: readonly WeightedNode[]) {
    this.#nodes = nodes
  }

  /**
   * The index of the seed's own place; `undefined` for an empty list.
   * @param seed an unsigned whole number of 32 bits
   */
  first(seed: number): number | undefined {
    if (this.#nodes.length === 1) return 0
    let found: number | undefined
    let nearest = Number.POSITIVE_INFINITY
    for (const ring of this.#rings[0] ?? []) {
      const point = ring.pointOf(seed)
      const step = ring.stepAfter(point)
      const distance = ring.distance(point, step)
      if (distance >= nearest) continue
      nearest = distance
      found = ring.nodeAt(step)
    }
    return found
  }

  /** Indexes of all places, each once, the seed's own first. Computed lazily. */
  *all(seed: number): Generator<number, undefined> {
    const named = new Set<number>()
    for (const rings of this.#rings) {
      const walks = rings.map((ring) => new RingWalk(ring, seed))
      for (let walk = nearestOf(walks); walk !== undefined; walk = nearestOf(walks)) {
        const position = walk.advance()
        if (named.has(position)) continue
        named.add(position)
        yield position
      }
    }
  }

  get #rings(): readonly (readonly Ring[])[] {
    this.#groups ??= ringsOf(this.#nodes)
    return this.#groups
  }
}

function nearestOf(walks: readonly RingWalk[]): RingWalk | undefined {
  let found: RingWalk | undefined
  for (const walk of walks) if (walk.distance < (found?.distance ?? Number.POSITIVE_INFINITY)) found = walk
  return found
}

/** Rings of the places that have a weight, and of the spares behind them. */
function ringsOf(nodes: readonly WeightedNode[]): readonly (readonly Ring[])[] {
  const indexes = [...nodes.keys()]
  const weightAt = (index: number) => nodes[index]?.weight ?? 0
  const weighted = indexes.filter((index) => weightAt(index) > 0)
  const spare = indexes.filter((index) => weightAt(index) <= 0)
  return [digitRings(nodes, weighted, weightAt), digitRings(nodes, spare, () => 1)].filter(
    ({ length }) => length > 0,
  )
}

function digitRings(
  nodes: readonly WeightedNode[],
  indexes: readonly number[],
  weightAt: (index: number) => number,
): readonly Ring[] {
  const rings: Ring[] = []
  for (let digit = 0; 2 ** digit <= heaviest; digit += 1) {
    const members = indexes.filter((index) => (Math.min(weightAt(index), heaviest) >>> digit) & 1)
    if (members.length === 0) continue
    for (let layer = 0; layer < layers; layer += 1) rings.push(new Ring(nodes, members, digit, layer))
  }
  return rings
}

const circumference = 2 ** 32
/** Indexes that fit beside 32 bits into the whole numbers of a double. */
const indexRange = 2 ** 21

class Ring {
  readonly #salt: number
  readonly #factor: number
  readonly #points: Uint32Array
  readonly #positions: Uint32Array
  /** First point in or behind each of as many equal arcs as there are points. */
  readonly #arcs: Uint32Array

  constructor(nodes: readonly WeightedNode[], members: readonly number[], digit: number, layer: number) {
    this.#salt = digit * layers + layer
    this.#factor = 2 ** -digit
    const sorted = Float64Array.from(
      members,
      (index) => mix(this.#salt, nodes[index]?.id ?? 0) * indexRange + index,
    ).sort()
    this.#points = Uint32Array.from(sorted, (both) => Math.floor(both / indexRange))
    this.#positions = Uint32Array.from(sorted, (both) => both % indexRange)
    this.#arcs = arcStarts(this.#points)
  }

  get size(): number {
    return this.#points.length
  }

  pointOf(seed: number): number {
    return mix(this.#salt, seed)
  }

  /** The number of the first place at or after a point. */
  stepAfter(point: number): number {
    const points = this.#points
    let step = this.#arcs[Math.floor((point / circumference) * points.length)] ?? 0
    while (step < points.length && (points[step] ?? 0) < point) step += 1
    return step === points.length ? 0 : step
  }

  /** Returns the distance from a point to that of a step, once around at most; shorter the more the digit weighs. */
  distance(point: number, step: number): number {
    const ahead = (this.#points[step] ?? 0) - point
    return (ahead < 0 ? ahead + circumference : ahead) * this.#factor
  }

  nodeAt(step: number): number {
    return this.#positions[step] ?? 0
  }
}

function arcStarts(points: Uint32Array): Uint32Array {
  const starts = new Uint32Array(points.length)
  let step = 0
  for (let arc = 0; arc < points.length; arc += 1) {
    while (step < points.length && (points[step] ?? 0) < (arc / points.length) * circumference) step += 1
    starts[arc] = step
  }
  return starts
}

/** Once around a ring from where a seed is. */
class RingWalk {
  distance: number
  readonly #ring: Ring
  readonly #start: number
  #step: number
  #left: number

  constructor(ring: Ring, seed: number) {
    this.#ring = ring
    this.#start = ring.pointOf(seed)
    this.#step = ring.stepAfter(this.#start)
    this.#left = ring.size
    this.distance = ring.distance(this.#start, this.#step)
  }

  /** The nearest place; moves on to the next, infinitely far where there is none. */
  advance(): number {
    const position = this.#ring.nodeAt(this.#step)
    this.#step = (this.#step + 1) % this.#ring.size
    this.#left -= 1
    this.distance = this.#left === 0 ? Number.POSITIVE_INFINITY : this.#ring.distance(this.#start, this.#step)
    return position
  }
}

/** The last steps of MurmurHash3: every input bit flips half of the output bits. */
function mix(salt: number, value: number): number {
  let hash = value ^ Math.imul(salt + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
