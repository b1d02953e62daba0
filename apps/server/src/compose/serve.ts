import { join } from 'node:path'
import { createTokenCounting } from '../billing/token-counting.ts'
import type { Config } from '../config.ts'
import { type Application, createApplication } from '../http/app.ts'
import { createClientAddresses } from '../http/client-address.ts'
import { createGuard } from '../http/console/guard.ts'
import { consoleError } from '../http/error-response.ts'
import { createReadiness } from '../http/readiness.ts'
import { createRequestIds } from '../http/request-id.ts'
import { createStaticFiles } from '../http/static.ts'
import { createScheduler } from '../jobs/scheduler.ts'
import { sessionJob } from '../jobs/session-job.ts'
import { createHttpClient } from '../lib/http-client/http-client.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { createDeadlines } from '../relay/deadlines.ts'
import { createInFlight } from '../relay/in-flight.ts'
import { createUpstreamClient, hasEnvironmentProxy } from '../relay/upstream-client.ts'
import { composeChannels } from './channels.ts'
import { type ConsoleEdge, composeConsole } from './console.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import { composeRelay, type RelayRuntime } from './relay.ts'

/** A gateway that takes calls. */
export interface RunningGateway {
  readonly url: string
  /** Takes no new calls, lets those in flight end within their time, writes the books, and closes everything. */
  stop(): Promise<void>
}

/** The port cannot be listened on: one sentence for the terminal. */
class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Bodies are bounded by the relay and the console themselves, which answer in their callers' shapes. */
const noRuntimeBodyLimit = Number.MAX_SAFE_INTEGER

function consoleEdge({ accounts, config, clock }: Foundation): ConsoleEdge {
  return {
    guard: createGuard(accounts),
    addresses: createClientAddresses(config.TRUSTED_PROXIES),
    nextRequestId: createRequestIds(clock),
  }
}

function listen(config: Config, application: Application, logger: Logger): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port: config.PORT,
      hostname: config.HOST,
      // The runtime's page for a fault shows source and stack to whoever caused it.
      development: false,
      // Said aloud, because without the development mode Bun lets a second process listen on the same port.
      reusePort: false,
      // For connections that nobody answers for; the relay exempts the calls that it has admitted.
      idleTimeout: config.IDLE_TIMEOUT,
      maxRequestBodySize: noRuntimeBodyLimit,
      fetch: (request, server) => application(request, server),
      error(error) {
        logger.error({ err: error }, 'a request failed outside its handler')
        const { status, body } = consoleError(error, 'en')
        return Response.json(body, { status })
      },
    })
  } catch (error) {
    const reason =
      (error as { code?: string }).code === 'EADDRINUSE'
        ? 'is in use: choose another with PORT'
        : 'cannot be listened on'
    throw new ListenError(`port ${config.PORT} ${reason}`, { cause: error })
  }
}

/** An address that can be opened: "all interfaces" is none. */
function shownUrl({ url, port }: Bun.Server<undefined>): string {
  return url.hostname === '0.0.0.0' || url.hostname === '[::]' ? `http://localhost:${port}` : url.origin
}

/** Opens everything and starts to listen. Throws errors whose message is one line for the operator. */
export async function serve(
  config: Config,
  version: string,
  consoleDirectory: string,
): Promise<RunningGateway> {
  const logger = createLogger(config.LOG_LEVEL)
  const base = await openFoundation(config, logger, version)
  try {
    return await startServing(base, consoleDirectory)
  } catch (error) {
    await base.close()
    throw error
  }
}

async function startServing(base: Foundation, consoleDirectory: string): Promise<RunningGateway> {
  const { config, clock, logger, store } = base
  const channels = await composeChannels(base)
  const edge = consoleEdge(base)
  const client = createHttpClient(clock)
  const runtime: RelayRuntime = {
    counting: createTokenCounting({ logger }),
    deadlines: createDeadlines(clock),
    watches: createDeadlines(clock, watchSweepMs),
    inFlight: createInFlight(),
    upstreams: createUpstreamClient({ client, isProxied: hasEnvironmentProxy(process.env) }),
  }
  let stopping = false
  const console = composeConsole(base, channels, edge)
  const server = listen(
    config,
    createApplication({
      relayEdge: composeRelay(base, channels, edge, runtime),
      console: (request, bindings) => console.fetch(request, bindings),
      readiness: createReadiness({
        ping: () => store.ping(),
        admitting: base.admitting,
        stopping: () => stopping,
      }),
      pages: createStaticFiles(join(consoleDirectory)),
    }),
    logger,
  )
  const scheduler = createScheduler([...channels.jobs, sessionJob(base.accounts.sessions)], logger)
  scheduler.start()
  return {
    url: shownUrl(server),
    async stop() {
      if (stopping) return
      stopping = true
      const closed = server.stop()
      await runtime.inFlight.drain(config.SHUTDOWN_TIMEOUT * 1000)
      await Promise.race([closed, Bun.sleep(lastBytesMs)])
      await server.stop(true)
      await scheduler.stop()
      channels.directory.close()
      runtime.deadlines.close()
      runtime.watches.close()
      client.close()
      await runtime.counting.close()
      await base.close()
    },
  }
}

const watchSweepMs = 20

/** How long settled answers may take to reach their callers after the last call has ended. */
const lastBytesMs = 2000
