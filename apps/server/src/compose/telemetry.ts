import { type HttpServerOptions, type InboundRequest, replyByFetch } from '@tollgate/http/server'
import type { InFlight } from '../gateway/relay/in-flight.ts'
import type { CallObserver } from '../gateway/relay/observe.ts'
import { jsonReply, refusedRequest } from '../http/error-response.ts'
import { createMetricsEndpoint, metricsPath } from '../http/metrics-endpoint.ts'
import { certificateEndMs } from '../lib/certificate-end.ts'
import type { Logger } from '../lib/logger.ts'
import { lastBackupMs } from '../operations/backup/last-backup.ts'
import { createCallLog, joinObservers } from '../telemetry/call-log.ts'
import { exportedSignals } from '../telemetry/environment.ts'
import { createInstallationReader } from '../telemetry/installation.ts'
import { callFamilies } from '../telemetry/metrics/call-families.ts'
import { CallMeter } from '../telemetry/metrics/call-meter.ts'
import { exposition } from '../telemetry/metrics/exposition.ts'
import type { Family, ReadFamilies } from '../telemetry/metrics/family.ts'
import { gatewayFamilies } from '../telemetry/metrics/gateway-families.ts'
import { installationFamilies } from '../telemetry/metrics/installation-families.ts'
import { familiesOf, mergedFamilies } from '../telemetry/metrics/merged-families.ts'
import { createProcessMeter } from '../telemetry/metrics/process-families.ts'
import type { Machine } from '../workers/machine.ts'
import type { ChannelParts } from './channels.ts'
import { listenOrRefuse } from './listen.ts'
import { type AllServices, journalDirectory } from './services.ts'
import type { TaskParts } from './tasks.ts'
import type { UsageExportParts } from './usage-export.ts'

/** Parts by which others can monitor this node. */
export interface TelemetryParts {
  /** Absent where nobody watches calls. */
  readonly observer: CallObserver | undefined
  /** Counts what the relay refuses; absent without metrics. */
  readonly meter: CallMeter | undefined
  /** Serves `/metrics` at the gateway's own address; absent where nobody may see it there. */
  readonly endpoint: ((request: Request) => Promise<Response>) | undefined
  close(): Promise<void>
}

interface Watched {
  readonly usageExport: Pick<UsageExportParts, 'states'>
  readonly channels: Pick<ChannelParts, 'directory' | 'health'>
  readonly tasks: Pick<TaskParts, 'taskStore'>
  readonly inFlight: InFlight
}

/** Composes telemetry: counts nothing, and loads no library, that the environment does not request. */
export async function composeTelemetry(base: AllServices, watched: Watched): Promise<TelemetryParts> {
  const { config, logger } = base
  const { METRICS_TOKEN: token, METRICS_LISTEN: address } = config
  const signals = exportedSignals(config)
  const isScraped = token !== undefined || address !== undefined
  const { directory } = watched.channels
  const meter =
    isScraped || signals.metrics ? new CallMeter((model) => directory.snapshot.knowsModel(model)) : undefined
  if (meter !== undefined)
    watched.tasks.taskStore.subscribe(({ status, channelId, model, quota }) => {
      if (status === 'SUCCESS') meter.charged(channelId, model, quota)
    })
  const processMeter = meter && createProcessMeter()
  const installation = composeInstallation(base)
  const families = async (): Promise<readonly Family[]> => [
    ...(meter === undefined ? [] : callFamilies(meter)),
    ...(await gatewayFamilies(stateOf(base, watched))),
    ...installationFamilies(await installation(), base.clockWatch),
    ...(processMeter?.read() ?? []),
  ]
  const ofMachine = shareFamilies(base.machine, families)
  const serve = isScraped
    ? createMetricsEndpoint({ read: async () => exposition(await ofMachine()), token })
    : undefined
  const openTelemetry =
    signals.traces || signals.metrics ? await startOpenTelemetry(base, watched, families) : undefined
  const inherited = base.machine?.seat.metricsSockets ?? []
  const server = serve && address && listenForScrapes({ ...address, inherited }, serve, logger)
  const observers = [meter, openTelemetry?.observer, config.LOG_CALLS ? createCallLog(logger) : undefined]
  return {
    observer: joinObservers(observers.filter((observer) => observer !== undefined)),
    meter,
    endpoint: server === undefined ? serve : undefined,
    async close() {
      server?.cut()
      await server?.stop()
      if (meter !== undefined)
        await base.machine?.leave('metrics', await families().catch(() => callFamilies(meter)))
      processMeter?.close()
      await openTelemetry?.close()
    },
  }
}

/** Figures of all workers of this machine; of a process that serves by itself, its own. */
function shareFamilies(machine: Machine | undefined, own: ReadFamilies): ReadFamilies {
  if (machine === undefined) return own
  machine.respond('metrics', async () => await own())
  return async () => {
    const statements = await machine.gather('metrics')
    return mergedFamilies(statements.map(({ value }) => familiesOf(value)))
  }
}

function composeInstallation({ config, store, ledger, settings, clock }: AllServices) {
  const { dataDir } = config
  return createInstallationReader({
    store,
    dataDir,
    journalDirectory: journalDirectory(config),
    flushFault: () => ledger.figures.flushFault,
    lastBackupMs: () => lastBackupMs(dataDir),
    certificateEndMs: () => certificateEndMs(settings.current.ServerAddress),
    clock,
  })
}

function stateOf(base: AllServices, { channels, inFlight, usageExport }: Watched) {
  const { ledger, settings, store } = base
  return {
    version: base.version,
    ledger: () => ledger.figures,
    node: base.nodeState,
    callsInFlight: () => inFlight.count,
    nodes: () => base.fleet.nodes(),
    quotaPerUnit: () => settings.current.QuotaPerUnit,
    channels: () => channels.directory.snapshot.channels,
    health: (id: number) => channels.health.view(id),
    exports: usageExport.states,
    openTasks: () => store.tasks.openAccounts(),
  }
}

async function startOpenTelemetry(base: AllServices, { channels }: Watched, families: ReadFamilies) {
  const { startOpenTelemetry: start } = await import('../telemetry/traces/open-telemetry.ts')
  return start({ ...base, channel: (id) => channels.directory.snapshot.channel(id), families })
}

const idleMs = 120_000

function listenForScrapes(
  { hostname, port, inherited }: Pick<HttpServerOptions, 'hostname' | 'port' | 'inherited'>,
  serve: (request: Request) => Promise<Response>,
  logger: Logger,
) {
  const options = {
    hostname,
    port,
    ...(inherited !== undefined && { inherited }),
    idleMs,
    application: (inbound: InboundRequest) =>
      replyByFetch(inbound, (request) =>
        new URL(request.url).pathname === metricsPath ? serve(request) : new Response('', { status: 404 }),
      ),
    refusal: refusedRequest,
    fault(error: unknown) {
      logger.error(
        { err: error },
        'the metrics could not be collected for this scrape: report it with this entry',
      )
      return jsonReply(500, {})
    },
  }
  return listenOrRefuse(options, { host: 'METRICS_LISTEN', port: 'METRICS_LISTEN' })
}
