/** Counts values in buckets. Adding one costs a few comparisons and creates nothing. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** @param bounds inclusive upper ends of the buckets, ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    let index = 0
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index += 1
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += value
  }

  get sum(): number {
    return this.#sum
  }

  /** One for each bound, and one for what is above the last. */
  get counts(): readonly number[] {
    return this.#counts
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0)
  }
}
