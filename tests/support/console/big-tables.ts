import { fillLog } from '../../../bench/fill-log.ts'
import { type Operator, operate } from '../operator.ts'
import { startTollgate } from '../server.ts'
import { readContract } from './console-calls.ts'
import { type ConsoleRead, everyRead, isExport } from './every-read.ts'
import { type LoopTime, loopTimeOf } from './loop-time.ts'

/** Length of an export that is read: it goes on as it began. */
const exportedBytes = 4_000_000
const readMs = 120_000

export interface Filled {
  readonly rows: number
  readonly users: number
  readonly channels: number
}

/** Measures what each read of the console costs the event loop over a filled log, by its path and query. */
export async function loopTimesOver(filled: Filled): Promise<ReadonlyMap<string, LoopTime>> {
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  try {
    const operator = await operate(gateway.url)
    const { key } = await operator.addKey()
    await gateway.kill()
    await fillLog(gateway.dataDir, filled)
    await gateway.start()
    const times = new Map<string, LoopTime>()
    for (const read of everyRead(await readContract(gateway.url))) {
      const response = () => receive(gateway.url + read.args.target, headersOf(read, operator, key), read)
      // The first of a kind loads code and fills what is remembered.
      await response()
      times.set(read.args.target, await loopTimeOf(gateway, response))
    }
    return times
  } finally {
    await gateway.stop()
  }
}

function headersOf({ call }: ConsoleRead, { cookie, userId }: Operator, key: string) {
  return call.access === 'relay-key'
    ? { authorization: `Bearer ${key}` }
    : { cookie, 'New-Api-User': String(userId) }
}

async function receive(url: string, headers: Record<string, string>, { call }: ConsoleRead): Promise<void> {
  const aborting = new AbortController()
  const timeout = AbortSignal.timeout(readMs)
  const response = await fetch(url, { headers, signal: AbortSignal.any([aborting.signal, timeout]) })
  if (response.status >= 500) throw new Error(`${url} answers ${response.status}`)
  let left = isExport(call) ? exportedBytes : Number.POSITIVE_INFINITY
  for await (const piece of response.body ?? []) {
    left -= piece.length
    if (left <= 0) break
  }
  aborting.abort()
}
