import { join } from 'node:path'
import { startPostgres } from '../tests/support/postgres.ts'
import { durable } from './fleet/figures.ts'
import { type Machine, meet, startMachine } from './fleet/machine.ts'
import { startStaticUpstream } from './nginx.ts'
import { bothCores, familySeconds, loadCore, measuredCore, median, residentMegabytes } from './processes.ts'
import { atLeast, atMost, type Figure } from './report.ts'
import { load, runInSeconds } from './requests.ts'

const counts = [1, 2]
/** Connections for each worker, whose own number of them is drawn at random. */
const connectionsEach = 16
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

/** Two workers on the two cores of this machine against one, with PostgreSQL, upstream and load beside them. `bench:cores` has more of them. */
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
  const lines = measured.map(({ workers, microseconds }) => `${workers}: ${microseconds.toFixed(0)} µs`)
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
  const { directory, name, workers: count, core, upstream, roundSeconds } = run
  const machine = await startMachine({
    directory: join(directory, `workers-${name}`),
    databaseUrl: await run.createDatabase(),
    upstream,
    workers: count,
    core,
  })
  const { gateway, keys } = machine
  const idle = memoryOf(machine)
  const position = {
    connections: Math.max(64, connectionsEach * count),
    core: core === bothCores ? core : loadCore,
  }
  await meet(machine)
  await load(directory, gateway.url, keys, runInSeconds, position)
  const before = familySeconds(gateway.pid)
  const { perSecond } = await load(directory, gateway.url, keys, roundSeconds, position)
  const seconds = familySeconds(gateway.pid) - before
  const loaded = memoryOf(machine)
  const supervisor = residentMegabytes(gateway.pid)
  await gateway.stop()
  process.stderr.write(`${count} workers on cores ${core}: ${Math.round(perSecond)}/s\n`)
  return {
    workers: count,
    perSecond,
    microseconds: (seconds / (perSecond * roundSeconds)) * 1e6,
    idle,
    loaded,
    supervisor,
  }
}

/** Memory of the worker in the middle. */
function memoryOf({ workers }: Machine): number {
  return median(workers.map(residentMegabytes))
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
