import { fillLog } from '../../../bench/fill-log.ts'
import { fillPostgresLog } from '../../../bench/fill-log-postgres.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../operator.ts'
import { startTollgate } from '../server.ts'
import { readContract } from './console-calls.ts'
import { type ConsoleRead, everyRead, isExport, recordedExports } from './every-read.ts'
import { fillExported } from './fill-exported.ts'
import { type LoopTime, loopTimeBesideCalls, loopTimeOf } from './loop-time.ts'

/** Length of an export that is read: it goes on as it began. */
const exportedBytes = 4_000_000
const readMs = 120_000

export interface Filled {
  readonly rows: number
  readonly users: number
  readonly channels: number
}

/** Limits of a read, in milliseconds of the event loop's processor time. */
export interface LoopLimits {
  readonly sum: number
  /** Sum of an export, which grows with what it exports. */
  readonly exported: number
  readonly held: number
}

/** Further tries of a read that is over a limit: work that grows with the tables is in each of them, a collection of garbage is not. */
const maxTries = 8

/** Days over which the calls are spread on PostgreSQL, as they are by default on SQLite. */
const days = 30

/**
 * Measures what each read of the console costs the event loop over a filled log.
 * @param databaseUrl an empty PostgreSQL database; a file by default
 * @param isWanted chooses among the reads; all by default
 * @returns how many reads there are, and those over a limit in every try, by path and query
 */
export async function slowReadsOver(
  filled: Filled,
  limits: LoopLimits,
  databaseUrl?: string,
  isWanted: (read: ConsoleRead) => boolean = () => true,
): Promise<{ readonly reads: number; readonly slow: ReadonlyMap<string, LoopTime> }> {
  const gateway = await startTollgate({
    env: {
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      CRITICAL_RATE_LIMIT_ENABLE: 'false',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
  })
  try {
    const operator = await operate(gateway.url)
    const { key } = await operator.addKey()
    await gateway.kill()
    const until = Math.floor(Date.now() / 1000)
    if (databaseUrl === undefined) await fillLog(gateway.dataDir, filled)
    else await fillPostgresLog(databaseUrl, { ...filled, days, until })
    await fillExported(gateway.dataDir, databaseUrl)
    await gateway.start()
    const contract = await readContract(gateway.url)
    const reads = [...everyRead(contract), ...recordedExports(contract)].filter(isWanted)
    const slow = new Map<string, LoopTime>()
    for (const read of reads) {
      const response = () => receive(gateway.url + read.args.target, headersOf(read, operator, key), read)
      // One is enough for nearly all, but the small calls beside an export, which takes long, would be most of its sum. The first of a kind loads
      // code and fills what is remembered.
      let time = await (isExport(read.call) ? loopTimeOf : loopTimeBesideCalls)(gateway, response)
      for (let tries = 0; isOver(time, read, limits) && tries < maxTries; tries += 1)
        time = await loopTimeOf(gateway, response)
      if (isOver(time, read, limits)) slow.set(read.args.target, time)
    }
    return { reads: reads.length, slow }
  } finally {
    await gateway.stop()
  }
}

function isOver(
  { sumMs, heldMs }: LoopTime,
  { call }: ConsoleRead,
  { sum, exported, held }: LoopLimits,
): boolean {
  return heldMs > held || sumMs > (isExport(call) ? exported : sum)
}

function headersOf({ call }: ConsoleRead, { cookie, userId }: Operator, key: string) {
  return call.access === 'relay-key'
    ? { authorization: `Bearer ${key}` }
    : { cookie, 'New-Api-User': String(userId) }
}

async function receive(url: string, headers: Record<string, string>, { call }: ConsoleRead): Promise<void> {
  const aborting = new AbortController()
  const timeout = AbortSignal.timeout(deadline(readMs))
  const response = await fetch(url, { headers, signal: AbortSignal.any([aborting.signal, timeout]) })
  // What is refused for its rate is not read.
  if (response.status >= 500 || response.status === 429) throw new Error(`${url} answers ${response.status}`)
  let left = isExport(call) ? exportedBytes : Number.POSITIVE_INFINITY
  for await (const piece of response.body ?? []) {
    left -= piece.length
    if (left <= 0) break
  }
  aborting.abort()
}
