/**
 * Measures what nodes and their database cost: idle, with few and many ample accounts, with short ones. Writes `costs.json`, or the
 * file that its argument names, and prints the tables of docs/scaling.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../tests/support/postgres.ts'
import { startStaticUpstream } from '../nginx.ts'
import { bothCores, stopAll } from '../processes.ts'
import { runInSeconds } from '../requests.ts'
import { sized } from '../sized.ts'
import type { Costs } from './costs-type.ts'
import { ample, durable, loadFleet, short } from './figures.ts'
import { idleCosts, loadCosts } from './measure-costs.ts'
import { createMeter } from './meter.ts'
import { loadPaced, type PacedFigures } from './paced-load.ts'
import { costTable, needTable } from './scaling.ts'
import { addAccounts, type BenchFleet, startFleet } from './world.ts'

const nodes = 3
const idleSeconds = sized(10, 1)
const fewAccounts = 20
const calls = sized(15_000, 50)
/** No multiple of the number of nodes: each account goes to every node in turn. */
const manyAccounts = sized(2000, 25)
const shortAccounts = sized(5000, 25)
const rate = sized(1000, 50)
/** Every account is new to the node that gets the call. */
const coldRate = sized(300, 50)

const resultFile = process.argv[2] ?? join(import.meta.dir, 'costs.json')
const directory = mkdtempSync(join(tmpdir(), 'tollgate-costs-'))

async function measure(): Promise<Costs> {
  const postgres = await startPostgres(durable)
  try {
    const databaseUrl = await postgres.createDatabase()
    const upstream = await startStaticUpstream(directory, bothCores)
    const fleet = await startFleet({ directory, databaseUrl, upstream, size: nodes })
    const meter = await createMeter(fleet)
    const idle = await idleCosts(meter, nodes, idleSeconds)
    const bench = { meter, idle, nodes, written: () => written(fleet) }
    const few = await addAccounts(databaseUrl, fewAccounts, ample)
    const many = await addAccounts(databaseUrl, manyAccounts, ample)
    const scarce = await addAccounts(databaseUrl, shortAccounts, short)
    const paced = (keys: readonly string[], perSecond: number, calls: number) => () =>
      loadPaced({ urls: fleet.urls, keys, perSecond, seconds: calls / perSecond })
    await paced(few, rate / 2, sized(2000, 25))()
    const costs: Costs = {
      measured: new Date().toISOString().slice(0, 10),
      nodes,
      idle,
      few: await loadCosts(bench, few.length, paced(few, rate, calls)),
      cold: await loadCosts(bench, many.length, paced(many, coldRate, manyAccounts * nodes)),
      many: await loadCosts(bench, many.length, paced(many, rate, calls)),
      short: await loadCosts(bench, scarce.length, paced(scarce, rate, calls)),
      full: await loadCosts(bench, few.length, () => loadFull(fleet, few)),
    }
    await meter.close()
    await fleet.stop()
    return costs
  } finally {
    await postgres.stop()
  }
}

/** Loads the fleet with as many calls as the machine can serve. */
async function loadFull(fleet: BenchFleet, keys: readonly string[]): Promise<PacedFigures> {
  const seconds = sized(6, 1)
  const { perSecond, p50Ms, p99Ms } = await loadFleet(directory, fleet, keys, seconds)
  // The load runs in before it is timed.
  return { calls: Math.round(perSecond * (seconds + runInSeconds)), failed: 0, perSecond, p50Ms, p99Ms }
}

/** Reading the log has everything written first. */
async function written({ nodes: all }: BenchFleet): Promise<void> {
  for (const { api } of all) await api('GET', '/api/log/?p=1&page_size=1')
}

try {
  const costs = await measure()
  writeFileSync(resultFile, `${JSON.stringify(costs, undefined, 2)}\n`)
  process.stdout.write(`${costTable(costs)}\n\n${needTable(costs)}\n`)
} finally {
  await stopAll()
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
