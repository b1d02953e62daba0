/**
 * Compares the server and the client of packages/http with the platform's: two bare relays in turn on the same core, calls of 64 callers
 * and streams of 500 at once. Processor time of the relay counts, and times do not: a loaded machine changes it little.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStaticUpstream } from './nginx.ts'
import { measuredCore, median, processorSeconds, startPinned, stopAll } from './processes.ts'
import { atMost, type Figure, table } from './report.ts'
import { load } from './requests.ts'
import { sized } from './sized.ts'
import { loadStreams, startStreamUpstream } from './streams.ts'

type Side = 'own' | 'platform'
type Costs = Readonly<Record<Side, readonly number[]>>

const rounds = sized(9, 1)
const seconds = sized(4, 1)
const streams = sized(500, 5)
const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))

interface Relay {
  readonly url: string
  readonly pid: number
}

async function startRelay(side: Side, upstream: string): Promise<Relay> {
  const env = { SIDE: side, UPSTREAM: upstream }
  const child = startPinned(measuredCore, [process.execPath, 'bench/http-relay.ts'], env)
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (data: Buffer) => resolve(String(data).trim())),
  )
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }
}

/**
 * Returns the processor time of each side in µs a unit of work, by round. Each side goes first every other time.
 * @param work loads a relay and returns how many units it did
 */
async function costsOf(upstream: string, work: (relay: Relay) => Promise<number>): Promise<Costs> {
  const relays = { own: await startRelay('own', upstream), platform: await startRelay('platform', upstream) }
  const costs: Record<Side, number[]> = { own: [], platform: [] }
  for (let round = 0; round <= rounds; round += 1)
    for (const side of round % 2 === 0 ? (['own', 'platform'] as const) : (['platform', 'own'] as const)) {
      const before = processorSeconds(relays[side].pid)
      const units = await work(relays[side])
      // The first round warms up.
      if (round > 0) costs[side].push(((processorSeconds(relays[side].pid) - before) / units) * 1e6)
    }
  return costs
}

function figureOf(what: string, { own, platform }: Costs): Figure {
  const ratio = median(own.map((cost, round) => cost / (platform[round] ?? 1)))
  const detail = `own ${median(own).toFixed(1)} µs, platform ${median(platform).toFixed(1)} µs`
  return atMost(what, ratio, 1, '', detail)
}

try {
  const upstream = await startStaticUpstream(directory)
  const calls = await costsOf(upstream, async ({ url }) =>
    Math.round((await load(directory, url, ['bench'], seconds)).perSecond * seconds),
  )
  const streaming = await startStreamUpstream()
  const events = await costsOf(streaming, async ({ url }) => {
    const figures = await loadStreams(url, 'bench', { streams })
    if (figures.failed > 0) throw new Error(`${figures.failed} streams failed`)
    return figures.events
  })
  const figures = [
    figureOf('Processor time a call, share of the platform', calls),
    figureOf('Processor time an event of a stream, share of the platform', events),
  ]
  console.log(table(figures))
} finally {
  await stopAll()
  rmSync(directory, { recursive: true, force: true })
}
