import { join } from 'node:path'
import { monotonicClock } from '@tollgate/base'
import { createHttpClient } from '@tollgate/http/client'
import {
  type Application,
  createByteBudget,
  type HttpServer,
  takeInheritedSockets,
} from '@tollgate/http/server'
import { Corrections } from '../billing/corrections/corrections.ts'
import { createTokenCounting } from '../billing/tokenizer/token-counting.ts'
import { drainingCallsText } from '../channels/manage/open-work.ts'
import type { Config } from '../config.ts'
import { createFailedCalls } from '../gateway/failed-calls/failed-calls.ts'
import type { AdmissionDependencies } from '../gateway/relay/admission.ts'
import { createContentFilter } from '../gateway/relay/content-filter.ts'
import { countRefusedKey } from '../gateway/relay/count-attempts.ts'
import { createInFlight } from '../gateway/relay/in-flight.ts'
import { createStoredResponses } from '../gateway/stored-responses/stored-responses.ts'
import { createApplication } from '../http/app.ts'
import { createGuard, createRelayKeys } from '../http/callers/guard.ts'
import { createClientAddresses } from '../http/client-address.ts'
import { consoleError, jsonReply, refusedRequest } from '../http/error-response.ts'
import { createReadiness } from '../http/readiness.ts'
import { createRequestIds } from '../http/request-id.ts'
import { createStaticFiles } from '../http/static.ts'
import { createTransportSecurity } from '../http/transport-security.ts'
import { createWebSocketBridge } from '../http/websocket-bridge.ts'
import { listenHost, visibleUrl } from '../lib/listen-address.ts'
import { createLogger } from '../lib/logger.ts'
import { hasEnvironmentProxy } from '../lib/outbound/environment-proxy.ts'
import { healthProblems } from '../operations/doctor/health-problems.ts'
import { expiryJob } from '../operations/jobs/expiry-job.ts'
import { fleetJobs } from '../operations/jobs/fleet-jobs.ts'
import {
  consoleViewJob,
  correctionJob,
  failedCallJob,
  keyAddressJob,
  secretJobs,
  spendJob,
  storedResponseJob,
} from '../operations/jobs/housekeeping-jobs.ts'
import { createJobLeases } from '../operations/jobs/job-leases.ts'
import { logJobs } from '../operations/jobs/log-jobs.ts'
import { pageCheckJob } from '../operations/jobs/page-check-job.ts'
import { quarterJob } from '../operations/jobs/quarter-job.ts'
import { createScheduler, type Job, type Scheduler } from '../operations/jobs/scheduler.ts'
import { flushBeforeReads } from '../records/logs/flush-before-reads.ts'
import { modelOptionsReader } from '../settings/model-options.ts'
import { saveSpend } from '../telemetry/statistics/spend.ts'
import { createTokenExchange } from '../upstream/credentials.ts'
import { Deadlines } from '../upstream/deadlines.ts'
import { createTransport } from '../upstream/transport.ts'
import { createUpstreams } from '../upstream/upstreams.ts'
import type { Machine } from '../workers/machine.ts'
import { composeAttempts } from './attempt-counts.ts'
import { composeChannels } from './channels.ts'
import { type ConsoleEdge, composeConsole } from './console.ts'
import { composeLimitCounts, drainMs, isFleet } from './fleet.ts'
import { composeIncidents } from './incidents.ts'
import { listenOrRefuse, portVariables } from './listen.ts'
import { composeReadiness, reportFitness } from './machine-readiness.ts'
import { leftJournalJob } from './node-journals.ts'
import { composeNotifications } from './notifications.ts'
import { composePeople } from './people.ts'
import { composeAdmission, composeRelay, type RelayRuntime } from './relay.ts'
import { type AllServices, openServices } from './services.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'
import { composeTasks } from './tasks.ts'
import { composeTelemetry } from './telemetry.ts'
import { composeUsageExport } from './usage-export.ts'

const megabyte = 1024 * 1024

/** A gateway that takes calls. */
export interface RunningGateway {
  readonly url: string
  readonly shutdown: Shutdown
  /** The secret of the first administrator, while there is none. */
  readonly setupCode: string | undefined
  /**
   * Resolves, with a sentence for the operator, when the gateway must stop: it admits no calls any more, and the caller
   * shuts it down.
   */
  readonly lost: Promise<Error>
}

function consoleEdge(
  { users, settings, config, clock, logger, nodeState }: AllServices,
  admission: AdmissionDependencies,
): ConsoleEdge {
  return {
    guard: createGuard({ ...users, relayKeys: createRelayKeys(admission) }),
    addresses: createClientAddresses({
      trustedProxies: config.TRUSTED_PROXIES,
      serverAddress: () => settings.current.ServerAddress,
      onUntrustedProxy: (peer) => logger.warn({ peer }, untrustedProxyWarning(peer)),
    }),
    nextRequestId: createRequestIds(clock),
    node: nodeState,
  }
}

