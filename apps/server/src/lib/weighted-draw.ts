/** Steps of a sequence in two dimensions that leaves no gaps however far it goes (Roberts' R2). */
const turnStep = 0.7548776662466927
const placeStep = 0.5698402909980532

/**
 * Draws places of a list by weight, in one step however long the list is: Walker's alias method with Vose's tables.
 * Each place stands for an equal share of luck, and gives what it has too much of to one other place.
 */
export class WeightedDraw {
  /** For each place: how much of its share it keeps, and who has the rest. Side by side, to be found together. */
  readonly #table: Float64Array
  readonly #places: number
  /** Whose turn it is; behind the last place a turn is over. Nobody has had one while it is negative. */
  #next = -1
  /** What this turn adds to the luck of every place. */
  #turn = 0

  /**
   * @param weights whole, none negative, at least one above 0. Exact while their sum times their number is a safe
   * integer; a weight of 0 is never drawn in any case.
   */
  constructor(weights: readonly number[]) {
    this.#places = weights.length
    this.#table = tableOf(weights)
  }

  /** @param luck in [0, 1) */
  draw(luck: number): number {
    const point = luck * this.#places
    const place = Math.floor(point)
    return this.#drawAt(place, point - place)
  }

  /**
   * Like `draw`, in turn instead of by luck: one place after the other, each keeping its share as often as its weight
   * says. Every stretch of draws follows the weights, where luck would favour some; and neighbours in the list are drawn
   * one after the other, which finds long lists nearer to the processor.
   * @param random numbers in [0, 1), asked for where the first turn begins: not all who draw should begin with the same
   */
  next(random: () => number): number {
    if (this.#next < 0) {
      this.#next = Math.floor(random() * this.#places)
      this.#turn = random()
    }
    const place = this.#next
    const luck = this.#turn + place * placeStep
    this.#next += 1
    if (this.#next === this.#places) {
      this.#next = 0
      this.#turn = (this.#turn + turnStep) % 1
    }
    return this.#drawAt(place, luck % 1)
  }

  #drawAt(place: number, luck: number): number {
    const isOwn = luck < (this.#table[place * 2] ?? 0)
    return isOwn ? place : (this.#table[place * 2 + 1] ?? 0)
  }
}

function tableOf(weights: readonly number[]): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  // In units of which each place's share has `sum`: whole numbers, nothing is rounded while places give and take.
  const left = weights.map((weight) => weight * weights.length)
  const places = [...weights.keys()]
  const poor = places.filter((place) => (left[place] ?? 0) < sum)
  const rich = places.filter((place) => (left[place] ?? 0) >= sum)
  const heaviest = weights.reduce((best, weight, place) => (weight > (weights[best] ?? 0) ? place : best), 0)
  const table = new Float64Array(weights.length * 2)
  const keep = (place: number, share: number, other: number) => table.set([share, other], place * 2)
  for (let giver = rich.pop(); giver !== undefined; giver = rich.pop()) {
    const taker = poor.pop()
    if (taker === undefined) {
      keep(giver, 1, giver)
      continue
    }
    const own = left[taker] ?? 0
    keep(taker, own / sum, giver)
    const rest = (left[giver] ?? 0) - (sum - own)
    left[giver] = rest
    if (rest < sum) poor.push(giver)
    else rich.push(giver)
  }
  // Only rounding leaves any; a place without weight must not come to one by it.
  for (const place of poor) keep(place, weights[place] === 0 ? 0 : 1, heaviest)
  return table
}
