import type { Note } from './import-source.ts'

/** Examples of one reason that are printed. */
const visibleExamples = 5

/** Numbers of rows by reason, with some of them as examples. */
class Reasons {
  readonly #byReason = new Map<string, { count: number; readonly examples: string[] }>()

  add({ reason, example }: Note): void {
    const known = this.#byReason.get(reason) ?? { count: 0, examples: [] }
    known.count += 1
    if (known.examples.length < visibleExamples) known.examples.push(example)
    this.#byReason.set(reason, known)
  }

  *lines(what: string): Generator<string> {
    for (const [reason, { count, examples }] of this.#byReason) {
      const more = count > examples.length ? `, and ${count - examples.length} more` : ''
      yield `    ${what} ${count}: ${reason} (${examples.join(', ')}${more})`
    }
  }

  /** The same without examples, which may name people. */
  *counts(what: string): Generator<string> {
    for (const [reason, { count }] of this.#byReason) yield `    ${what} ${count}: ${reason}`
  }
}

/** Outcome for the rows of one table. */
export class TableReport {
  readonly name: string
  taken = 0
  changed = 0
  before = 0
  leftOut = 0
  readonly #changes = new Reasons()
  readonly #leftOut = new Reasons()
  readonly #lines: string[] = []

  constructor(name: string) {
    this.name = name
  }

  take(changes: readonly Note[]): void {
    this.taken += 1
    if (changes.length > 0) this.changed += 1
    for (const change of changes) this.#changes.add(change)
  }

  leave(note: Note): void {
    this.leftOut += 1
    this.#leftOut.add(note)
  }

  /** A line of its own under the table. */
  say(line: string): void {
    this.#lines.push(line)
  }

  /** A sum there and here, which must be the same. Returns whether it is. */
  reconcile(what: string, there: number, here: number): boolean {
    const isEqual = there === here
    this.say(
      `${what}: ${number(there)} there, ${number(here)} here${isEqual ? '' : `, DIFFERENT by ${number(here - there)}`}`,
    )
    return isEqual
  }

  get lines(): readonly string[] {
    return [
      this.#heading,
      ...this.#changes.lines('changed'),
      ...this.#leftOut.lines('left out'),
      ...this.#lines.map((line) => `    ${line}`),
    ]
  }

  /** The lines for a record that stays: nobody is named in them. */
  get record(): readonly string[] {
    return [
      this.#heading,
      ...this.#changes.counts('changed'),
      ...this.#leftOut.counts('left out'),
      ...this.#lines.map((line) => `    ${line}`),
    ]
  }

  get #heading(): string {
    const { name, taken, changed, before, leftOut } = this
    const counts = [
      `${taken} taken${changed === 0 ? '' : ` (${changed} changed)`}`,
      ...(before === 0 ? [] : [`${before} taken before`]),
      `${leftOut} left out`,
    ]
    return `${name}: ${taken + before + leftOut} read, ${counts.join(', ')}`
  }
}

/** Returns the reason to leave out a row whose balance and past charges are together more than a balance holds here. */
export function beyondBalances(name: string, amount: number): Note {
  const max = number(Number.MAX_SAFE_INTEGER)
  return {
    reason: `quota: what it has and what it spent come to more than ${max}; lower it there and import again`,
    example: `${name}: ${number(amount)}`,
  }
}

export function number(value: number): string {
  return value.toLocaleString('en')
}
