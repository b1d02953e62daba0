import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const seat = z.object({
  number: z.int().min(1),
  count: z.int().min(1),
  sockets: z.array(z.int()),
  metricsSockets: z.array(z.int()),
  isLent: z.boolean(),
  startedAt: z.int(),
})

/** The facts that a worker knows of its machine from its start. */
export interface Seat {
  /** Number of the worker, from 1 on: that of its folder. */
  readonly number: number
  /** Workers that serve together. */
  readonly count: number
  /** Descriptors of the sockets to accept from. */
  readonly sockets: readonly number[]
  /** Those of `METRICS_LISTEN`, which all workers share. */
  readonly metricsSockets: readonly number[]
  /** The sockets belong to the service manager: they outlive the supervisor too. */
  readonly isLent: boolean
  /** Start of the supervisor, in Unix seconds. */
  readonly startedAt: number
}

const variable = 'TOLLGATE_WORKER'

/** The environment of a worker. */
export function environmentOf(of: Seat): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(of) }
}

/** Reads whether this process is a worker, and forgets the variable that says so. */
export function takeSeat(environment: Record<string, string | undefined>): Seat | undefined {
  const text = environment[variable]
  delete environment[variable]
  return text === undefined ? undefined : seat.parse(JSON.parse(text))
}

const foldersName = 'workers'

/** Returns where the folders of workers are. */
function workerFolders(dataDir: string): string {
  return join(dataDir, foldersName)
}

/** Numbers of the workers that ever had a folder here. */
export function workersIn(dataDir: string): readonly number[] {
  const folder = workerFolders(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .toSorted((one, other) => one - other)
}

/** Names the file in which the workers of a machine tell each other what they hold in memory. */
export function bytesFile(dataDir: string): string {
  return join(workerFolders(dataDir), 'bytes')
}

/** The folder that a worker has for itself; everything else of the data folder is the machine's. */
export function workerFolder(dataDir: string, number: number): string {
  return join(workerFolders(dataDir), String(number))
}
