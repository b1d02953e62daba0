import {
  type CodeKinds,
  decodeErrorBody,
  type FormatName,
  type ModeCodec,
  openAiChat,
  type RequestQuirks,
  type TranscriptionCodec,
  type UpstreamCodec,
} from '@tollgate/formats'
import { taggedReasoning } from '../chat/tagged-reasoning.ts'
import { bearer, type Credential, type HeaderCredential } from '../credential.ts'
import type { ProviderShape } from '../define-provider.ts'
import { withoutBlocks } from '../edits/thinking-blocks.ts'
import { endpointUrl } from '../endpoint-url.ts'
import { namedForms } from '../modes/named-forms.ts'
import type {
  ChannelTarget,
  EndpointCall,
  Operation,
  PlainFormat,
  Provider,
  Target,
  UpstreamEndpoint,
} from '../provider.ts'
import type { BalanceEndpoint, OpenAiForm, RelayMode } from '../provider-row.ts'
import { type BalanceQuery, balanceIn } from '../queries/balance.ts'
import { namesIn } from '../queries/model-lists.ts'
import {
  choosesResponses,
  compactionOperation,
  type ResponsesOffer,
  realtimeEndpoint,
  realtimeOperation,
  responsesOperation,
  sessionUrl,
} from './operations.ts'

/**
 * An upstream that takes OpenAI's bodies: the data of a row of the table, and what only functions can say. Everything left
 * out is as at OpenAI.
 */
export interface OpenAiCompatible extends Omit<OpenAiForm, 'root' | 'paths' | 'balance'> {
  readonly id: string
  /** It may be LiteLLM, which reads `thinking_blocks`; others refuse unknown members of messages. */
  readonly thinkingBlocks?: true
  /** See `Operation.mediaBytes`; of chat. */
  readonly mediaBytes?: Operation['mediaBytes']
  /** Path under the host that the endpoints live in, version included. */
  readonly root?: string | ((target: ChannelTarget, mode: RelayMode | 'models') => string)
  /** Paths of endpoints under the root that differ from OpenAI's. */
  readonly paths?: OpenAiForm['paths'] | ((mode: RelayMode, target: Target) => string | undefined)
  /** Complete addresses, in place of root and paths. */
  readonly url?: (mode: RelayMode, target: Target, call: EndpointCall) => string
  /** Path of the list of models under the root. */
  readonly modelsPath?: string
  /** A bearer token when not said; a function gives the headers. */
  readonly credential?: Credential | HeaderCredential['headers']
  /** Headers other than the credential. */
  readonly headers?: (target: ChannelTarget) => Readonly<Record<string, string>>
  /** False for an API version of before `stream_options`. */
  readonly streamOptions?: false
  /** Edits of the form of chat, completions and embeddings; what the vendor accepts is its profile's to say. */
  readonly quirks?: RequestQuirks
  /** Edits of other modes. */
  readonly modeQuirks?: { readonly [Mode in RelayMode]?: RequestQuirks }
  /** See `Operation.normalizeResponse`; of chat. */
  readonly normalizeResponse?: Operation['normalizeResponse']
  /** The same of completions. */
  readonly normalizeCompletion?: Operation['normalizeResponse']
  /** Reads chat for callers of other formats; OpenAI's own when not said. */
  readonly codec?: UpstreamCodec
  /** Modes in a form of the upstream's own, beside those that the data names. */
  readonly plain?: { readonly [Mode in RelayMode]?: ModeCodec }
  /** Transcriptions and translations in a form of its own. */
  readonly transcription?: TranscriptionCodec
  /** Kinds of error behind codes of the upstream's own. */
  readonly codes?: CodeKinds
  /** Reads refusals of a shape of the upstream's own, in place of `codes`. */
  readonly decodeError?: Provider['decodeError']
  readonly balance?: BalanceQuery | BalanceEndpoint
  /** A Responses API that differs from OpenAI's, or serves some models alone. */
  readonly responses?: ResponsesOffer
  readonly tasks?: Provider['tasks']
  /** Reads a list of models in another shape than OpenAI's. */
  readonly decodeModels?: (body: unknown) => readonly string[]
  /** Finds the next page of such a list. */
  readonly nextModels?: NonNullable<Provider['models']>['next']
}

/** Under the root that an API's version is. */
export const openAiPaths = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
  moderations: '/moderations',
  rerank: '/rerank',
  images: '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
} as const satisfies Record<RelayMode, string>

/** The public format of each mode. */
export const openAiFormats = {
  chat: 'openai-chat',
  completions: 'openai-completions',
  embeddings: 'openai-embeddings',
  moderations: 'openai-moderations',
  rerank: 'jina-rerank',
  images: 'openai-images',
  'image-edits': 'openai-image-edits',
  'image-variations': 'openai-image-variations',
  speech: 'openai-speech',
  transcriptions: 'openai-transcriptions',
  translations: 'openai-translations',
} as const satisfies Record<RelayMode, FormatName | PlainFormat>

