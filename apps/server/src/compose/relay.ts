import { unixSeconds } from '@tollgate/base'
import type { TokenCounting } from '../billing/tokenizer/token-counting.ts'
import { createPlaygroundDoor } from '../http/relay/playground-door.ts'
import { createRelayEdge, type RelayEdge } from '../http/relay/relay-edge.ts'
import { createTickBatch } from '../lib/tick-batch.ts'
import { createAddressBook } from '../relay/addresses.ts'
import type { AdmissionDependencies } from '../relay/admission.ts'
import type { Deadlines } from '../relay/deadlines.ts'
import type { InFlight } from '../relay/in-flight.ts'
import { createKeyRing } from '../relay/key-ring.ts'
import { createOpenAiDialect } from '../relay/openai-dialect.ts'
import type { RelayDependencies } from '../relay/relay-dependencies.ts'
import type { UpstreamClient } from '../relay/upstream-client.ts'
import { createMarkSpent } from '../tokens/mark-spent.ts'
import { createPresentedKeys } from '../tokens/presented-keys.ts'
import { createTokenDirectory } from '../tokens/token-directory.ts'
import type { ChannelParts } from './channels.ts'
import type { ConsoleEdge } from './console.ts'
import type { Foundation } from './foundation.ts'

const megabyte = 1024 * 1024
/** Larger than any event a vendor sends (images in base64 among them). */
const maxFrameBytes = 16 * megabyte
const guardBytes = megabyte

export interface RelayRuntime {
  readonly admission: AdmissionDependencies
  readonly counting: TokenCounting
  readonly deadlines: Deadlines
  readonly inFlight: InFlight
  readonly upstreams: UpstreamClient
}

/** Who may call with a key: of relayed calls, and of the console's calls that a key opens. */
export function composeAdmission(base: Foundation): AdmissionDependencies {
  const { store, bus, clock, ledger, vault, logger, accounts } = base
  const directory = createTokenDirectory({ store, events: bus })
  return {
    tokens: createPresentedKeys({ directory, hash: vault.hash, events: bus }),
    users: accounts.directory,
    ledger,
    nowSeconds: () => unixSeconds(clock),
    markSpent: createMarkSpent({ store, events: bus, logger }),
  }
}

function relayDependencies(
  base: Foundation,
  channels: ChannelParts,
  runtime: RelayRuntime,
): RelayDependencies {
  const { config, ledger, settings, clock, outboundGuard } = base
  return {
    dialect: createOpenAiDialect({
      counting: runtime.counting,
      maxJsonDepth: config.MAX_JSON_DEPTH,
      maxFrameBytes,
    }),
    deadlines: runtime.deadlines,
    upstreams: runtime.upstreams,
    addresses: createAddressBook(),
    answered: createTickBatch(),
    inFlight: runtime.inFlight,
    limits: {
      firstAnswerMs: config.RELAY_TIMEOUT * 1000,
      silenceMs: config.STREAMING_TIMEOUT * 1000,
      answerBytes: config.MAX_RESPONSE_MB * megabyte,
      guardBytes,
    },
    outboundGuard,
    admitting: base.admitting,
    ledger,
    settings,
    channels: channels.directory,
    health: channels.health,
    keyRing: createKeyRing(channels.health),
    channelSwitch: channels.control,
    clock,
    random: Math.random,
    fault: (error, requestId) => base.logger.error({ err: error, requestId }, 'an answer was broken off'),
    till: { ledger, nowMs: clock.now, logConsumption: () => settings.current.LogConsumeEnabled },
  }
}

/** The relay and its edge: everything between a caller's socket and an upstream's. */
export function composeRelay(
  base: Foundation,
  channels: ChannelParts,
  edge: ConsoleEdge,
  runtime: RelayRuntime,
): RelayEdge {
  const { clock, logger, settings, config } = base
  return createRelayEdge({
    relay: relayDependencies(base, channels, runtime),
    admission: runtime.admission,
    playground: createPlaygroundDoor({ guard: edge.guard, settings, maxJsonDepth: config.MAX_JSON_DEPTH }),
    addresses: edge.addresses,
    nextRequestId: edge.nextRequestId,
    bodyLimitBytes: config.MAX_BODY_MB * megabyte,
    arrived: createTickBatch(),
    clock,
    logger,
  })
}
