import { join } from 'node:path'
import { startPostgres } from '../../tests/support/postgres.ts'
import { startStaticUpstream } from '../nginx.ts'
import { bothCores } from '../processes.ts'
import { atLeast, type Figure } from '../report.ts'
import { inTurns, loadGateway, medians, type RequestFigures } from '../requests.ts'
import { sized } from '../sized.ts'
import { loadPaced } from './paced-load.ts'
import { addAccounts, type BenchFleet, startFleet } from './world.ts'

/** Settings of one's own server: nothing committed is lost with the power. */
export const durable = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB', max_wal_size: '4GB' }
export const ample = 10_000_000_000
/** A call costs 56 and reserves some 280: such a balance is asked for call by call. */
export const short = 2000
const connections = 63
const shortAccounts = sized(10_000, 50)
const shortRate = sized(1000, 20)
const shortSeconds = sized(30, 1)

/** Three nodes and PostgreSQL on two cores, against one; and many balances that no node may hold ahead. */
export async function fleetFigures(directory: string, roundSeconds: number): Promise<Figure[]> {
  const postgres = await startPostgres(durable)
  try {
    const upstream = await startStaticUpstream(directory, bothCores)
    const start = async (name: string, size: number) =>
      startFleet({
        directory: join(directory, name),
        databaseUrl: await postgres.createDatabase(),
        upstream,
        size,
      })
    const one = await start('one', 1)
    const three = await start('three', 3)
    const figures = [await shareOfOne(directory, one, three, roundSeconds), await shortFigure(three)]
    await one.stop()
    await three.stop()
    return figures
  } finally {
    await postgres.stop()
  }
}

async function shareOfOne(
  directory: string,
  one: BenchFleet,
  three: BenchFleet,
  roundSeconds: number,
): Promise<Figure> {
  const loadOf = async (fleet: BenchFleet) => {
    const keys = await addAccounts(fleet.databaseUrl, 50, ample)
    return (seconds: number) => loadFleet(directory, fleet, keys, seconds)
  }
  const pairs = await inTurns(await loadOf(three), await loadOf(one), roundSeconds)
  const { a, b, ratio } = medians(pairs)
  const detail = `${Math.round(a.perSecond)} against ${Math.round(b.perSecond)}/s, p99 ${a.p99Ms.toFixed(0)} against ${b.p99Ms.toFixed(0)} ms`
  return atLeast('Three nodes with PostgreSQL on two cores, against one', ratio, 0.9, detail)
}

/** Loads a fleet with as many calls as the machine can serve, each node with its part of the connections. */
export async function loadFleet(
  directory: string,
  { nodes }: BenchFleet,
  keys: readonly string[],
  seconds: number,
): Promise<RequestFigures> {
  const position = { connections: connections / nodes.length, core: bothCores }
  const each = await Promise.all(nodes.map((node) => loadGateway(directory, node, keys, seconds, position)))
  const limit = (pick: (figures: RequestFigures) => number) => Math.max(...each.map(pick))
  return {
    perSecond: each.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50Ms: limit(({ p50Ms }) => p50Ms),
    p99Ms: limit(({ p99Ms }) => p99Ms),
  }
}

async function shortFigure({ databaseUrl, urls }: BenchFleet): Promise<Figure> {
  const keys = await addAccounts(databaseUrl, shortAccounts, short)
  const { perSecond, failed, p50Ms, p99Ms } = await loadPaced({
    urls,
    keys,
    perSecond: shortRate,
    seconds: shortSeconds,
  })
  if (failed > 0) throw new Error(`${failed} calls of short accounts failed`)
  const detail = `${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`
  const what = '10,000 short accounts on three nodes, share of 1,000 calls a second served'
  return atLeast(what, perSecond / shortRate, 0.99, detail)
}
