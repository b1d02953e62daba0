import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSharedPort, type SharedPort, takeInheritedSockets } from '@tollgate/http/server'
import { JournalInUseError } from '../billing/journal/errors.ts'
import { journalFolder, refuseServed } from '../billing/journal/open.ts'
import type { Config } from '../config.ts'
import { listenHost, visibleUrl } from '../lib/listen-address.ts'
import { createLogger } from '../lib/logger.ts'
import { isLocked } from '../store/engine/open/directory-lock.ts'
import { retainedFamilies } from '../telemetry/metrics/merged-families.ts'
import { createProcessMeter, supervisorFamilies } from '../telemetry/metrics/process-families.ts'
import type { Topic } from '../workers/messages.ts'
import { bytesFile } from '../workers/seat.ts'
import { createBytesPage } from '../workers/shared-bytes.ts'
import type { Entrance } from '../workers/steering.ts'
import { Supervisor } from '../workers/supervisor.ts'
import { openOrRefuse, portVariables } from './listen.ts'

/** A signal sent to a whole process group arrives twice; one that comes later is a person losing patience. */
const repeatedSignalMs = 1000

/**
 * Starts the workers of this machine and keeps them until a signal ends it; then the process ends. Rejects where the port cannot be had,
 * with one line for the operator.
 */
export async function supervise(config: Config, version: string): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL)
  refuseUsed(config)
  const port = openEntrance(config)
  const page = openPage(config)
  const meter = createProcessMeter()
  const supervisor: Supervisor = new Supervisor({
    count: config.workers,
    entrance: port.entrance,
    command: ownCommand(),
    environment: process.env,
    startedAt: Math.floor(Date.now() / 1000),
    ownStatement: (topic) =>
      topic === 'metrics' ? [...supervisorFamilies(supervisor), ...meter.read()] : undefined,
    retain: (topic: Topic, former, last) =>
      topic === 'metrics' ? retainedFamilies(former, last) : undefined,
    gone: (worker) => page.clear(worker),
    print: (line) => void process.stdout.write(`${line}\n`),
    logger,
  })
  heedSignals(supervisor)
  const code = await supervisor.start()
  if (code !== undefined) {
    await supervisor.stop()
    process.exit(code)
  }
  logger.info(
    { workers: config.workers, open: supervisor.open, version, url: visibleUrl(config.HOST, port.number) },
    'the workers of this machine serve',
  )
}

/** @throws JournalInUseError when a gateway runs over the data folder, with workers or by itself */
function refuseUsed({ dataDir }: Config): void {
  refuseServed(dataDir)
  if (isLocked(journalFolder(dataDir)))
    throw new JournalInUseError(`Another Tollgate process is using ${dataDir}`)
}

function openPage({ dataDir, workers }: Config) {
  const file = bytesFile(dataDir)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return createBytesPage(file, workers)
}

/** This program, as it was started; another file in its place is what the next worker runs. */
function ownCommand(): readonly string[] {
  const [, module = ''] = process.argv
  return Bun.isStandaloneExecutable ? [process.execPath, 'serve'] : [process.execPath, module, 'serve']
}

function openEntrance(config: Config): { readonly entrance: Entrance; readonly number: number } {
  const { workers, METRICS_LISTEN: metrics } = config
  const metricsSockets =
    metrics === undefined
      ? []
      : openOrRefuse({ ...metrics }, { host: 'METRICS_LISTEN', port: 'METRICS_LISTEN' }, () =>
          openSharedPort(metrics.hostname, metrics.port, 1),
        ).descriptors
  const lent = takeInheritedSockets(process.env, process.pid)
  if (lent.length > 0) {
    const sockets = Array.from({ length: workers }, () => lent)
    return { entrance: { sockets, metricsSockets, isLent: true }, number: config.PORT }
  }
  const address = { hostname: listenHost(config.HOST), port: config.PORT }
  const shared: SharedPort = openOrRefuse(address, portVariables, () =>
    openSharedPort(address.hostname, address.port, workers),
  )
  const sockets = shared.descriptors.map((descriptor) => [descriptor])
  const { steer } = shared
  return { entrance: { sockets, metricsSockets, isLent: false, steer }, number: shared.port }
}

function heedSignals(supervisor: Supervisor): void {
  let requestedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (requestedAt !== undefined) {
      if (now - requestedAt < repeatedSignalMs) return
      supervisor.kill()
      process.exit(1)
    }
    requestedAt = now
    void supervisor.stop().then((code) => process.exit(code))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => (process.stdin.isTTY ? stop() : void supervisor.reload()))
}