/** Makes a provider of an upstream that takes OpenAI's bodies as they are. */
export function openAiCompatible(spec: OpenAiCompatible): ProviderShape {
  const { balance, serves, tasks, credential = bearer } = spec
  return {
    credential: typeof credential === 'function' ? { kind: 'headers', headers: credential } : credential,
    modes: serves,
    operation: operationsOf(spec),
    ...(balance !== undefined && { balance: 'path' in balance ? balanceIn(balance) : balance }),
    ...(tasks !== undefined && { tasks }),
    ...(spec.also?.includes('realtime') === true && { realtime: realtimeOf(spec) }),
    ...(spec.lacks?.includes('model-list') !== true && { models: modelsOf(spec) }),
    decodeError: errorsOf(spec),
  }
}

function modelsOf(spec: OpenAiCompatible): NonNullable<Provider['models']> {
  const { modelsPath = '/models', decodeModels, nextModels } = spec
  return {
    endpoint: (target) => under(spec, target, 'models', modelsPath),
    decode: decodeModels ?? ((body) => namesIn(body, 'data', 'id')),
    ...(nextModels !== undefined && { next: nextModels }),
  }
}

function errorsOf({ decodeError, codes }: OpenAiCompatible): Provider['decodeError'] {
  return decodeError ?? ((failure) => decodeErrorBody(failure, codes))
}

function realtimeOf(spec: OpenAiCompatible) {
  return realtimeOperation((target, call) => {
    const { url, headers } = under(spec, target, 'chat', '/realtime')
    return realtimeEndpoint(sessionUrl(url, target, call), headers, target, call)
  }, spec.codes)
}

function operationsOf(spec: OpenAiCompatible): Provider['operation'] {
  const operations = new Map(spec.serves.map((mode) => [mode, operationOf(mode, spec)]))
  const offer = spec.responses ?? (spec.also?.includes('responses') === true ? {} : undefined)
  if (offer === undefined) return (mode) => operations.get(mode)
  const { path = '/responses' } = offer
  const responses = {
    ...responsesOperation(offer, (target) => under(spec, target, 'chat', path), spec.codes),
  }
  const silent: Operation = { ...responses, silentReasoning: true }
  const compaction = compactionOperation(responses, (target) =>
    under(spec, target, 'chat', `${path}/compact`),
  )
  return (mode, target, callerFormat, turn) => {
    const choice = choosesResponses(offer, mode, target, callerFormat, turn)
    if (choice === undefined) return operations.get(mode)
    if (choice === 'silent') return silent
    return offer.compacts === true && callerFormat === 'openai-compaction' ? compaction : responses
  }
}

function operationOf(mode: RelayMode, spec: OpenAiCompatible): Operation {
  const plain = plainCodecOf(mode, spec)
  const isAudio = mode === 'transcriptions' || mode === 'translations'
  const transcription = isAudio ? spec.transcription : undefined
  const isOwn = plain !== undefined || transcription !== undefined
  const quirks = plain === undefined ? quirksOf(mode, spec) : undefined
  return {
    format: isOwn ? `provider:${spec.id}-${mode}` : openAiFormats[mode],
    ...(mode === 'chat' && chatOf(spec)),
    ...(mode === 'completions' &&
      spec.normalizeCompletion !== undefined && { normalizeResponse: spec.normalizeCompletion }),
    ...(plain !== undefined && { plain }),
    ...(transcription !== undefined && { transcription }),
    framing: 'sse',
    streamOptions: spec.streamOptions ?? true,
    ...(quirks !== undefined && { quirks }),
    endpoint: endpointOf(mode, spec),
    decodeError: errorsOf(spec),
  }
}

function chatOf({ codec, lacks, normalizeResponse, mediaBytes }: OpenAiCompatible) {
  return {
    codec: codec ?? (lacks?.includes('reasoning_content') === true ? taggedReasoning : openAiChat),
    ...(normalizeResponse !== undefined && { normalizeResponse }),
    ...(mediaBytes !== undefined && { mediaBytes }),
  }
}

function plainCodecOf(mode: RelayMode, { plain, forms }: OpenAiCompatible): ModeCodec | undefined {
  const form = forms?.[mode]
  return plain?.[mode] ?? (form && namedForms[form])
}

function quirksOf(
  mode: RelayMode,
  { modeQuirks, quirks, thinkingBlocks }: OpenAiCompatible,
): RequestQuirks | undefined {
  const isText = mode === 'chat' || mode === 'completions' || mode === 'embeddings'
  const edits = modeQuirks?.[mode] ?? (isText ? quirks : undefined)
  return mode === 'chat' && thinkingBlocks !== true ? withoutBlocks(edits) : edits
}

function endpointOf(mode: RelayMode, spec: OpenAiCompatible): Operation['endpoint'] {
  const { url, paths, headers = noHeaders } = spec
  if (url !== undefined) return (target, call) => ({ url: url(mode, target, call), headers: headers(target) })
  const pathOf = typeof paths === 'function' ? paths : (each: RelayMode) => paths?.[each]
  return (target) => under(spec, target, mode, pathOf(mode, target) ?? openAiPaths[mode])
}

function under(
  { root = '/v1', headers = noHeaders }: OpenAiCompatible,
  target: ChannelTarget,
  mode: RelayMode | 'models',
  path: string,
): UpstreamEndpoint {
  const base = typeof root === 'function' ? root(target, mode) : root
  return { url: endpointUrl(target.baseUrl, base, path), headers: headers(target) }
}

const noHeaders = () => ({})
