/** The processes of this machine beside this one, each a node of the fleet. */
export interface Siblings {
  /** Lists the nodes that run on this machine, or ran there. */
  ids(): ReadonlySet<string>
  /** Tells the others that this one reached the database, and how many nodes lived on other machines then. */
  reached(elsewhere: number): void
  /** Has the same of the others heard. */
  subscribe(reached: (elsewhere: number) => void): void
}

/** The siblings of a process that serves by itself. */
export const noSiblings: Siblings = { ids: () => new Set(), reached() {}, subscribe() {} }

/** Three heartbeats: after so many that did not get through, the database is taken for gone. */
const cutOffMs = 6000

/** Memory of when this machine reached the database last, and whether it had the only nodes then. */
export class MachineReach {
  readonly #node: string
  readonly #siblings: Siblings
  readonly #now: () => number
  /** Nodes of other machines that lived at the last heartbeat of this machine that got through, and its time. */
  #elsewhere = 0
  #reachedAt = Number.NEGATIVE_INFINITY

  /** @param now milliseconds of the monotonic clock */
  constructor(node: string, siblings: Siblings, now: () => number) {
    this.#node = node
    this.#siblings = siblings
    this.#now = now
    siblings.subscribe((elsewhere) => this.#reached(elsewhere, now()))
  }

  /** Notes a heartbeat of this node that got through. @param live ids of all nodes that live */
  beaten(live: readonly string[], sentAt: number): void {
    const here = this.#siblings.ids()
    const elsewhere = live.filter((id) => id !== this.#node && !here.has(id)).length
    this.#reached(elsewhere, sentAt)
    this.#siblings.reached(elsewhere)
  }

  /**
   * All nodes were of this machine when one of them reached the database last, and none of them does any more: nobody is there to be
   * heard.
   */
  get isLoneCutOff(): boolean {
    return this.#elsewhere === 0 && this.#now() - this.#reachedAt > cutOffMs
  }

  #reached(elsewhere: number, at: number): void {
    this.#elsewhere = elsewhere
    this.#reachedAt = at
  }
}
