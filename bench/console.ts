import { join } from 'node:path'
import { readContract } from '../tests/support/console/console-calls.ts'
import { send } from '../tests/support/console/console-request.ts'
import { type ConsoleRead, everyRead, isExport } from '../tests/support/console/every-read.ts'
import { fillLog } from './fill-log.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { median } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { sized } from './sized.ts'

const rows = Number(process.env['BENCH_LOG_ROWS'] ?? sized(5_000_000, 2000))
const users = sized(100_000, 50)
const channels = sized(1_000, 10)
const repetitions = sized(5, 1)
const barMs = 20
const visible = 10

interface Timed {
  readonly what: string
  readonly ms: number
}

/** Median time of every read of the console, with each of its filters in turn, on a large SQLite store. */
export async function consoleFigures(directory: string): Promise<Figure[]> {
  const dataDir = join(directory, 'console')
  await (await startGateway(dataDir)).stop()
  await fillLog(dataDir, { rows, users, channels })
  const gateway = await startGateway(dataDir)
  const contract = await readContract(gateway.url)
  const timed: Timed[] = []
  for (const read of everyRead(contract)) if (!isExport(read.call)) timed.push(await timeOf(gateway, read))
  await gateway.stop()
  const slowest = timed.toSorted((a, b) => b.ms - a.ms)
  for (const { what, ms } of slowest.slice(0, visible))
    process.stderr.write(`  ${ms.toFixed(1).padStart(8)} ms  ${what}\n`)
  const [first] = slowest
  return [
    atMost(
      `Slowest of ${timed.length} console reads at ${users.toLocaleString('en')} users, ${channels.toLocaleString('en')} channels, ${rows.toLocaleString('en')} log rows`,
      first?.ms ?? 0,
      barMs,
      ' ms',
      first?.what,
    ),
  ]
}

async function timeOf(gateway: Gateway, { call, args }: ConsoleRead): Promise<Timed> {
  const headers = call.access === 'relay-key' ? { authorization: `Bearer ${gateway.key}` } : gateway.headers
  const times: number[] = []
  // The first is not counted, as for a console that is open.
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    const start = performance.now()
    const { status } = await send(gateway.url, call, args, headers)
    if (status >= 500) throw new Error(`${call.name} answers ${status}`)
    if (repetition > 0) times.push(performance.now() - start)
  }
  return { what: `${call.method} ${args.target}`, ms: median(times) }
}
