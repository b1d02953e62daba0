/** Ids below are places in pages, which are made when something is put into them. */
const pagedIds = 1 << 20
const pageBits = 10
const pageLength = 1 << pageBits
const placeInPage = pageLength - 1

/**
 * Values by the ids that a database counts up. A page is looked into at one place of memory, a `Map` at three; with more
 * values than the processor's caches hold, that is what a look-up costs. Pages are 8 kB, and 8 MB all of them.
 */
export class ById<Value> {
  readonly #pages: (Value | undefined)[][] = []
  readonly #high = new Map<number, Value>()

  /** @param id whole, 0 or more */
  get(id: number): Value | undefined {
    return id < pagedIds ? this.#pages[id >> pageBits]?.[id & placeInPage] : this.#high.get(id)
  }

  set(id: number, value: Value): void {
    if (id >= pagedIds) this.#high.set(id, value)
    else this.#pageOf(id)[id & placeInPage] = value
  }

  delete(id: number): void {
    if (id >= pagedIds) this.#high.delete(id)
    else if (this.get(id) !== undefined) this.#pageOf(id)[id & placeInPage] = undefined
  }

  *values(): Generator<Value, void> {
    for (const page of this.#pages) for (const value of page) if (value !== undefined) yield value
    yield* this.#high.values()
  }

  /** Neither pages nor the list of them have holes, which would make another kind of array of them. */
  #pageOf(id: number): (Value | undefined)[] {
    const number = id >> pageBits
    while (this.#pages.length <= number) this.#pages.push([])
    const page = this.#pages[number] ?? []
    while (page.length < pageLength) page.push(undefined)
    return page
  }
}
