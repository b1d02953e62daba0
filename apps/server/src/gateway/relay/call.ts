import type { UpstreamErrorKind } from '@tollgate/formats'
import type { InboundRequest } from '@tollgate/http/server'
import type { CallMode } from '@tollgate/providers'
import type { RelayCaller } from './admission.ts'
import type { CallRequest, Dialect, StoreResponse } from './dialects/dialect.ts'
import type { RelayError } from './relay-error.ts'
import type { ChannelAffinity } from './routing/plan.ts'

/** Facts of a request that route, price and log row need. */
export type ModelRequest = Pick<
  CallRequest,
  | 'format'
  | 'model'
  | 'stream'
  | 'reasoningEffort'
  | 'images'
  | 'canonical'
  | 'encodeOwn'
  | 'native'
  | 'prompt'
  | 'roughPromptTokens'
  | 'maxOutputTokens'
  | 'candidates'
  | 'costlyFields'
>

/** One call: its caller, its request, and what has happened so far. */
export interface RelayCall<Request extends ModelRequest = CallRequest> {
  readonly requestId: string
  /** Unix seconds of the wall clock, for the log row. */
  readonly createdAt: number
  /** Returns the current Unix seconds. */
  readonly nowSeconds?: (() => number) | undefined
  /** Milliseconds of the monotonic clock, for durations. */
  readonly startedAt: number
  readonly mode: CallMode
  readonly dialect: Dialect
  readonly caller: RelayCaller
  readonly request: Request
  readonly connection: CallerConnection
  /** Fields of the request, by names in lower case. */
  readonly headers: { get(name: string): string | null }
  readonly storeResponse?: StoreResponse
  /**
   * Hears that the call failed after its response had started: with an error, or because the upstream broke the response off. Must
   * not throw.
   */
  readonly onLateFailure?: ((error?: RelayError) => void) | undefined
  /** Gives back the memory of the body, which nobody reads after a stream has ended. Absent where somebody may. */
  readonly releaseBody?: (() => void) | undefined
  readonly trace: CallTrace
}

/** Connection of the caller, by which a call learns that they left. */
export type CallerConnection = Pick<InboundRequest, 'isDisconnected' | 'onDisconnect'> &
  // Absent where the response leaves at once.
  Partial<Pick<InboundRequest, 'releaseAtEnd'>>

/** One attempt, for the log row. */
export interface AttemptRecord {
  readonly channel: number
  readonly key: number
  /** Start, in ms since the call arrived. */
  readonly startMs: number
  readonly ms: number
  readonly status: number
  readonly kind: 'ok' | 'client_gone' | UpstreamErrorKind
  /** The upstream's words for it, redacted, for the operator alone. */
  readonly said?: string
}

/** Times of a call in integer milliseconds since it arrived; the log row shows them as a waterfall. */
export interface CallTrace {
  readonly attempts: AttemptRecord[]
  routedMs: number
  sentMs: number
  firstTokenMs: number
  /** The last attempt's channel put its own instructions in front of the call's. */
  isInstructed: boolean
  /** The name of the model that the last attempt sent; empty before one has. */
  sentModel: string
  /** The attempts were counted: a session counts once, however many charges it has. */
  isCounted: boolean
  /** Identifier of the call's session, and the channel that the session prefers. */
  affinity: Pick<ChannelAffinity, 'by' | 'channelId'> | undefined
}

export function newCallTrace(): CallTrace {
  return {
    attempts: [],
    routedMs: 0,
    sentMs: 0,
    firstTokenMs: 0,
    isInstructed: false,
    sentModel: '',
    isCounted: false,
    affinity: undefined,
  }
}

/** The headers of every response. Anthropic's SDKs look for `request-id`. https://platform.claude.com/docs/en/api/overview (2026-11-30) */
export function requestIdHeaders({ requestId }: Pick<RelayCall, 'requestId'>) {
  return { 'x-request-id': requestId, 'x-oneapi-request-id': requestId, 'request-id': requestId }
}

/** Headers of a buffered response. Written out: spreading an object costs as much as ten fields, and every call pays it. */
export function replyHeaders(contentType: string, { requestId }: Pick<RelayCall, 'requestId'>) {
  return {
    'content-type': contentType,
    'x-request-id': requestId,
    'x-oneapi-request-id': requestId,
    'request-id': requestId,
  }
}

/**
 * Lists the fields that a translation dropped because the upstream's format has no place for them.
 * @param leftOut items of the response, as far as it has come, that the caller's format has no place for
 */
export function warningHeaders(
  dropped: readonly string[],
  leftOut: readonly string[] = [],
): Readonly<Record<string, string>> {
  const warnings = [
    ...warning('not carried to the upstream', dropped),
    ...warning('not carried from the upstream', leftOut),
  ]
  return warnings.length === 0 ? {} : { 'x-tollgate-warning': warnings.join('; ') }
}

function warning(what: string, all: readonly string[]): readonly string[] {
  const names = all.filter((name) => visibleName.test(name)).slice(0, maxWarned)
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}

const maxWarned = 32
/** A field, or a tool or item by its place with its own name behind it. */
const visibleName = /^[\w.[\]-]{1,64}(?: \([\w.-]{1,64}\))?$/

const nothingWritten: ModelRequest['native'] = {
  text: '{}',
  scan: {
    ok: true,
    depth: 1,
    list: [],
    members: new Map(),
    duplicates: new Set(),
    closeBrace: 1,
    hasLongNumbers: false,
  },
  body: {},
}

/**
 * The request of a call without a body that the relay reads: a session, or an asynchronous task.
 * @param texts what its caller wrote, for the content filter
 */
export function bodyless<Format extends ModelRequest['format']>(
  details: Pick<ModelRequest, 'model' | 'stream'> & { readonly format: Format },
  texts: readonly string[] = [],
): ModelRequest & { readonly format: Format } {
  return {
    ...details,
    reasoningEffort: '',
    native: nothingWritten,
    prompt: () => ({ messages: [], tools: [], texts: [...texts], tokens: 0 }),
    roughPromptTokens: () => 0,
    maxOutputTokens: undefined,
    candidates: 1,
  }
}
