/**
 * Compares Tollgate with nginx in one run, on the same core, with every feature on. Ratios count, times do not.
 * Parts: requests, streams, bodies, metrics, scale, start, logs, console, tasks, fleet, workers (all by default; name some to run only those),
 * and `soak --minutes 60`, which runs where it is named.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bodyFigures } from './bodies.ts'
import { consoleFigures } from './console.ts'
import { fleetFigures } from './fleet/figures.ts'
import { addChannel, type Gateway, startGateway } from './gateway.ts'
import { logFigures } from './logs.ts'
import { metricsFigures } from './metrics.ts'
import { startProxy, startStaticUpstream } from './nginx.ts'
import { residentMegabytes, stopAll } from './processes.ts'
import { atLeast, atMost, type Figure, table } from './report.ts'
import { inTurns, load, loadGateway, medians, type Pair } from './requests.ts'
import { scaleFigure } from './scale.ts'
import { sized } from './sized.ts'
import { soakFigures } from './soak/soak.ts'
import { loadStreams, peakMemory, startStreamUpstream } from './streams.ts'
import { taskFigures } from './tasks.ts'
import { workerFigures } from './workers.ts'

const roundSeconds = Number(process.env['BENCH_SECONDS'] ?? sized(6, 1))
const rounds = Number(process.env['BENCH_ROUNDS'] ?? sized(5, 1))
const { positionals: requested, values: options } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: String(sized(60, 3)) } },
})
const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))

/** The gateway is started anew for each round: one process may be luckier with its memory than the next. */
async function requestFigures(): Promise<Figure[]> {
  const upstream = await startStaticUpstream(directory)
  const proxy = await startProxy(directory, upstream)
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) {
    const gateway = await startGateway(join(directory, `requests-${round}`))
    await addChannel(gateway, 'static', upstream, 'gpt-4o-mini')
    const ofRound = await inTurns(
      (seconds) => loadGateway(directory, gateway, [gateway.key], seconds),
      (seconds) => load(directory, proxy.url, [gateway.key], seconds),
      roundSeconds,
    )
    pairs.push(...ofRound)
    await gateway.stop()
  }
  const { a, b, ratio } = medians(pairs)
  const detail = `Tollgate ${Math.round(a.perSecond)}/s, p99 ${a.p99Ms.toFixed(1)} ms; nginx ${Math.round(b.perSecond)}/s, p99 ${b.p99Ms.toFixed(1)} ms`
  return [atLeast('Requests, share of nginx proxy_pass on one core', ratio, 0.25, detail)]
}

async function streamFigures(): Promise<Figure[]> {
  const upstream = await startStreamUpstream()
  const gateway = await startGateway(join(directory, 'streams'))
  await addChannel(gateway, 'streams', upstream, 'gpt-4o-mini')
  await loadStreams(gateway.url, gateway.key, { streams: sized(200, 10) })
  const straight = await loadStreams(upstream, 'none', { streams: sized(1000, 20) })
  const { result: through, peak } = await peakMemory(gateway.pid, () =>
    loadStreams(gateway.url, gateway.key, { streams: sized(1000, 20) }),
  )
  if (through.failed > 0 || straight.failed > 0) throw new Error('streams failed')
  const { before, after } = await abortedMemory(gateway)
  await gateway.stop()
  return [
    atMost(
      '1,000 streams of 50 events 40 ms apart, against straight from the upstream',
      through.ms / straight.ms,
      1.25,
      '×',
      `${Math.round(through.ms)} ms against ${Math.round(straight.ms)} ms`,
    ),
    atMost('Resident memory with 1,000 streams', peak, 200, ' MB'),
    atMost(
      'Memory after 20,000 aborted streams, against before',
      after / before,
      1.15,
      '×',
      `${before} → ${after} MB`,
    ),
  ]
}

/**
 * Most memory, in MB, while streams are aborted: before and after 20,000 of them. What was let go stays until it is looked
 * for, so memory goes up and down with every batch, and only its heights compare. The first batch loads the tokenizer.
 */
async function abortedMemory({ url, key, pid }: Gateway): Promise<{ before: number; after: number }> {
  const batch = () =>
    loadStreams(url, key, { streams: sized(250, 10), total: sized(5000, 20), abortAfter: 2 })
  const height = async () => {
    const { peak } = await peakMemory(pid, async () => [await batch(), await batch()])
    return peak
  }
  await batch()
  const before = await height()
  await batch()
  await batch()
  return { before, after: await height() }
}

async function startFigures(): Promise<Figure[]> {
  const dataDir = join(directory, 'start')
  await (await startGateway(dataDir)).stop()
  const gateway = await startGateway(dataDir)
  await Bun.sleep(sized(5000, 100))
  const idle = residentMegabytes(gateway.pid)
  await gateway.stop()
  return [
    atMost('Start to first answer with an existing database', gateway.startMs, 1000, ' ms'),
    atMost('Idle resident memory', idle, 120, ' MB'),
  ]
}

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  requests: requestFigures,
  streams: streamFigures,
  bodies: () => bodyFigures(directory),
  metrics: () => metricsFigures(directory, roundSeconds, rounds),
  scale: () => scaleFigure(directory, roundSeconds, rounds),
  start: startFigures,
  logs: () => logFigures(directory),
  console: () => consoleFigures(directory),
  tasks: () => taskFigures(directory),
  fleet: () => fleetFigures(directory, roundSeconds),
  workers: () => workerFigures(directory, roundSeconds),
  soak: () => soakFigures(directory, Number(options.minutes)),
}
/** The parts that last as long as somebody wants. */
const unbounded = new Set(['soak'])

function runs(part: string): boolean {
  if (requested.length > 0) return requested.includes(part)
  return !unbounded.has(part) || sized(0, 1) === 1
}

async function main(): Promise<void> {
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (!runs(name)) continue
    process.stderr.write(`${name} …\n`)
    figures.push(...(await measure()))
  }
  process.stdout.write(`${table(figures)}\n`)
}

try {
  await main()
} finally {
  await stopAll()
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
