/** Connections of one process to a PostgreSQL server, beside the one that listens and the one that holds its lock. */
export interface ConnectionCounts {
  /** Those for calls, flushes and the console. */
  readonly calls: number
  /** Those for log pages and statistics. */
  readonly reads: number
}

const alone: ConnectionCounts = { calls: 10, reads: 3 }
/** Processes of one machine share so many. */
const shared: ConnectionCounts = { calls: 48, reads: 16 }
const min: ConnectionCounts = { calls: 3, reads: 1 }

/** Connections of each of so many processes of one machine: sixteen stay within the hundred that a server takes by default. */
export function connectionsOf(processes = 1): ConnectionCounts {
  const of = (kind: keyof ConnectionCounts) =>
    Math.max(min[kind], Math.min(alone[kind], Math.floor(shared[kind] / processes)))
  return { calls: of('calls'), reads: of('reads') }
}

/** The one that listens, and the one that holds the lock of the node. */
const ofTheirOwn = 2

/** Returns how many connections each of so many processes of one machine opens at most. */
export function connectionsPerProcess(processes: number): number {
  const { calls, reads } = connectionsOf(processes)
  return calls + reads + ofTheirOwn
}
