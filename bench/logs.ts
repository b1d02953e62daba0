import { join } from 'node:path'
import { fillLog } from './fill-log.ts'
import { addChannel, type Gateway, startGateway } from './gateway.ts'
import { startStaticUpstream } from './nginx.ts'
import { median } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { load } from './requests.ts'
import { sized } from './sized.ts'

const rows = Number(process.env['BENCH_LOG_ROWS'] ?? sized(5_000_000, 2000))
const repetitions = sized(5, 1)
const loadSeconds = sized(5, 1)
const loadRounds = sized(3, 1)
const loadConnections = 32

interface Page {
  readonly total: number
}

/** Calls the console makes on its log page and dashboard, common and nasty. */
async function readings(gateway: Gateway): Promise<readonly string[]> {
  const now = Math.floor(Date.now() / 1000)
  const { items, total } = await gateway.api<
    Page & { items: { username: string; token_name: string; model_name: string }[] }
  >('GET', '/api/log/?p=1&page_size=10')
  const { username = '', token_name = '', model_name = '' } = items[0] ?? {}
  const filters = [
    '',
    `&model_name=${model_name}`,
    `&username=${username}`,
    `&token_name=${encodeURIComponent(token_name)}`,
    '&channel=3',
    `&model_name=${model_name}&channel=3`,
    '&type=1',
    `&start_timestamp=${now - 86_400 * 3 - 1234}&end_timestamp=${now - 4321}`,
    `&model_name=${model_name}&username=${username}&start_timestamp=${now - 86_400 * 20 - 777}`,
  ]
  const pages = filters.map((filter) => `/api/log/?p=1&page_size=100${filter}`)
  const deep = [
    `/api/log/?p=${Math.floor(total / 200)}&page_size=100`,
    `/api/log/?p=${Math.floor(total / 100)}&page_size=100`,
  ]
  const charts = [
    '/api/data/?default_time=day',
    `/api/data/?default_time=day&username=${username}`,
    '/api/data/summary',
  ]
  return [...pages, ...deep, ...charts, ...filters.map((filter) => `/api/log/stat?${filter.slice(1)}`)]
}

/** Median time of each reading; the first is read once before, as a console that is open has done. */
async function slowest(gateway: Gateway): Promise<{ path: string; ms: number }> {
  let worst = { path: '', ms: 0 }
  for (const path of await readings(gateway)) {
    const times: number[] = []
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const start = performance.now()
      await gateway.api('GET', path)
      times.push(performance.now() - start)
    }
    const ms = median(times)
    if (ms > worst.ms) worst = { path, ms }
  }
  return worst
}

/** The relay's p99 while nothing else happens, and while log pages are read in a loop, in turn. */
async function underReading(
  directory: string,
  gateway: Gateway,
): Promise<{ without: number; during: number }> {
  const paths = await readings(gateway)
  const run = () => load(directory, gateway.url, [gateway.key], loadSeconds, { connections: loadConnections })
  await run()
  const without: number[] = []
  const during: number[] = []
  for (let round = 0; round < loadRounds; round += 1) {
    without.push((await run()).p99Ms)
    let reading = true
    const reader = (async () => {
      for (let turn = 0; reading; turn += 1) await gateway.api('GET', paths[turn % paths.length] ?? '')
    })()
    during.push((await run()).p99Ms)
    reading = false
    await reader
  }
  return { without: median(without), during: median(during) }
}

export async function logFigures(directory: string): Promise<Figure[]> {
  const dataDir = join(directory, 'logs')
  await (await startGateway(dataDir)).stop()
  await fillLog(dataDir, { rows })
  const gateway = await startGateway(dataDir)
  const upstream = await startStaticUpstream(join(directory, 'log-nginx'))
  await addChannel(gateway, 'static', upstream, 'gpt-4o-mini')
  const { path, ms } = await slowest(gateway)
  const { without, during } = await underReading(directory, gateway)
  await gateway.stop()
  return [
    atMost(`Slowest log page or statistic at ${rows.toLocaleString('en')} rows`, ms, 100, ' ms', path),
    atMost(
      'p99 of the relay while log pages are read in a loop, against without',
      during / without,
      1.5,
      '×',
      `${during.toFixed(1)} ms against ${without.toFixed(1)} ms`,
    ),
  ]
}
