import type { JournalSpan } from '../../store/settlement.ts'

export type Stretch = Pick<JournalSpan, 'first' | 'last'>

/** A set of numbers, as stretches in their order that do not touch. */
export class NumberSet {
  #stretches: Stretch[] = []

  get last(): number | undefined {
    return this.#stretches.at(-1)?.last
  }

  has(seq: number): boolean {
    return this.#stretches.some(({ first, last }) => first <= seq && seq <= last)
  }

  /** Numbers mostly come in their order: the last stretch is looked at first. */
  add(first: number, last: number = first): void {
    const end = this.#stretches.at(-1)
    if (end !== undefined && first === end.last + 1) {
      this.#stretches[this.#stretches.length - 1] = { first: end.first, last }
      return
    }
    const apart = this.#stretches.filter((one) => one.last + 1 < first || last + 1 < one.first)
    const touched = this.#stretches.filter((one) => !apart.includes(one))
    const merged = {
      first: Math.min(first, ...touched.map((one) => one.first)),
      last: Math.max(last, ...touched.map((one) => one.last)),
    }
    this.#stretches = [...apart, merged].sort((a, b) => a.first - b.first)
  }

  /** Returns the missing numbers between two, both included. */
  missing(from: number, to: number): Stretch[] {
    const holes: Stretch[] = []
    let next = from
    for (const { first, last } of this.#stretches) {
      if (first > next && next <= to) holes.push({ first: next, last: Math.min(first - 1, to) })
      next = Math.max(next, last + 1)
    }
    if (next <= to) holes.push({ first: next, last: to })
    return holes
  }
}

/** Joins numbers of entries, as they come, into spans. */
export function addToSpans(spans: JournalSpan[], run: string | undefined, seq: number): void {
  if (run === undefined) return
  const end = spans.at(-1)
  if (end?.run === run && end.last + 1 === seq) spans[spans.length - 1] = { ...end, last: seq }
  else spans.push({ run, first: seq, last: seq })
}
