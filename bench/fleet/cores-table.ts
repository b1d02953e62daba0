import type { Cores, MachineCosts } from './cores-type.ts'
import type { Costs } from './costs-type.ts'

/** Calls a second of a machine with a core for each worker, and what they need of PostgreSQL. */
export interface CoreNeed {
  readonly cores: number
  /** Rate that pays for everything that more workers cost each other here, the caches of one core included. */
  readonly atLeast: number
  /** Rate that pays only for what gateways with nothing in common do not cost each other. */
  readonly atMost: number
  readonly databaseCores: number
  readonly walMegabytesPerSecond: number
  readonly logTerabytesPerDay: number
  readonly connections: number
}

const secondsPerDay = 86_400

/**
 * Multiplies the calls that a busy node serves in a second of processor time by what the slices say of more workers. Other work on the
 * machine only slows a measurement down, so each is held against the best of as many or fewer workers, the lone worker among them.
 * What a call needs of PostgreSQL is that of a busy node: slices show no growth of it.
 */
export function coreNeeds({ machines }: Cores, { full }: Costs): readonly CoreNeed[] {
  return machines.map((machine, index) => {
    const fewer = machines.slice(0, index + 1)
    const linear = (machine.workers * 1e6) / full.nodeUs
    const atMost = linear * Math.min(1, shareOfApart(machine) / shareOfApart(machines[0] ?? machine))
    const atLeast = Math.min(atMost, linear * shareOfFewer(machine, fewer))
    return {
      cores: machine.workers,
      atLeast,
      atMost,
      databaseCores: (atMost * full.databaseUs) / 1e6,
      walMegabytesPerSecond: (atMost * full.walBytes) / 1e6,
      logTerabytesPerDay: (atMost * full.logBytes * secondsPerDay) / 1e12,
      connections: machine.load.connectionsPerNode * machine.workers,
    }
  })
}

/** Calls of workers against the best of as many or fewer, for the same processor time. */
function shareOfFewer({ perProcessorSecond }: MachineCosts, fewer: readonly MachineCosts[]): number {
  return perProcessorSecond / Math.max(...fewer.map((each) => each.perProcessorSecond))
}

/** Calls of workers against those of as many gateways that have nothing in common, for the same processor time. */
function shareOfApart({ perProcessorSecond, apart }: MachineCosts): number {
  return perProcessorSecond / apart.perProcessorSecond
}

/** Writes the calls a second by cores as a table of docs/scaling.md. */
export function coreTable(cores: Cores, costs: Costs): string {
  const needs = coreNeeds(cores, costs)
  const rounded = (value: number) => Math.round(value / 100) * 100
  return tableOf(
    needs.map(({ cores: count }) => (count === 1 ? '1 core' : `${count} cores`)),
    [
      ['calls a second, at least', needs.map((need) => visible(rounded(need.atLeast)))],
      ['calls a second, at most', needs.map((need) => visible(rounded(need.atMost)))],
      ['cores of PostgreSQL', needs.map((need) => visible(need.databaseCores))],
      ['WAL', needs.map((need) => `${visible(need.walMegabytesPerSecond)} MB/s`)],
      ['log', needs.map((need) => `${visible(need.logTerabytesPerDay)} TB/day`)],
      ['connections', needs.map((need) => visible(need.connections))],
    ],
  )
}

/** Writes what was measured of workers on small parts of a core as a table of docs/scaling.md. */
export function growthTable({ machines }: Cores): string {
  const row = (what: string, pick: (machine: MachineCosts) => number, unit = '') =>
    [what, machines.map((machine) => `${visible(pick(machine))}${unit}`)] as const
  return tableOf(
    machines.map(({ workers }) => (workers === 1 ? '1 worker' : `${workers} workers`)),
    [
      row('calls a second of all', ({ load }) => load.perSecond),
      row('of as many gateways apart', ({ apart }) => apart.perSecond),
      row('calls in a second of their processor time', ({ perProcessorSecond }) => perProcessorSecond),
      row('the same of gateways apart', ({ apart }) => apart.perProcessorSecond),
      row('workers, share of gateways apart', shareOfApart),
      row('processor time of a worker for a call', ({ load }) => load.nodeUs, ' µs'),
      row('processor time of PostgreSQL for a call', ({ load }) => load.databaseUs, ' µs'),
      row('transactions for a call', ({ load }) => load.transactions),
      row('idle: a worker in a second', ({ idle }) => idle.nodeMs, ' ms'),
      row('idle: PostgreSQL for it', ({ idle }) => idle.databaseMs, ' ms'),
      row('idle: transactions of it', ({ idle }) => idle.transactions),
      row('idle: its threads wake up, times', ({ idle }) => idle.wakeups),
      row('supervisor in a second, idle', ({ supervisorMs }) => supervisorMs.idle, ' ms'),
      row('supervisor in a second, under load', ({ supervisorMs }) => supervisorMs.loaded, ' ms'),
      row('a changed option: all workers', ({ change }) => change.workersUs, ' µs'),
      row('a changed option: PostgreSQL', ({ change }) => change.databaseUs, ' µs'),
      row('a scrape of metrics: all processes', ({ scrape }) => scrape.usedMs, ' ms'),
      row('a scrape of metrics takes', ({ scrape }) => scrape.tookMs, ' ms'),
    ],
  )
}

type Row = readonly [what: string, cells: readonly string[]]

function tableOf(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...heads]).replace('|  |', '| |'),
    `|${['', ...heads].map(() => '---').join('|')}|`,
    ...rows.map(([what, cells]) => line([what, ...cells])),
  ].join('\n')
}

/** Shows a figure with the digits that it is good for. */
export function visible(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString('en')
  return String(Number(value.toFixed(value < 1 ? 2 : 1)))
}
