/**
 * Measures what more workers cost each other, on a machine of few cores: workers that each have a small part of a core, and as many
 * gateways that have nothing to do with each other. Writes `cores.json`, or the file that `--file` names, and prints the tables of
 * docs/scaling.md. Numbers of workers as arguments have these alone measured; the other rows of the file stay.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Postgres, startPostgres } from '../../tests/support/postgres.ts'
import { startStaticUpstream } from '../nginx.ts'
import { measuredCore, median, processorSeconds, stopAll, wakeupsOf } from '../processes.ts'
import { load as loadGateway, runInSeconds } from '../requests.ts'
import { sized } from '../sized.ts'
import { coreTable, growthTable } from './cores-table.ts'
import type { Cores, MachineCosts } from './cores-type.ts'
import costs from './costs.json'
import type { Costs } from './costs-type.ts'
import { durable } from './figures.ts'
import { type Machine, meet, startMachine } from './machine.ts'
import { idleCosts, loadCosts } from './measure-costs.ts'
import { createMeter, type Meter } from './meter.ts'
import type { PacedFigures } from './paced-load.ts'
import { openSlices, type Slices } from './processor-slices.ts'

const allCounts = sized(16, 2) === 16 ? [1, 2, 4, 8, 16] : [1, 2]
const share = 1 / 16
/** Connections for each worker, whose own number of them is drawn at random. */
const connectionsEach = 16
const seconds = sized(8, 1)
const idleSeconds = sized(6, 1)
/** Calls after which a worker has compiled what they run. */
const warmUpCalls = sized(20_000, 10)
/** An idle worker takes no more of a core. */
const idleShare = 0.02
const maxLooks = 10
const changes = sized(60, 3)
const scrapes = sized(20, 2)
/** A busy worker writes what it has gathered after so long. */
const writtenMs = 3000

/** The vacuum of an earlier machine's database would be taken for a cost of the next one. */
const server = { ...durable, max_connections: '300', autovacuum: 'off' }

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', default: join(import.meta.dir, 'cores.json') } },
})
const counts = positionals.length === 0 ? allCounts : positionals.map(Number)
const directory = mkdtempSync(join(tmpdir(), 'tollgate-cores-'))

interface Site {
  readonly postgres: Postgres
  /** An upstream beside the load. */
  readonly upstream: string
  readonly slices: Slices
}

async function measure(slices: Slices): Promise<Cores> {
  const postgres = await startPostgres(server)
  try {
    const upstream = await startStaticUpstream(directory)
    const site = { postgres, upstream, slices }
    let cores: Cores = { measured: today(), share, machines: formerMachines() }
    for (const workers of counts) {
      const machine = await sliced(site, workers)
      const others = cores.machines.filter((other) => other.workers !== workers)
      cores = { ...cores, machines: [...others, machine].toSorted((one, two) => one.workers - two.workers) }
      // A run takes many minutes, and what it has measured outlives a row that fails.
      writeFileSync(options.file, `${JSON.stringify(cores, undefined, 2)}\n`)
      process.stderr.write(`${workers} workers: ${machine.load.perSecond}/s\n`)
    }
    return cores
  } finally {
    await postgres.stop()
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function formerMachines(): readonly MachineCosts[] {
  if (positionals.length === 0 || !existsSync(options.file)) return []
  return (JSON.parse(readFileSync(options.file, 'utf8')) as Cores).machines
}

async function startWorkers({ postgres, upstream }: Site, name: string, workers: number) {
  const databaseUrl = await postgres.createDatabase()
  return startMachine({
    directory: join(directory, name),
    databaseUrl,
    upstream,
    workers,
    core: measuredCore,
  })
}

async function sliced(site: Site, workers: number): Promise<MachineCosts> {
  const apart = await gatewaysApart(site, workers)
  const machine = await startWorkers(site, `workers-${workers}`, workers)
  const meter = await createMeterOf(machine)
  await meet(machine)
  await warmUp([machine])
  const { idle, supervisorIdleMs } = await idleMachine(machine, meter)
  const change = await changeCosts(machine, meter, idle)
  const scrape = await scrapeCosts(machine)
  for (const pid of machine.workers) site.slices.limit(pid, share)
  await loadOf(machine, runInSeconds)
  const supervisedBefore = supervisorSeconds(machine)
  let used = 0
  const load = await loadCosts({ meter, nodes: workers, idle, written }, machine.keys.length, async () => {
    const metered = await meteredLoad([machine])
    used = metered.usedSeconds
    return loadedBy(metered.figures)
  })
  const supervised = supervisorSeconds(machine) - supervisedBefore
  await meter.close()
  site.slices.close()
  await machine.gateway.stop()
  return {
    workers,
    load,
    perProcessorSecond: Math.round(load.calls / used),
    apart,
    idle,
    supervisorMs: { idle: supervisorIdleMs, loaded: round((supervised * 1000) / seconds) },
    change,
    scrape,
  }
}

/** Measures so many gateways with a database each. */
async function gatewaysApart(site: Site, count: number): Promise<MachineCosts['apart']> {
  const machines: Machine[] = []
  for (let index = 0; index < count; index += 1)
    machines.push(await startWorkers(site, `apart-${count}-${index}`, 1))
  for (const machine of machines) await meet(machine)
  await warmUp(machines)
  for (const { gateway } of machines) site.slices.limit(gateway.pid, share)
  await loadAll(machines, runInSeconds)
  const { figures, usedSeconds } = await meteredLoad(machines)
  site.slices.close()
  for (const { gateway } of machines) await gateway.stop()
  const { calls, perSecond } = loadedBy(figures)
  return { perSecond: Math.round(perSecond), perProcessorSecond: Math.round(calls / usedSeconds) }
}

/** Has workers compile what calls need, and write and index all that they served meanwhile. */
async function warmUp(machines: readonly Machine[]): Promise<void> {
  const pids = machines.flatMap(({ workers }) => workers)
  for (let calls = 0; calls < warmUpCalls * pids.length; )
    calls += loadedBy(await loadAll(machines, sized(4, 1))).calls
  await written()
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const before = secondsOf(pids)
    await Bun.sleep(1000)
    if ((secondsOf(pids) - before) / pids.length <= idleShare) return
  }
}

function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processorSeconds(pid), 0)
}