function untrustedProxyWarning(peer: string): string {
  return `${peer} forwards requests, but is not trusted: lists of addresses and the audit log see ${peer} instead of the callers, who share limits. If it is your proxy, set TRUSTED_PROXIES=${peer} and let it send X-Forwarded-For`
}

function listen(
  { config, logger, machine, inherited }: AllServices & { readonly inherited: readonly number[] },
  application: Application,
  isProxy: (address: string) => boolean,
): HttpServer {
  const options = {
    hostname: listenHost(config.HOST),
    port: config.PORT,
    inherited,
    ...(machine !== undefined && { outlives: () => !machine.isEnding }),
    // For connections outside of a handler; admitted calls have the relay's deadlines.
    idleMs: config.IDLE_TIMEOUT * 1000,
    bodyBudget: createByteBudget(config.MAX_INFLIGHT_MB * 1024 * 1024, machine?.bytes('requests')),
    isProxy,
    application,
    refusal: refusedRequest,
    fault(error: unknown) {
      logger.error({ err: error }, 'a request failed before a handler took it: report it with this entry')
      const { status, body } = consoleError(error, 'en')
      return jsonReply(status, body)
    },
  }
  return listenOrRefuse(options, portVariables)
}

/** Opens everything and starts to listen. Throws errors whose message is one line for the operator. */
export async function serve(
  config: Config,
  version: string,
  consoleDirectory: string,
  machine?: Machine,
): Promise<RunningGateway> {
  const logger = createLogger(config.LOG_LEVEL, machine?.seat.number)
  const base = await openServices(config, logger, version, machine)
  try {
    return await startServing(base, consoleDirectory)
  } catch (error) {
    await base.close()
    throw error
  }
}

async function startServing(base: AllServices, consoleDirectory: string): Promise<RunningGateway> {
  const { config, logger } = base
  const client = createHttpClient({ connectTimeoutMs: config.CONNECT_TIMEOUT * 1000 })
  const upstreams = createUpstreams({
    transport: createTransport({
      client,
      isProxied: hasEnvironmentProxy(process.env),
      viaFetch: config.UPSTREAM_HTTP === 'fetch',
    }),
    tokens: createTokenExchange(),
    guard: base.outboundGuard,
    modelOptions: modelOptionsReader(base.settings, config.GEMINI_VISION_MAX_IMAGE_NUM),
  })
  const attempts = composeAttempts(base)
  const channels = await composeChannels(base, upstreams, attempts)
  const tasks = composeTasks(base, channels, upstreams)
  const notifications = await composeNotifications(base)
  const admission = composeAdmission(base)
  const edge = consoleEdge(base, admission)
  const limits = composeLimitCounts(base)
  const { failedCalls, corrections, jobs: ofRecords } = composeCallRecords(base)
  const runtime = await openRuntime(base, {
    limitCounts: limits.counts,
    admission: {
      ...admission,
      refused: (token, error) => countRefusedKey(token, error, attempts.counter),
    },
    attemptCounter: attempts.counter,
    upstreams,
    tasks,
    failedCalls,
  })
  const { inFlight } = runtime
  base.drainingCalls.text = () => drainingCallsText(channels.directory.snapshot, inFlight.countByChannel)
  const peopleJobs = await composePeople(base)
  const usageExport = await composeUsageExport(base)
  const telemetry = await composeTelemetry(base, {
    channels,
    usageExport,
    tasks,
    inFlight: runtime.inFlight,
  })
  const { incidents, jobs: incidentJobs } = composeIncidents(base, channels, attempts)
  const console = composeConsole(
    base,
    { channels, attempts, tasks, failedCalls, corrections, incidents },
    edge,
  )
  await base.fleet.listen({
    settings: base.settings,
    accountChanged: (kind, id) => base.ledger.accountChanged(kind, id),
  })
  const { users } = base
  // Nothing is awaited between listening and the signal handlers: who is served can also stop the process in good order.
  const setupCode = (await users.setup.isDone()) ? undefined : await users.setupCode.text()
  const inherited = base.machine?.seat.sockets ?? takeInheritedSockets(process.env, process.pid)
  const server = listen(
    { ...base, inherited },
    createApplication({
      relayEdge: composeRelay(base, channels, edge, { ...runtime, telemetry }),
      console: (request, bindings) => console.fetch(request, bindings),
      readiness: composeReadiness(
        createReadiness({
          ping: () => base.store.ping(),
          problems: () => healthProblems(base.store, base.ledger),
          node: base.nodeState,
          clockWatch: base.clockWatch,
        }),
        base.machine,
      ),
      metrics: telemetry.endpoint,
      pages: createStaticFiles(join(consoleDirectory)),
      transportSecurity: createTransportSecurity(base.settings, edge.addresses),
    }),
    edge.addresses.isTrustedProxy,
  )
  const scheduler = startJobs(base, [
    ...attempts.jobs,
    quarterJob({ quarters: base.store.quarters, clock: base.clock }),
    spendJob(() => saveSpend({ statistics: base.store.statistics, clock: base.clock })),
    pageCheckJob(base),
    ...channels.jobs,
    ...tasks.jobs,
    ...notifications.jobs,
    ...usageExport.jobs,
    ...peopleJobs,
    ...ofRecords,
    ...incidentJobs,
    leftJournalJob(base),
  ])
  const endReports = reportFitness(base.nodeState, base.machine)
  const shutdown = createShutdown({
    server,
    inFlight: runtime.inFlight,
    node: base.nodeState,
    drainMs: () => drainMs(config, inherited.length > 0, base.machine),
    limitMs: config.SHUTDOWN_TIMEOUT * 1000,
    logger,
    leave() {
      base.fleet.drain()
      // The one gateway of a database keeps what nobody else could use.
      if (isFleet(config)) base.ledger.leave()
      void scheduler.stop()
    },
    async close() {
      endReports()
      await scheduler.stop()
      await tasks.close()
      await channels.close()
      await runtime.webSockets.close()
      runtime.deadlines.close()
      client.close()
      await runtime.counting.close()
      await runtime.stored.flushed()
      await runtime.failedCalls.flushed()
      await limits.close()
      // Counts are not worth a shutdown that fails.
      await attempts
        .write()
        .catch((error: unknown) =>
          logger.warn(
            { err: error },
            'counts of attempts were not written at the stop and are lost: check the database',
          ),
        )
      await telemetry.close()
      await base.deliveries.stop()
      await notifications.close()
      await base.close()
    },
  })
  return {
    url: visibleUrl(config.HOST, server.port),
    shutdown,
    setupCode,
    lost: base.lost,
  }
}

