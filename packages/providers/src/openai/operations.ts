import {
  type CodeKinds,
  decodeErrorBody,
  decodeResponsesError,
  type FormatName,
  type ModelTurn,
  openAiCompaction,
  openAiResponses,
  type RequestQuirks,
} from '@tollgate/formats'
import { chatOperation } from '../define-provider.ts'
import { encoded } from '../endpoint-url.ts'
import type {
  EndpointCall,
  HeaderMap,
  Operation,
  PlainFormat,
  RealtimeOperation,
  RelayMode,
  Target,
  UpstreamEndpoint,
} from '../provider.ts'

const beta = 'realtime=v1'

/** OpenAI's Realtime API at an address. https://platform.openai.com/docs/guides/realtime-websocket */
export function realtimeOperation(
  endpoint: (target: Target, call: EndpointCall) => UpstreamEndpoint,
  codeKinds?: CodeKinds,
): RealtimeOperation {
  return {
    format: 'openai-realtime',
    framing: 'websocket',
    streamOptions: false,
    endpoint,
    decodeError: (failure) => decodeErrorBody(failure, codeKinds),
  }
}

/**
 * The endpoint of a session. It authenticates in the way its caller chose: by a header or among the subprotocols.
 * @param headers other than the credential
 */
export function realtimeEndpoint(
  url: string,
  headers: HeaderMap,
  { key, upstreamModel }: Target,
  call: EndpointCall,
): UpstreamEndpoint {
  const isBeta = saysBeta(call) || upstreamModel.includes('-preview')
  if (call.bySubprotocol === true && key !== '') {
    const protocols = ['realtime', `openai-insecure-api-key.${key}`]
    return {
      url,
      headers: { ...headers, 'openai-beta': '' },
      protocols: isBeta ? [...protocols, 'openai-beta.realtime-v1'] : protocols,
    }
  }
  return {
    url,
    headers: isBeta ? { ...headers, 'openai-beta': call.headers['openai-beta'] ?? beta } : headers,
  }
}

/** Models other than previews send different events when the request asks for the beta. */
function saysBeta({ headers }: EndpointCall): boolean {
  return headers['openai-beta']?.includes(beta) === true
}

/**
 * The address of a session of a model, unless it names one already. A session that transcribes is asked for instead: its
 * model is named in its first event. https://developers.openai.com/api/docs/guides/realtime-transcription
 */
export function sessionUrl(url: string, { upstreamModel }: Target, { intent }: EndpointCall): string {
  const join = url.includes('?') ? '&' : '?'
  if (intent !== undefined) return `${url}${join}intent=${intent}`
  return /[?&](model|deployment)=/.test(url) ? url : `${url}${join}model=${encoded(upstreamModel)}`
}

/** Responses API of an upstream that speaks Chat Completions, too. */
export interface ResponsesOffer {
  /** Under the root; `/responses` when not said. */
  readonly path?: string
  /** Models that have it; all of them when not said. */
  readonly serves?: (target: Target) => boolean
  /** Models that have nothing else: callers of other formats reach them through it. */
  readonly only?: (target: Target) => boolean
  /** Calls that Chat Completions refuses: callers of every other format reach the model through Responses then. */
  readonly alone?: (target: Target, turn: () => ModelTurn) => boolean
  readonly quirks?: RequestQuirks
  /** Has `/responses/compact`, too; a conversation is summarized where it has not. */
  readonly compacts?: boolean
}

/**
 * Decides between the two APIs of an upstream: `undefined` for a call that does not go to the Responses API, `silent` for one that would
 * go to Chat Completions if that did not refuse it. Chat Completions gives no text of reasoning, and Responses refuse to give it to
 * organizations that are not verified: such a call does not ask for it. https://github.com/home-assistant/core/issues/160212 (2026-01-03)
 */
export function choosesResponses(
  offer: ResponsesOffer,
  mode: RelayMode,
  target: Target,
  wanted: FormatName | PlainFormat,
  turn?: () => ModelTurn,
): 'responses' | 'silent' | undefined {
  if (mode !== 'chat') return undefined
  const { serves, only, alone } = offer
  const isServed = serves === undefined || serves(target)
  if (offer.compacts === true && compactions.has(wanted)) return isServed ? 'responses' : undefined
  if (wanted === 'openai-responses') return isServed ? 'responses' : undefined
  if (only?.(target) === true) return 'responses'
  return turn !== undefined && alone?.(target, turn) === true ? 'silent' : undefined
}

const compactions: ReadonlySet<FormatName | PlainFormat> = new Set([
  'openai-compaction',
  'openai-compaction-turn',
])

/** The Responses API at an endpoint. */
export function responsesOperation(
  { quirks, compacts = false }: ResponsesOffer,
  endpoint: Operation['endpoint'],
  codeKinds?: CodeKinds,
): Operation {
  // Its streams always report their usage.
  return chatOperation({
    codec: openAiResponses,
    ...(quirks !== undefined && { quirks }),
    // Codex's items are known where its compaction is.
    plainItems: !compacts,
    endpoint,
    decodeError: (failure) => decodeResponsesError(failure, codeKinds),
  })
}

/** The same upstream's compaction, whose response is a list of items as well. */
export function compactionOperation(responses: Operation, endpoint: Operation['endpoint']): Operation {
  return { ...responses, format: 'openai-compaction', codec: openAiCompaction, endpoint }
}
