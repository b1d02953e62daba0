/**
 * Names of models that channels list, each once in memory, however many channels list it. A name stays until everything
 * is reloaded, also when the last channel drops it.
 */
export class ModelNames {
  readonly #names = new Map<string, string>()

  /** The one stored text of this name. */
  intern(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }

  /** The stored text; `undefined` for a name that no channel has listed. */
  find(name: string): string | undefined {
    return this.#names.get(name)
  }

  containing(part: string): readonly string[] {
    const wanted = part.toLowerCase()
    return [...this.#names.keys()].filter((name) => name.toLowerCase().includes(wanted))
  }
}
