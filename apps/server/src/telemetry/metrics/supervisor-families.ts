import { counter, type Family, gauge } from './family.ts'

/** What a supervisor knows of its workers. */
interface Supervised {
  readonly count: number
  readonly open: number
  readonly ends: number
}

/** The workers of this machine. */
export function supervisorFamilies({ count, open, ends }: Supervised): readonly Family[] {
  return [
    gauge('tollgate_workers', 'Processes that serve on this machine, by WORKERS.', 'max', count),
    gauge('tollgate_workers_open', 'Those of them that take new connections now.', 'max', open),
    counter('tollgate_worker_ends_total', 'Workers that ended unasked and were started again.', [
      { labels: {}, value: ends },
    ]),
  ]
}
