import type { Costs, LoadCosts } from './costs-type.ts'
import type { Meter, Reading } from './meter.ts'
import type { PacedFigures } from './paced-load.ts'

/** Measures the costs of one of so many idle nodes in one second. */
export async function idleCosts(meter: Meter, nodes: number, seconds: number): Promise<Costs['idle']> {
  const before = await meter.read()
  await Bun.sleep(seconds * 1000)
  const after = await meter.read()
  const nodeSeconds = ((after.at - before.at) / 1000) * nodes
  const per = (pick: (reading: Reading) => number) => round((pick(after) - pick(before)) / nodeSeconds)
  return {
    nodeMs: round(per((reading) => reading.nodeSeconds) * 1000),
    databaseMs: round(per((reading) => reading.databaseSeconds) * 1000),
    walBytes: Math.round(per((reading) => reading.walBytes)),
    transactions: per((reading) => reading.transactions),
    notifications: per((reading) => reading.notifications),
  }
}

interface Measurement {
  readonly meter: Meter
  readonly nodes: number
  readonly idle: Costs['idle']
  /** Resolves when all calls are in the database. */
  readonly written: () => Promise<void>
}

/** Measures the costs of a call, without those of idle nodes. */
export async function loadCosts(
  { meter, nodes, idle, written }: Measurement,
  accounts: number,
  load: () => Promise<PacedFigures>,
): Promise<LoadCosts> {
  const before = await meter.read()
  const figures = await load()
  await written()
  const after = await meter.read()
  if (figures.failed > 0) throw new Error(`${figures.failed} calls failed`)
  const idleSeconds = ((after.at - before.at) / 1000) * nodes
  const per = (pick: (reading: Reading) => number, idlePerSecond: number) =>
    round((pick(after) - pick(before) - idlePerSecond * idleSeconds) / figures.calls)
  const rows = (tables: RegExp) => per((reading) => sumOf(reading.written, tables), 0)
  return {
    accounts,
    calls: figures.calls,
    perSecond: Math.round(figures.perSecond),
    connectionsPerNode: round(after.connections / nodes),
    p50Ms: round(figures.p50Ms),
    p99Ms: round(figures.p99Ms),
    nodeUs: Math.round(per((reading) => reading.nodeSeconds * 1e6, idle.nodeMs * 1000)),
    databaseUs: Math.round(per((reading) => reading.databaseSeconds * 1e6, idle.databaseMs * 1000)),
    walBytes: Math.round(per((reading) => reading.walBytes, idle.walBytes)),
    transactions: per((reading) => reading.transactions, idle.transactions),
    notifications: per((reading) => reading.notifications, idle.notifications),
    logBytes: Math.round(per((reading) => sumOf(reading.bytes, logTables), 0)),
    logRows: rows(/^logs/),
    accountRows: rows(/_accounts$/),
    rollupRows: rows(/^(usage_|ledger_charges)/),
    shareRows: rows(/^balance_shares$/),
  }
}

const logTables = /^log/

function sumOf(by: Readonly<Record<string, number>>, tables: RegExp): number {
  return Object.entries(by).reduce((sum, [name, value]) => (tables.test(name) ? sum + value : sum), 0)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
