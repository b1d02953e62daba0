import { replyByFetch, serveHttp } from '@tollgate/http/server'
import { jsonReply, refusedRequest } from '../http/error-response.ts'
import { createMetricsEndpoint, metricsPath } from '../http/metrics-endpoint.ts'
import type { Logger } from '../lib/logger.ts'
import type { InFlight } from '../relay/in-flight.ts'
import type { CallObserver } from '../relay/observe.ts'
import { createCallLog, joinObservers } from '../telemetry/call-log.ts'
import { exportedSignals } from '../telemetry/environment.ts'
import { callFamilies } from '../telemetry/metrics/call-families.ts'
import { CallMeter } from '../telemetry/metrics/call-meter.ts'
import { exposition } from '../telemetry/metrics/exposition.ts'
import type { ReadFamilies } from '../telemetry/metrics/family.ts'
import { gatewayFamilies } from '../telemetry/metrics/gateway-families.ts'
import { createProcessMeter } from '../telemetry/metrics/process-families.ts'
import type { ChannelParts } from './channels.ts'
import type { AllServices } from './services.ts'
import type { TaskParts } from './tasks.ts'
import type { UsageExportParts } from './usage-export.ts'

/** What others can watch of this node. */
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

/** Nothing is counted, and no library loaded, that the environment does not ask for. */
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
  const families: ReadFamilies = async () => [
    ...(meter === undefined ? [] : callFamilies(meter)),
    ...(await gatewayFamilies(stateOf(base, watched))),
    ...(processMeter?.read() ?? []),
  ]
  const serve = isScraped
    ? createMetricsEndpoint({ read: async () => exposition(await families()), token })
    : undefined
  const openTelemetry =
    signals.traces || signals.metrics ? await startOpenTelemetry(base, watched, families) : undefined
  const server = serve && address && listenForScrapes(address, serve, logger)
  const observers = [meter, openTelemetry?.observer, config.LOG_CALLS ? createCallLog(logger) : undefined]
  return {
    observer: joinObservers(observers.filter((observer) => observer !== undefined)),
    meter,
    endpoint: server === undefined ? serve : undefined,
    async close() {
      server?.cut()
      await server?.stop()
      processMeter?.close()
      await openTelemetry?.close()
    },
  }
}

function stateOf(base: AllServices, { channels, inFlight, usageExport }: Watched) {
  const { ledger, settings, store } = base
  return {
    version: base.version,
    ledger: () => ledger.figures,
    admitting: base.admitting,
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
  { hostname, port }: { readonly hostname: string; readonly port: number },
  serve: (request: Request) => Promise<Response>,
  logger: Logger,
) {
  return serveHttp({
    hostname,
    port,
    idleMs,
    application: (inbound) =>
      replyByFetch(inbound, (request) =>
        new URL(request.url).pathname === metricsPath ? serve(request) : new Response('', { status: 404 }),
      ),
    refusal: refusedRequest,
    fault(error) {
      logger.error({ err: error }, 'a scrape failed')
      return jsonReply(500, {})
    },
  })
}