function loadAll(machines: readonly Machine[], forSeconds: number): Promise<readonly PacedFigures[]> {
  return Promise.all(machines.map((machine) => loadOf(machine, forSeconds)))
}

/** Loads machines, and measures what their workers take of the processor meanwhile. */
async function meteredLoad(machines: readonly Machine[]) {
  const used = () => secondsOf(machines.flatMap(({ workers }) => workers))
  const before = used()
  const figures = await loadAll(machines, seconds)
  return { figures, usedSeconds: used() - before }
}

function loadedBy(figures: readonly PacedFigures[]): PacedFigures {
  const sum = (pick: (of: PacedFigures) => number) => figures.reduce((total, each) => total + pick(each), 0)
  const largest = (pick: (of: PacedFigures) => number) => Math.max(...figures.map(pick))
  return {
    calls: sum(({ calls }) => calls),
    failed: 0,
    perSecond: sum(({ perSecond }) => perSecond),
    p50Ms: largest(({ p50Ms }) => p50Ms),
    p99Ms: largest(({ p99Ms }) => p99Ms),
  }
}

async function idleMachine(machine: Machine, meter: Meter) {
  const { workers } = machine
  const startedAt = performance.now()
  const [wakeups, supervised] = [wakeupsOf(workers), supervisorSeconds(machine)]
  const idle = await idleCosts(meter, workers.length, idleSeconds)
  const passed = (performance.now() - startedAt) / 1000
  return {
    idle: { ...idle, wakeups: Math.round((wakeupsOf(workers) - wakeups) / passed / workers.length) },
    supervisorIdleMs: round(((supervisorSeconds(machine) - supervised) * 1000) / passed),
  }
}

/** Measures a change of an option, which every worker reads. */
async function changeCosts({ gateway, workers }: Machine, meter: Meter, idle: Costs['idle']) {
  const change = (index: number) =>
    gateway.api('PUT', '/api/option/', { key: 'SystemName', value: `Bench ${index}` })
  for (let index = 0; index < changes; index += 1) await change(index)
  const before = await meter.read()
  for (let index = 0; index < changes; index += 1) await change(changes + index)
  const after = await meter.read()
  const idleFor = ((after.at - before.at) / 1000) * workers.length
  const per = (used: number, idleMs: number) =>
    Math.round(((used - (idleMs / 1000) * idleFor) / changes) * 1e6)
  return {
    workersUs: per(after.nodeSeconds - before.nodeSeconds, idle.nodeMs),
    databaseUs: per(after.databaseSeconds - before.databaseSeconds, idle.databaseMs),
  }
}

async function scrapeCosts(machine: Machine) {
  const { workers } = machine
  for (let index = 0; index < scrapes; index += 1) await machine.scrape()
  const used = () => workers.reduce((sum, pid) => sum + processorSeconds(pid), 0) + supervisorSeconds(machine)
  const before = used()
  const times: number[] = []
  for (let index = 0; index < scrapes; index += 1) {
    const startedAt = performance.now()
    await machine.scrape()
    times.push(performance.now() - startedAt)
  }
  return { tookMs: round(median(times)), usedMs: round(((used() - before) * 1000) / scrapes) }
}

function createMeterOf({ databaseUrl, workers }: Machine): Promise<Meter> {
  return createMeter({ databaseUrl, nodes: workers.map((pid) => ({ pid })) })
}

function supervisorSeconds({ supervisor }: Machine): number {
  return supervisor === undefined ? 0 : processorSeconds(supervisor)
}

async function loadOf(
  { directory: folder, gateway, keys, workers }: Machine,
  forSeconds: number,
): Promise<PacedFigures> {
  const position = { connections: connectionsEach * workers.length, timeoutSeconds: 30 }
  const figures = await loadGateway(folder, gateway.url, keys, forSeconds, position)
  return { ...figures, calls: Math.round(figures.perSecond * forSeconds), failed: 0 }
}

const written = () => Bun.sleep(writtenMs)

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

const slices = openSlices()
if (slices === undefined)
  throw new Error(
    'this needs to limit processes to parts of a core: run it as root on Linux with control groups',
  )
try {
  const cores = await measure(slices)
  process.stdout.write(`${coreTable(cores, costs)}\n\n${growthTable(cores)}\n`)
} finally {
  await stopAll()
  slices.close()
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
