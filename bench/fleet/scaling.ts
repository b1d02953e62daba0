import { visible } from './cores-table.ts'
import type { Costs, LoadCosts } from './costs-type.ts'
import { simulate } from './simulate.ts'

/** Need of a fleet at a rate, by the measured costs. */
export interface Need {
  readonly callsPerSecond: number
  readonly nodes: number
  readonly nodeCores: number
  readonly databaseCores: number
  readonly callsPerTransaction: number
  readonly rowsPerCall: number
  readonly transactionsPerSecond: number
  readonly walMegabytesPerSecond: number
  readonly logGigabytesPerDay: number
  readonly connections: number
  /** Cores of the database, for one call in twenty from a balance that is acquired call by call. */
  readonly shortCores: number
  /** Cores of the database, in the first seconds after one node has started: calls to any node, and to the node of their key. */
  readonly coldCores: number
  readonly coldCoresSticky: number
}

const rates = [1000, 10_000, 100_000] as const
/** A node whose event loop is busier than that lets calls wait. */
const busyShare = 0.6
const minNodes = 3
/** People that call within an hour, for each call in a second. */
const accountsPerCall = 10
const shortShare = 0.05
/** Pools of the calls and of the log pages, and the connections that listen and hold the node's lock. */
const maxConnections = 10 + 3 + 2
const secondsPerDay = 86_400

export function needOf(callsPerSecond: number, costs: Costs): Need {
  const perNode = (busyShare * 1e6) / costs.full.nodeUs
  const nodes = Math.max(minNodes, Math.ceil(callsPerSecond / perNode))
  const traffic = { callsPerSecond, nodes, accounts: accountsPerCall * callsPerSecond }
  const any = simulate({ ...traffic, sticky: false })
  const own = simulate({ ...traffic, sticky: true })
  const databaseUs = perRow(costs, (load) => load.databaseUs)(any.rowsPerCall)
  const walBytes = perRow(costs, (load) => load.walBytes)(any.rowsPerCall)
  const logBytes = Math.max(costs.few.logBytes, costs.many.logBytes, costs.full.logBytes)
  const coldCores = (perSecond: number) => (perSecond * costs.cold.databaseUs) / 1e6
  return {
    callsPerSecond,
    nodes,
    nodeCores: (callsPerSecond * nodeUsAt(callsPerSecond / nodes, costs)) / 1e6,
    databaseCores: (callsPerSecond * databaseUs) / 1e6,
    callsPerTransaction: any.group,
    rowsPerCall: any.rowsPerCall,
    transactionsPerSecond: any.groupsPerSecond + nodes * costs.idle.transactions,
    walMegabytesPerSecond: (callsPerSecond * walBytes + nodes * costs.idle.walBytes) / 1e6,
    logGigabytesPerDay: (callsPerSecond * logBytes * secondsPerDay) / 1e9,
    connections: nodes * maxConnections,
    shortCores: (callsPerSecond * shortShare * costs.short.databaseUs) / 1e6,
    coldCores: coldCores(any.coldPerSecond),
    coldCoresSticky: coldCores(own.coldPerSecond),
  }
}

/** A call costs less on a busier node: between the slow and the full load by the logarithm of the rate. */
function nodeUsAt(perNode: number, { nodes, few, full }: Costs): number {
  const slow = few.perSecond / nodes
  const fast = full.perSecond / nodes
  const share = Math.log(perNode / slow) / Math.log(fast / slow)
  return few.nodeUs + Math.min(1, Math.max(0, share)) * (full.nodeUs - few.nodeUs)
}

/** A cost as a straight line over the rows that a call writes, through the loads with the most and with the fewest rows. */
function perRow({ many, full }: Costs, cost: (load: LoadCosts) => number): (rows: number) => number {
  const slope = (cost(many) - cost(full)) / (rowsOf(many) - rowsOf(full))
  return (rows) => cost(full) + slope * (rows - rowsOf(full))
}

function rowsOf({ accountRows, shareRows, rollupRows }: LoadCosts): number {
  return accountRows + shareRows + rollupRows
}

const lines: readonly (readonly [string, (need: Need) => number, string])[] = [
  ['nodes', (need) => need.nodes, ''],
  ['cores of the nodes', (need) => need.nodeCores, ''],
  ['cores of PostgreSQL', (need) => need.databaseCores, ''],
  ['calls in a transaction', (need) => need.callsPerTransaction, ''],
  ['rows beside the log, per call', (need) => need.rowsPerCall, ''],
  ['transactions', (need) => need.transactionsPerSecond, '/s'],
  ['WAL', (need) => need.walMegabytesPerSecond, ' MB/s'],
  ['log', (need) => need.logGigabytesPerDay, ' GB/day'],
  ['connections at most', (need) => need.connections, ''],
  ['cores of PostgreSQL for 5 % short calls', (need) => need.shortCores, ''],
  ['cores of PostgreSQL while one node starts', (need) => need.coldCores, ''],
  ['the same with calls by key', (need) => need.coldCoresSticky, ''],
]

/** The needs at all rates, as a table of docs/scaling.md. */
export function needTable(costs: Costs): string {
  const needs = rates.map((rate) => needOf(rate, costs))
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const heads = ['Calls a second', ...rates.map((rate) => rate.toLocaleString('en'))]
  return [
    row(heads),
    `|${heads.map(() => '---').join('|')}|`,
    ...lines.map(([what, pick, unit]) =>
      row([what, ...needs.map((need) => `${visible(pick(need))}${unit}`)]),
    ),
  ].join('\n')
}

/** Writes the measured costs as a table of docs/scaling.md. */
export function costTable(costs: Costs): string {
  const loads = [costs.few, costs.many, costs.full, costs.cold, costs.short]
  const row = (what: string, pick: (load: LoadCosts) => number, unit = '') =>
    `| ${what} | ${loads.map((load) => `${visible(pick(load))}${unit}`).join(' | ')} |`
  return [
    '| | few accounts | many accounts | as fast as it goes | first calls | short balances |',
    '|---|---|---|---|---|---|',
    row('accounts', (load) => load.accounts),
    row('calls a second', (load) => load.perSecond),
    row('processor time of the node', (load) => load.nodeUs, ' µs'),
    row('processor time of PostgreSQL', (load) => load.databaseUs, ' µs'),
    row('WAL', (load) => load.walBytes, ' B'),
    row('transactions', (load) => load.transactions),
    row('notifications', (load) => load.notifications),
    row('rows of accounts and shares', (load) => load.accountRows + load.shareRows),
    row('rows of rollups and charges', (load) => load.rollupRows),
    row('log on disk, with indexes', (load) => load.logBytes, ' B'),
    row('connections per node', (load) => load.connectionsPerNode),
    row('p50', (load) => load.p50Ms, ' ms'),
    row('p99', (load) => load.p99Ms, ' ms'),
  ].join('\n')
}
