/** Ids below are places in an array. */
const arrayLength = 65_536

/**
 * Values by the ids that a database counts up. An array is looked into at one place of memory, a `Map` at three; with
 * more values than the processor's caches hold, that is what a look-up costs.
 */
export class ById<Value> {
  readonly #low: (Value | undefined)[] = []
  readonly #high = new Map<number, Value>()

  /** @param id whole, 1 or more */
  get(id: number): Value | undefined {
    return id < arrayLength ? this.#low[id] : this.#high.get(id)
  }

  set(id: number, value: Value): void {
    if (id >= arrayLength) {
      this.#high.set(id, value)
      return
    }
    // Without holes, which would make another kind of array of it.
    while (this.#low.length <= id) this.#low.push(undefined)
    this.#low[id] = value
  }

  *values(): Generator<Value, void> {
    for (const value of this.#low) if (value !== undefined) yield value
    yield* this.#high.values()
  }
}
