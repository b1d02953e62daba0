import { median } from '../processes.ts'
import { atMost, type Figure } from '../report.ts'

/** State of a gateway in one minute of a soak. */
export interface Minute {
  /** Resident memory in MB, at its end. */
  readonly megabytes: number
  readonly descriptors: number
  /** Calls that ended in it. */
  readonly calls: number
  /** Calls among them that their callers did not abort, and that had no response of status 200 to its end. */
  readonly failures: number
  /** Times of small calls, which are not streamed. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Measures with the growth that each may show from the first third to the last: times say less, as other work shares the machine. */
const measures = [
  { what: 'Resident memory', of: (minute: Minute) => minute.megabytes, bar: 1.15 },
  { what: 'Open descriptors', of: (minute: Minute) => minute.descriptors, bar: 1.15 },
  { what: 'p50 of small calls', of: (minute: Minute) => minute.p50Ms, bar: 1.5 },
  { what: 'p99 of small calls', of: (minute: Minute) => minute.p99Ms, bar: 2 },
]

/**
 * Judges whether a soak was flat: the median of the last third of its minutes against that of the first. A tenth of the minutes goes before
 * them, in which a process fills its caches.
 */
export function verdictOf(minutes: readonly Minute[]): Figure[] {
  const settled = minutes.slice(Math.floor(minutes.length / 10))
  const growth = measures.map(({ what, of, bar }) => {
    const medians = thirdsOf(settled).map((third) => median(third.map(of).filter(Number.isFinite)))
    const [first = Number.NaN, , last = Number.NaN] = medians
    return atMost(`${what}, last third against first`, last / first, bar, '×', textOf(medians))
  })
  const calls = sumOf(minutes.map((minute) => minute.calls))
  const failures = sumOf(minutes.map((minute) => minute.failures))
  return [
    ...growth,
    atMost(
      'Calls that failed for their callers',
      (failures / calls) * 100,
      0.5,
      ' %',
      `${failures} of ${calls}`,
    ),
  ]
}

/** The three parts of a list, of which each has at least one entry of a list that has three. */
function thirdsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  const edge = (index: number) => Math.round((list.length * index) / 3)
  return [0, 1, 2].map((index) => list.slice(edge(index), edge(index + 1)))
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const textOf = (medians: readonly number[]) =>
  medians.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(', ')
