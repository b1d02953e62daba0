import { join } from 'node:path'
import type { JsonSchema } from '../packages/api/src/openapi/index.ts'
import {
  type ConsoleCall,
  type ConsoleContract,
  readContract,
} from '../tests/support/console/console-calls.ts'
import { type Arguments, argumentsOf, send } from '../tests/support/console/console-request.ts'
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

/** Reads that wait for another service, or whose response grows with their data. */
const unbounded = /\/channel\/(test|update_balance|fetch_models)|\/export|\/status\/release/

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
  for (const call of contract.calls.filter(isMeasured))
    for (const args of askings(contract, call)) timed.push(await timeOf(gateway, call, args))
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

function isMeasured({ method, path, access, responseKind, changes }: ConsoleCall): boolean {
  const isRead = method === 'GET' && !changes && responseKind !== 'stream'
  return isRead && access !== 'signature' && !unbounded.test(path)
}

const now = Math.floor(Date.now() / 1000)
const secondsPerDay = 86_400

/** Values that some rows have: what `fillLog` writes. */
const values: readonly (readonly [RegExp, string | number])[] = [
  [/^p$/, 50],
  [/^page_size$|^size$/, 100],
  [/^id$|^user_id$|^channel(_id)?$|^token_id$/, 500],
  [/^start/, now - 7 * secondsPerDay],
  [/^end/, now],
  [/^username$|^user$/, 'filled-user-500'],
  [/^token(_name)?$/, 'filled-token-700'],
  [/^model(_name)?$/, 'filled-model-7'],
  [/^group$/, 'filled-group-1'],
  [/^keyword$/, 'filled-user-50'],
  [/^type$/, 2],
]

/** Every way to ask a call: as it is, and with each thing that may be asked. */
function askings(contract: ConsoleContract, call: ConsoleCall): Arguments[] {
  const optional = call.parameters.filter(({ in: position, required }) => position === 'query' && !required)
  const isOptional = (name: string) => optional.some((parameter) => parameter.name === name)
  const all = [undefined, ...optional.map(({ name }) => name)].map((chosen) =>
    argumentsOf(contract, call, (name, shape) =>
      name === chosen || !isOptional(name) ? filledValue(name, shape) : undefined,
    ),
  )
  // What has no value that some row has is asked as if it were not.
  return [...new Map(all.map((args) => [args.target, args])).values()]
}

function filledValue(name: string, shape: JsonSchema): unknown {
  const [choice] = (shape['enum'] ?? []) as readonly unknown[]
  const value = choice ?? values.find(([pattern]) => pattern.test(name))?.[1]
  return value ?? (shape['type'] === 'boolean' ? true : undefined)
}

async function timeOf(gateway: Gateway, call: ConsoleCall, args: Arguments): Promise<Timed> {
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
