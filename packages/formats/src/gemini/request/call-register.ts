/** A call of a tool in a conversation. */
interface KnownCall {
  readonly id: string
  readonly name: string
  /** Its place among all calls of the conversation. */
  readonly ordinal: number
}

/**
 * The calls of one conversation, read in order: gives each an id, and finds the call that a result answers. Results
 * name their call by its id, or by nothing but the tool's name; then they answer the calls of the step in its order.
 */
export class CallRegister {
  readonly #byId = new Map<string, KnownCall>()
  /** Ids that are given in the conversation, and must not be made up. */
  readonly #given: ReadonlySet<string>
  /** Calls of the latest step that have no result yet. */
  #waiting: KnownCall[] = []
  #made = 0
  #count = 0

  constructor(given: ReadonlySet<string>) {
    this.#given = given
  }

  /** The model speaks again: calls without a result by now will get none. */
  nextStep(): void {
    this.#waiting = []
  }

  /** @param id empty when the call has none; then it gets `call_<n>`, the same for every reading of the conversation */
  call(id: string, name: string): KnownCall {
    const known = { id: id === '' ? this.#freeId() : id, name, ordinal: this.#count++ }
    this.#byId.set(known.id, known)
    this.#waiting.push(known)
    return known
  }

  /** The call that a result answers; `undefined` when there is none. */
  result(id: string, name: string): KnownCall | undefined {
    const found = this.#byId.get(id) ?? this.#waiting.find((call) => call.name === name)
    if (found !== undefined) this.#waiting = this.#waiting.filter((call) => call !== found)
    return found
  }

  #freeId(): string {
    let id = `call_${this.#made++}`
    while (this.#given.has(id)) id = `call_${this.#made++}`
    return id
  }
}
