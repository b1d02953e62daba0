/** Steps of Roberts' R2, a low-discrepancy sequence in two dimensions: evenly spread however far it goes. */
const roundStep = 0.7548776662466927
const indexStep = 0.5698402909980532

/**
 * Weighted random choice of an index in constant time: Walker's alias method with Vose's tables. Each index has an
 * equal share of the probability, retains a part of it by its weight, and gives the rest to one other index, its alias.
 */
export class WeightedPicker {
  /**
   * Table with two numbers for each index: the part of its share that it retains, and its alias. Side by side, to share a cache line.
   */
  readonly #table: Float64Array
  readonly #size: number
  /** The index whose turn it is in this round; negative before the first. */
  #next = -1
  /** Offset that this round adds to the number of every index. */
  #round = 0

  /**
   * @param weights whole, none negative, at least one above 0. Exact while their sum times their number is a safe
   * integer; a weight of 0 is never drawn in any case.
   */
  constructor(weights: readonly number[]) {
    this.#size = weights.length
    this.#table = aliasTable(weights)
  }

  /** @param random in [0, 1) */
  draw(random: number): number {
    const point = random * this.#size
    const index = Math.floor(point)
    return this.#drawAt(index, point - index)
  }

  /**
   * Like `draw`, but round robin with a quasi-random number instead of a random one: every stretch of draws follows the
   * weights, where random numbers would favour some for a while. Neighbours in the list are drawn one after the other,
   * so that long lists are read from memory in order.
   * @param random numbers in [0, 1), called once: lists should not all start at the same index
   */
  next(random: () => number): number {
    if (this.#next < 0) {
      this.#next = Math.floor(random() * this.#size)
      this.#round = random()
    }
    const index = this.#next
    const point = this.#round + index * indexStep
    this.#next += 1
    if (this.#next === this.#size) {
      this.#next = 0
      this.#round = (this.#round + roundStep) % 1
    }
    return this.#drawAt(index, point % 1)
  }

  #drawAt(index: number, point: number): number {
    const isOwn = point < (this.#table[index * 2] ?? 0)
    return isOwn ? index : (this.#table[index * 2 + 1] ?? 0)
  }
}

function aliasTable(weights: readonly number[]): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  // In units of which each share has `sum`: whole numbers, so that nothing is rounded while shares are moved.
  const left = weights.map((weight) => weight * weights.length)
  const indexes = [...weights.keys()]
  const small = indexes.filter((index) => (left[index] ?? 0) < sum)
  const large = indexes.filter((index) => (left[index] ?? 0) >= sum)
  const heaviest = weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0) ? index : best), 0)
  const table = new Float64Array(weights.length * 2)
  const set = (index: number, retained: number, alias: number) => table.set([retained, alias], index * 2)
  for (let giver = large.pop(); giver !== undefined; giver = large.pop()) {
    const taker = small.pop()
    if (taker === undefined) {
      set(giver, 1, giver)
      continue
    }
    const own = left[taker] ?? 0
    set(taker, own / sum, giver)
    const rest = (left[giver] ?? 0) - (sum - own)
    left[giver] = rest
    if (rest < sum) small.push(giver)
    else large.push(giver)
  }
  // Only rounding leaves any; an index without weight must not get a share by it.
  for (const index of small) set(index, weights[index] === 0 ? 0 : 1, heaviest)
  return table
}
