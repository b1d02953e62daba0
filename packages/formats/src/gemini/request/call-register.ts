/** A call of a tool in a conversation. */
interface KnownCall {
  readonly id: string
  readonly name: string
  /** Its place among all calls of the conversation. */
  readonly ordinal: number
}

/**
 * The calls of one conversation, in order: gives each an id, and finds the call that a result belongs to. A result
 * names its call by id, or by the tool's name alone; then results belong to the calls of the step in their order.
 */
export class CallRegister {
  readonly #byId = new Map<string, KnownCall>()
  /** Ids that are given in the conversation, and must not be made up. */
  readonly #sentIds: ReadonlySet<string>
  /** Calls of the latest step that have no result yet. */
  #waiting: KnownCall[] = []
  #made = 0
  #count = 0

  constructor(sentIds: ReadonlySet<string>) {
    this.#sentIds = sentIds
  }

  /** Starts the model's next turn: earlier calls without a result get none. */
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

  /** The call that a result belongs to; `undefined` without one. */
  result(id: string, name: string): KnownCall | undefined {
    const found = this.#byId.get(id) ?? this.#waiting.find((call) => call.name === name)
    if (found !== undefined) this.#waiting = this.#waiting.filter((call) => call !== found)
    return found
  }

  #freeId(): string {
    let id = `call_${this.#made++}`
    while (this.#sentIds.has(id)) id = `call_${this.#made++}`
    return id
  }
}
