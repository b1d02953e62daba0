import { connectionsPerProcess } from '../../store/engine/connection-counts.ts'
import type { Store } from '../../store/store.ts'
import { type Finding, ok, warn } from './finding.ts'

interface Workers {
  readonly workers: number
  /** Cores that this process may use. */
  readonly cores: number
  /** A server that a transaction pooler is in front of takes the pooler's connections. */
  readonly isPooled: boolean
}

/** Looks whether the machine and the database have room for the workers. Nothing for a process that serves by itself. */
export async function checkWorkers(
  { installation }: Pick<Store, 'installation'>,
  { workers, cores, isPooled }: Workers,
): Promise<readonly Finding[]> {
  if (workers === 1) return []
  const max = isPooled ? undefined : await installation.maxConnections()
  const needed = workers * connectionsPerProcess(workers)
  const findings = [
    ...(workers > cores
      ? [warn('workers', `WORKERS is ${workers}, and this process may use ${cores} cores: set WORKERS=auto`)]
      : []),
    ...(max !== undefined && needed > max
      ? [
          warn(
            'workers',
            `${workers} workers open up to ${needed} connections, and the PostgreSQL server takes ${max}: raise its max_connections, or set DATABASE_URL to a pooler`,
          ),
        ]
      : []),
  ]
  return findings.length > 0
    ? findings
    : [ok('workers', `${workers} processes share the port, with ${needed} connections to PostgreSQL at most`)]
}