type BuiltRuntime = Pick<
  RelayRuntime,
  'limitCounts' | 'admission' | 'attemptCounter' | 'upstreams' | 'tasks' | 'failedCalls'
>

/** Opens the parts that calls share while this process lives. */
async function openRuntime(base: AllServices, built: BuiltRuntime): Promise<Omit<RelayRuntime, 'telemetry'>> {
  const { config, store, logger } = base
  return {
    ...built,
    counting: createTokenCounting({ logger }),
    deadlines: new Deadlines(monotonicClock),
    inFlight: createInFlight(),
    webSockets: createWebSocketBridge(),
    contentFilter: await createContentFilter(base),
    stored: createStoredResponses({
      ...base,
      repository: store.storedResponses,
      maxConversationBytes: config.MAX_BODY_MB * megabyte,
      isAlone: () => base.fleet.nodes() === 1,
    }),
  }
}

/** Composes the work on calls after their end: failed ones are stored for a while, charges are corrected. */
function composeCallRecords(base: AllServices) {
  const { store, users, ledger } = base
  const failedCalls = createFailedCalls({ ...base, repository: store.failedCalls, users: users.directory })
  const usage = flushBeforeReads(store.usage, ledger)
  const corrections = new Corrections({ ...base, usage, leases: store.leases })
  return { failedCalls, corrections, jobs: [failedCallJob(failedCalls), correctionJob(corrections)] }
}

/** Runs the jobs of the parts, and those that keep the database in order. */
function startJobs(base: AllServices, ofParts: readonly Job[]): Scheduler {
  const { config, store, clock, logger } = base
  const isFit = () => base.clockWatch.isTrusted
  const leases = isFleet(config)
    ? createJobLeases({ leases: store.leases, node: base.node, logger, isFit })
    : undefined
  const jobs = [
    ...ofParts,
    storedResponseJob({ repository: store.storedResponses, clock }),
    expiryJob({ ...store, ...base.users, clock }),
    ...logJobs({
      usage: store.usage,
      retentionDays: () => base.settings.current.LogRetentionDays,
      clock,
      logger,
    }),
    ...secretJobs(base.rotation),
    keyAddressJob(base.keyAddresses),
    consoleViewJob(base.users.views),
    ...(isFleet(config) ? fleetJobs(store) : []),
  ]
  const scheduler = createScheduler(jobs, { logger, leases, isFit })
  scheduler.start()
  return scheduler
}
