/**
 * Names of models that channels list, each once in memory, however many channels list it. A name stays known when the
 * last channel drops it, until everything is read anew.
 */
export class ModelNames {
  readonly #names = new Map<string, string>()

  /** The one text of this name, from now on. */
  intern(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }

  /** The text that is kept; `undefined` for a name that no channel has had. */
  find(name: string): string | undefined {
    return this.#names.get(name)
  }

  containing(part: string): readonly string[] {
    const wanted = part.toLowerCase()
    return [...this.#names.keys()].filter((name) => name.toLowerCase().includes(wanted))
  }
}
