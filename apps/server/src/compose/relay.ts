import { randomUUID } from 'node:crypto'
import { monotonicClock, secondsOf } from '@tollgate/base'
import { anthropicMessages, type UpstreamErrorInfo } from '@tollgate/formats'
import { createAccountBodyBudgets } from '@tollgate/http/server'
import { createKeyUsage } from '../accounts/tokens/key-usage.ts'
import { createTokenDirectory } from '../accounts/tokens/token-directory.ts'
import type { TokenCounting } from '../billing/tokenizer/token-counting.ts'
import type { FailedCalls } from '../gateway/failed-calls/failed-calls.ts'
import type { AdmissionDependencies } from '../gateway/relay/admission.ts'
import { createCallMedia, createMediaFetcher } from '../gateway/relay/attempts/call-media.ts'
import { costFinder } from '../gateway/relay/charge/call-cost.ts'
import { Overruns } from '../gateway/relay/charge/overruns.ts'
import type { ContentFilter } from '../gateway/relay/content-filter.ts'
import type { AttemptCounter } from '../gateway/relay/count-attempts.ts'
import { createChatDialect } from '../gateway/relay/dialects/chat-dialect.ts'
import { createGeminiDialect } from '../gateway/relay/dialects/gemini-dialect.ts'
import { createOpenAiDialect } from '../gateway/relay/dialects/openai-dialect.ts'
import { createResponsesDialect } from '../gateway/relay/dialects/responses-dialect.ts'
import type { InFlight } from '../gateway/relay/in-flight.ts'
import { countChannelRefusals, countLimitRefusals } from '../gateway/relay/limits/count-refusals.ts'
import type { LimitCounts } from '../gateway/relay/limits/limit-counts.ts'
import { createModelRequestLimit } from '../gateway/relay/limits/model-request-limit.ts'
import { createChannelLimits, createRateLimit } from '../gateway/relay/limits/rate-limits.ts'
import type { RelayDependencies } from '../gateway/relay/relay-dependencies.ts'
import { Pings } from '../gateway/relay/response/pings.ts'
import { createKeyRotation } from '../gateway/relay/routing/key-rotation.ts'
import type { StoredResponses } from '../gateway/stored-responses/stored-responses.ts'
import { createCallBodies } from '../http/relay/call-bodies.ts'
import { createPlaygroundDoor } from '../http/relay/playground-door.ts'
import { createRelayEdge, type RelayEdge } from '../http/relay/relay-edge.ts'
import { createImageProxy } from '../http/relay/tasks/image-proxy.ts'
import type { WebSocketBridge } from '../http/websocket-bridge.ts'
import { createTickBatch } from '../lib/async/tick-batch.ts'
import { createSlidingWindow } from '../lib/sliding-window.ts'
import { modelOptionsReader } from '../settings/model-options.ts'
import type { Deadlines } from '../upstream/deadlines.ts'
import { createResponseMemory } from '../upstream/response-body/response-memory.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import type { ChannelParts } from './channels.ts'
import type { ConsoleEdge } from './console.ts'
import type { AllServices } from './services.ts'
import type { TaskParts } from './tasks.ts'
import type { TelemetryParts } from './telemetry.ts'

const megabyte = 1024 * 1024
/** Larger than any event a vendor sends (images in base64 among them). */
const maxFrameBytes = 16 * megabyte
const guardBytes = megabyte
/** Log rows per minute for a user's failed calls: failing costs nothing, and must not fill a disk. */
const loggedFailuresPerMinute = 120

export interface RelayRuntime {
  readonly admission: AdmissionDependencies
  readonly attemptCounter: AttemptCounter
  readonly counting: TokenCounting
  readonly deadlines: Deadlines
  readonly inFlight: InFlight
  readonly limitCounts: LimitCounts
  readonly contentFilter: ContentFilter
  readonly upstreams: Upstreams
  readonly webSockets: WebSocketBridge
  readonly stored: StoredResponses
  readonly failedCalls: FailedCalls
  readonly telemetry: Pick<TelemetryParts, 'observer' | 'meter'>
  readonly tasks: Pick<TaskParts, 'taskStore' | 'hashKey' | 'notifyCaller' | 'contents'>
}

/** Admission by key: of relayed calls, and of console calls that accept a key. */
export function composeAdmission(base: AllServices): AdmissionDependencies {
  const { store, bus, clock, ledger, vault, users } = base
  return {
    tokens: createTokenDirectory({ store, events: bus, vault, nowSeconds: secondsOf(clock) }),
    users: users.directory,
    ledger,
    nowSeconds: secondsOf(clock),
    presented: base.keyAddresses.note,
  }
}

