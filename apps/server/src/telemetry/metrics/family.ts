export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** A histogram's counts under one set of labels. */
export interface HistogramPoint {
  readonly labels: Labels
  /** One for each bound, and one for what is above the last; not cumulative. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface Named {
  /** Name in Prometheus' form, with its unit, and `_total` for a counter. */
  readonly name: string
  readonly help: string
}

/** Rule by which the values of several processes of one machine become the machine's; counters and histograms are summed. */
export type Across = 'sum' | 'max' | 'min'

/** All values of one metric at one moment. */
export type Family = Named &
  (
    | { readonly type: 'counter'; readonly samples: readonly Sample[] }
    | { readonly type: 'gauge'; readonly across: Across; readonly samples: readonly Sample[] }
    | {
        readonly type: 'histogram'
        readonly bounds: readonly number[]
        readonly points: readonly HistogramPoint[]
      }
  )

/** Reads what there is at this moment. Rejects for what cannot be read. */
export type ReadFamilies = () => readonly Family[] | Promise<readonly Family[]>

export function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'counter', samples }
}

/** @param across what is each process's own is a sum; what each sees of the same thing, the worst or the best of them */
export function gauge(
  name: string,
  help: string,
  across: Across,
  samples: readonly Sample[] | number,
): Family {
  const values = typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples
  return { name, help, type: 'gauge', across, samples: values }
}
