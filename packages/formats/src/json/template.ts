/**
 * JSON of an object that is written again and again and differs in one text alone, as the events of a stream do: the rest of
 * it is made once.
 */
export class JsonTemplate {
  /** Up to the opening quote of the text, and from its closing quote on. */
  readonly #before: string
  /** The same without the opening brace, behind a comma. */
  readonly #further: string
  readonly #after: string

  /** @param make the object with the text in it, once and unchanged */
  constructor(make: (text: string) => unknown) {
    // Of the plainest characters, or all that is written around it would take two bytes for each of them.
    let mark = '~'
    let [before, after, ...others] = around(make, mark)
    // The rest may hold the mark, too: lengthens the mark until it occurs once.
    while (others.length > 0) {
      mark += '~'
      ;[before, after, ...others] = around(make, mark)
    }
    this.#before = `${before ?? ''}"`
    this.#further = `,${this.#before.slice(1)}`
    this.#after = `"${after ?? ''}`
  }

  with(text: string): string {
    return this.#before + escaped(text) + this.#after
  }

  /**
   * The object behind a number.
   * @param head JSON up to that number, with the opening brace
   */
  numbered(head: string, number: number, text: string): string {
    return head + number + this.#further + escaped(text) + this.#after
  }
}

function around(make: (text: string) => unknown, mark: string): readonly string[] {
  return JSON.stringify(make(mark)).split(JSON.stringify(mark))
}

/** Characters that JSON escapes: quotes, backslashes, control characters and lone surrogates. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function escaped(text: string): string {
  return special.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