function relayDependencies(
  base: AllServices,
  channels: ChannelParts,
  runtime: RelayRuntime,
): RelayDependencies {
  const { config, ledger, settings } = base
  const failures = createSlidingWindow({
    limit: loggedFailuresPerMinute,
    windowSeconds: 60,
    clock: monotonicClock,
  })
  return {
    deadlines: runtime.deadlines,
    upstreams: runtime.upstreams,
    modelOptions: modelOptionsReader(settings, config.GEMINI_VISION_MAX_IMAGE_NUM),
    media: createCallMedia(
      createMediaFetcher({
        guard: base.outboundGuard,
        maxFileBytes: config.MAX_FILE_DOWNLOAD_MB * megabyte,
        maxCallBytes: config.MAX_BODY_MB * megabyte,
      }),
    ),
    responseBatch: createTickBatch(),
    traceparent: runtime.telemetry.observer?.traceparent,
    responses: createResponseMemory({
      limitBytes: config.MAX_RESPONSE_INFLIGHT_MB * megabyte,
      among: base.machine?.bytes('responses'),
      accountLimitBytes: Math.max(config.MAX_RESPONSE_MB, config.MAX_RESPONSE_INFLIGHT_MB / 4) * megabyte,
    }),
    contentFilter: runtime.contentFilter,
    inFlight: runtime.inFlight,
    limits: {
      firstResponseMs: config.RELAY_TIMEOUT * 1000,
      silenceMs: config.STREAMING_TIMEOUT * 1000,
      responseBytes: config.MAX_RESPONSE_MB * megabyte,
      guardBytes,
    },
    ...limitsOf(settings, runtime),
    node: base.nodeState,
    ledger,
    settings,
    channels: channels.directory,
    health: channels.health,
    keyRing: createKeyRotation(channels.health),
    autoDisable: channels.control,
    clock: monotonicClock,
    random: Math.random,
    pings: new Pings(settings),
    logsFailure: (userId) => failures.take(String(userId)),
    fault: (error, requestId) =>
      base.logger.error(
        { err: error, requestId },
        'a fault of Tollgate ended this response: report it with this entry',
      ),
    charge: {
      ledger,
      nowMs: monotonicClock.now,
      nowSeconds: secondsOf(base.clock),
      findCost: costFinder(settings),
      settings,
      attempts: runtime.attemptCounter,
      overruns: new Overruns(),
      observer: runtime.telemetry.observer,
      brokenOff: (channelId, kind) => channels.health.noteFailure(channelId, noResponse(kind)),
    },
  }
}

/** The limits of calls, whose refusals are counted where somebody watches. */
function limitsOf(
  settings: AllServices['settings'],
  { limitCounts, telemetry: { meter } }: Pick<RelayRuntime, 'limitCounts' | 'telemetry'>,
): Pick<RelayDependencies, 'rateLimits' | 'channelLimits'> {
  const rates = createRateLimit(settings, limitCounts)
  const requests = createModelRequestLimit(settings, limitCounts)
  const channels = createChannelLimits(settings, limitCounts)
  if (meter === undefined) return { rateLimits: [rates, requests], channelLimits: channels }
  return {
    rateLimits: [
      countLimitRefusals(rates, () => meter.limitHit('rate')),
      countLimitRefusals(requests, () => meter.limitHit('model_requests')),
    ],
    channelLimits: countChannelRefusals(channels, () => meter.limitHit('channel')),
  }
}

/** The response stopped: the upstream gave no error of its own. */
function noResponse(kind: UpstreamErrorInfo['kind']): UpstreamErrorInfo {
  return { kind, status: 0, message: '', type: '', code: '', param: null }
}

/** The relay and its edge: everything between a caller's socket and an upstream's. */
export function composeRelay(
  base: AllServices,
  channels: ChannelParts,
  edge: ConsoleEdge,
  runtime: RelayRuntime,
): RelayEdge {
  const { clock, logger, settings, config } = base
  const dialectOptions = { counting: runtime.counting, maxJsonDepth: config.MAX_JSON_DEPTH, maxFrameBytes }
  const relay = relayDependencies(base, channels, runtime)
  const { taskStore, hashKey } = runtime.tasks
  const { meter } = runtime.telemetry
  return createRelayEdge({
    relay,
    tasks: { ...relay, taskStore, hashKey },
    taskLookup: base.store.tasks,
    contents: runtime.tasks.contents,
    newVideoId: () => `video_${randomUUID().replaceAll('-', '')}`,
    notifyCaller: runtime.tasks.notifyCaller,
    pictures: createImageProxy({
      taskLookup: base.store.tasks,
      channels: channels.directory,
      guard: base.outboundGuard,
    }),
    dialects: {
      openai: createOpenAiDialect(dialectOptions),
      responses: createResponsesDialect(dialectOptions, runtime.stored),
      anthropic: createChatDialect('anthropic', anthropicMessages, dialectOptions),
      gemini: createGeminiDialect(dialectOptions),
    },
    admission: runtime.admission,
    playground: createPlaygroundDoor({ ...edge, settings, maxJsonDepth: config.MAX_JSON_DEPTH }),
    addresses: edge.addresses,
    nextRequestId: edge.nextRequestId,
    bodies: createCallBodies({
      limitBytes: config.MAX_BODY_MB * megabyte,
      formLimitBytes: config.MAX_UPLOAD_MB * megabyte,
      silenceMs: config.STREAMING_TIMEOUT * 1000,
      shares: createAccountBodyBudgets(Math.max(config.MAX_BODY_MB, config.MAX_INFLIGHT_MB / 4) * megabyte),
    }),
    arrivalBatch: createTickBatch(),
    keyFigures: createKeyUsage(base),
    counting: runtime.counting,
    bus: base.bus,
    channelsSettled: () => channels.directory.settled(),
    sessionIdleMs: config.REALTIME_IDLE_TIMEOUT * 1000,
    webSockets: runtime.webSockets,
    stored: runtime.stored,
    failedCalls: runtime.failedCalls,
    auditLog: base.auditLog,
    maxJsonDepth: config.MAX_JSON_DEPTH,
    wallClock: clock,
    logger,
    refused: meter && ((error) => meter.refused(error)),
  })
}
