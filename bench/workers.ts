import { join } from 'node:path'
import { startPostgres } from '../tests/support/postgres.ts'
import { ample, durable } from './fleet/figures.ts'
import { addAccounts, secret } from './fleet/world.ts'
import { addChannel, type Gateway, startGateway } from './gateway.ts'
import { startStaticUpstream } from './nginx.ts'
import {
  bothCores,
  childrenOf,
  familySeconds,
  loadCore,
  measuredCore,
  median,
  residentMegabytes,
} from './processes.ts'
import { atLeast, atMost, type Figure } from './report.ts'
import { callBody, load, runInSeconds } from './requests.ts'
import { sized } from './sized.ts'

const counts = process.env['BENCH_SMALL'] === undefined ? [1, 2, 4, 8, 16] : [1, 2]
/** Connections for each worker, whose own number of them is drawn at random. */
const connectionsEach = 16
const accounts = sized(50, 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 1)

/** Figures of a machine of so many workers. */
interface Measured {
  readonly workers: number
  readonly perSecond: number
  /** Processor time of all its processes for a call, in microseconds. */
  readonly microseconds: number
  /** Resident memory of its workers before any call, and after the load, and of the supervisor; in MB. */
  readonly idle: number
  readonly loaded: number
  readonly supervisor: number
}

/**
 * Workers on the two cores of this machine, with PostgreSQL, upstream and load beside them. Measured is the processor time of a call with each
 * number of workers. Derived are calls a second of as many cores as workers, with everything else on other machines: at least what the cores
 * are by that time, since more workers than cores each get few calls, which share less (docs/scaling.md); at most what they are by the time of
 * a call with two workers, which are busy. What sixteen cores do to each other's caches and memory is in neither.
 */
export async function workerFigures(directory: string, roundSeconds: number): Promise<Figure[]> {
  const postgres = await startPostgres({ ...durable, max_connections: '200' })
  try {
    const upstream = await startStaticUpstream(directory, bothCores)
    const oneCore = await startStaticUpstream(join(directory, 'one'), loadCore)
    const common = { directory, upstream, createDatabase: () => postgres.createDatabase(), roundSeconds }
    const alone = await measure({
      ...common,
      upstream: oneCore,
      core: measuredCore,
      workers: 1,
      name: 'core',
    })
    const measured: Measured[] = []
    for (const workers of counts) {
      const runs: Measured[] = []
      for (let round = 0; round < rounds; round += 1)
        runs.push(await measure({ ...common, core: bothCores, workers, name: `${workers}-${round}` }))
      measured.push(middleOf(runs))
    }
    return figuresOf(alone, measured)
  } finally {
    await postgres.stop()
  }
}

function figuresOf(alone: Measured, measured: readonly Measured[]): Figure[] {
  const [one] = measured
  const two = measured.find(({ workers }) => workers === 2)
  const last = measured.at(-1)
  if (one === undefined || two === undefined || last === undefined) throw new Error('nothing was measured')
  const onCores = (cores: number, microseconds: number) => Math.round((cores / microseconds) * 1e6)
  const lines = measured.map(
    ({ workers, microseconds, perSecond }) =>
      `${workers}: ${microseconds.toFixed(0)} µs, ${Math.round(perSecond)}/s here, derived ${onCores(workers, microseconds)} to ${onCores(workers, Math.min(two.microseconds, microseconds))}/s on ${workers} cores`,
  )
  return [
    atLeast(
      'Two workers on two cores that everything shares, against one process there',
      two.perSecond / one.perSecond,
      1,
      `${Math.round(two.perSecond)} against ${Math.round(one.perSecond)}/s; one process on a core of its own ${Math.round(alone.perSecond)}/s`,
    ),
    atMost(
      'Processor time of a call with two workers, against one process',
      two.microseconds / one.microseconds,
      1.1,
      '×',
      lines.join('; '),
    ),
    atMost(
      'Memory of a worker',
      last.idle,
      150,
      ' MB',
      `idle; ${last.loaded} MB after the load; the supervisor ${last.supervisor} MB`,
    ),
  ]
}

interface Run {
  readonly directory: string
  readonly name: string
  readonly createDatabase: () => Promise<string>
  readonly upstream: string
  readonly workers: number
  readonly core: string
  readonly roundSeconds: number
}

async function measure(run: Run): Promise<Measured> {
  const { directory, name, workers, core, upstream, roundSeconds } = run
  const databaseUrl = await run.createDatabase()
  const env = {
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: secret,
    WORKERS: String(workers),
    DRAIN_SECONDS: '0',
  }
  const gateway = await startGateway(join(directory, `workers-${name}`), env, core)
  await allServe(gateway, workers)
  await gateway.api('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ 'gpt-4o-mini': 1 }) })
  await addChannel(gateway, 'static', upstream, 'gpt-4o-mini')
  const keys = await addAccounts(databaseUrl, accounts, ample)
  const idle = memoryOf(gateway, workers)
  const position = {
    connections: Math.max(64, connectionsEach * workers),
    core: core === bothCores ? core : loadCore,
  }
  await meet(gateway.url, keys, workers)
  await load(directory, gateway.url, keys, runInSeconds, position)
  const before = familySeconds(gateway.pid)
  const { perSecond } = await load(directory, gateway.url, keys, roundSeconds, position)
  const seconds = familySeconds(gateway.pid) - before
  const loaded = memoryOf(gateway, workers)
  const supervisor = residentMegabytes(gateway.pid)
  await gateway.stop()
  process.stderr.write(`${workers} workers on cores ${core}: ${Math.round(perSecond)}/s\n`)
  return {
    workers,
    perSecond,
    microseconds: (seconds / (perSecond * roundSeconds)) * 1e6,
    idle,
    loaded,
    supervisor,
  }
}

/** Has every worker meet every key: a first call reads the database, and many at once would wait for each other for seconds. */
async function meet(url: string, keys: readonly string[], workers: number): Promise<void> {
  for (let call = 0; call < sized(4, 1) * workers; call += 1)
    for (let first = 0; first < keys.length; first += 10)
      await Promise.all(
        keys.slice(first, first + 10).map(async (key) => {
          const response = await fetch(`${url}/v1/chat/completions`, {
            method: 'POST',
            keepalive: false,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: callBody,
          })
          await response.text()
        }),
      )
}

async function allServe({ api }: Gateway, workers: number): Promise<void> {
  while ((await api<unknown[]>('GET', '/api/nodes')).length < workers) await Bun.sleep(100)
}

/** Memory of the worker in the middle. */
function memoryOf({ pid }: Gateway, workers: number): number {
  return median((workers === 1 ? [pid] : childrenOf(pid)).map(residentMegabytes))
}

function middleOf(runs: readonly Measured[]): Measured {
  const middle = (pick: (of: Measured) => number) => median(runs.map(pick))
  return {
    workers: middle(({ workers }) => workers),
    perSecond: middle(({ perSecond }) => perSecond),
    microseconds: middle(({ microseconds }) => microseconds),
    idle: middle(({ idle }) => idle),
    loaded: middle(({ loaded }) => loaded),
    supervisor: middle(({ supervisor }) => supervisor),
  }
}
