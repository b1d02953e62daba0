/**
 * JSON of an object that is written again and again and differs in one text alone, as the events of a stream do: the rest of
 * it is made once.
 */
export class RepeatedJson {
  readonly #before: string
  readonly #members: string
  readonly #after: string

  /** @param make the object with the text in it, once and unchanged */
  constructor(make: (text: string) => unknown) {
    let mark = '…'
    let [before, after, ...others] = around(make, mark)
    // The rest may hold the mark, too: it is made longer until it stands there once.
    while (others.length > 0) {
      mark += '…'
      ;[before, after, ...others] = around(make, mark)
    }
    this.#before = before ?? ''
    this.#members = this.#before.slice(1)
    this.#after = after ?? ''
  }

  with(text: string): string {
    return this.#before + JSON.stringify(text) + this.#after
  }

  /** The object without its opening brace, for one that begins with other members. */
  membersWith(text: string): string {
    return this.#members + JSON.stringify(text) + this.#after
  }
}

function around(make: (text: string) => unknown, mark: string): readonly string[] {
  return JSON.stringify(make(mark)).split(JSON.stringify(mark))
}
