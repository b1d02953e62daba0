import { join } from 'node:path'
import { addChannel, type Gateway, startGateway } from './gateway.ts'
import { startStaticUpstream } from './nginx.ts'
import { freePort, median, processorSeconds } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { loadGateway } from './requests.ts'
import { sized } from './sized.ts'

const turns = sized(6, 1)

/**
 * Measures the cost of metrics: two gateways on one core, loaded in turns, one of them scraped every second. Processor time per call of
 * all threads is compared, because other work on the machine changes rates and not that.
 */
export async function metricsFigures(
  directory: string,
  roundSeconds: number,
  rounds: number,
): Promise<Figure[]> {
  const upstream = await startStaticUpstream(directory)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const port = await freePort()
    const off = await startGateway(join(directory, `metrics-off-${round}`))
    const on = await startGateway(join(directory, `metrics-on-${round}`), { METRICS_LISTEN: String(port) })
    for (const gateway of [off, on]) {
      await addChannel(gateway, 'static', upstream, 'gpt-4o-mini')
      await perCall(directory, gateway, roundSeconds)
    }
    const scraping = setInterval(
      () => void fetch(`http://127.0.0.1:${port}/metrics`).then((r) => r.text()),
      1000,
    )
    for (let turn = 0; turn < turns; turn += 1) {
      const first = await perCall(directory, turn % 2 === 0 ? off : on, roundSeconds)
      const second = await perCall(directory, turn % 2 === 0 ? on : off, roundSeconds)
      ratios.push(turn % 2 === 0 ? second / first : first / second)
    }
    clearInterval(scraping)
    await off.stop()
    await on.stop()
  }
  const detail = `median of ${ratios.length}: ${ratios.map((ratio) => ratio.toFixed(3)).join(' · ')}`
  return [atMost('Processor time per call with metrics on, against off', median(ratios), 1.03, '×', detail)]
}

/** Seconds of processor time for a call. Calls of the run-in, and those written after the load, are among both. */
async function perCall(directory: string, gateway: Gateway, seconds: number): Promise<number> {
  const before = { spent: processorSeconds(gateway.pid), calls: await callsOf(gateway) }
  await loadGateway(directory, gateway, [gateway.key], seconds)
  const spent = processorSeconds(gateway.pid) - before.spent
  return spent / ((await callsOf(gateway)) - before.calls)
}

async function callsOf({ api }: Gateway): Promise<number> {
  return (await api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')).total
}
