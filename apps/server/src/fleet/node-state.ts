/** Conditions for a node to take calls. */
interface Needs {
  /** Records charges. */
  readonly ledger: { readonly admitting: boolean }
  readonly space: { readonly hasSpace: boolean }
  /** Claim by which no other process runs this node. */
  readonly claim: { readonly held: boolean }
  readonly fleet: { readonly hears: boolean }
}

/** Decision whether a node takes calls: every call reads it, and the shutdown of the node changes it. */
export class NodeState {
  readonly #needs: Needs
  #isEnding = false
  #isClosed = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** False while changes of other nodes could be missed, such as a disabled key. */
  get hears(): boolean {
    return this.#needs.fleet.hears
  }

  /** False while charges could not be recorded, too: calls are refused with 503 until they can. */
  get isFit(): boolean {
    const { ledger, space, claim, fleet } = this.#needs
    return ledger.admitting && space.hasSpace && claim.held && fleet.hears
  }

  get isEnding(): boolean {
    return this.#isEnding
  }

  /** False at the end: calls that were on their way when the stop came are admitted for a time. */
  get isOpen(): boolean {
    return !this.#isClosed
  }

  get admits(): boolean {
    return this.isOpen && this.isFit
  }

  end(): void {
    this.#isEnding = true
  }

  close(): void {
    this.#isClosed = true
  }
}
