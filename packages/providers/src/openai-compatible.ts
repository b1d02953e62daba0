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
import type { BalanceQuery } from './balance.ts'
import { bearer, type HeaderCredential } from './credential.ts'
import { endpointUrl } from './endpoint-url.ts'
import { type OlderName, withOlderNames } from './older-names.ts'
import type {
  ChannelTarget,
  EndpointCall,
  Operation,
  PlainFormat,
  Provider,
  RelayMode,
  Target,
  UpstreamEndpoint,
} from './provider.ts'
import { realtimeEndpoint, realtimeOperation, sessionUrl } from './realtime-operation.ts'
import {
  choosesResponses,
  compactionOperation,
  type ResponsesOffer,
  responsesOperation,
} from './responses-operation.ts'

type NormalizeResponse = NonNullable<Operation['normalizeResponse']>

/** What differs between upstreams that speak OpenAI's format. Everything left out is as at OpenAI. */
export interface OpenAiCompatible {
  readonly id: string
  readonly defaultBaseUrl: string
  readonly modes: readonly RelayMode[]
  /** See `Operation.streamOptions`. */
  readonly streamOptions: boolean
  /** See `Operation.mediaBytes`; of chat. */
  readonly mediaBytes?: Operation['mediaBytes']
  /** Path under the host that the endpoints live in, version included: `/v1`. */
  readonly root?: string | ((target: ChannelTarget, mode: RelayMode | 'models') => string)
  /** Endpoints under the root that are called otherwise than at OpenAI. */
  readonly paths?: (mode: RelayMode, target: Target) => string | undefined
  /** Whole addresses, for upstreams whose addresses are made otherwise. */
  readonly url?: (mode: RelayMode, target: Target, call: EndpointCall) => string
  /** Path of the list of models under the root; `false` when there is none. */
  readonly models?: string | false
  /** A bearer token when not said. */
  readonly credential?: HeaderCredential['headers']
  /** Headers that are no credential. */
  readonly headers?: (target: ChannelTarget) => Readonly<Record<string, string>>
  /** What its chat takes by OpenAI's older names alone. */
  readonly olderNames?: readonly OlderName[]
  /** Of chat, completions and embeddings. */
  readonly quirks?: RequestQuirks
  /** See `Operation.mend`. */
  readonly normalizeResponse?: NormalizeResponse
  /** The same of completions. */
  readonly normalizeCompletion?: NormalizeResponse
  /** Reads its chat for callers of other formats; OpenAI's own when not said. */
  readonly codec?: UpstreamCodec
  /** Of the other modes. */
  readonly modeQuirks?: { readonly [Mode in RelayMode]?: RequestQuirks }
  /** Modes that the upstream says in a form of its own. */
  readonly own?: { readonly [Mode in RelayMode]?: ModeCodec }
  /** Transcriptions and translations in a form of its own. */
  readonly transcription?: TranscriptionCodec
  /** Kinds behind error codes of the upstream's own. */
  readonly codeKinds?: CodeKinds
  /** Reads refusals that are told in a shape of the upstream's own, in place of `codeKinds`. */
  readonly decodeError?: Provider['decodeError']
  readonly balance?: BalanceQuery
  /** Its Responses API; absent when it has none. */
  readonly responses?: ResponsesOffer & { readonly path: string }
  /** Path of its Realtime API under the root; absent when it has none. */
  readonly realtime?: string
  /** Reads a list of models that is not OpenAI's. */
  readonly decodeModels?: (body: unknown) => readonly string[]
  /** Of a list that comes in pages. */
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

/** For upstreams that offer, or pass on, whatever there is. */
export const allModes = Object.keys(openAiPaths) as readonly RelayMode[] // Its keys are the modes.

const noHeaders = () => ({})

/** Makes a provider of an upstream that takes OpenAI's bodies as they are. */
export function openAiCompatible(spec: OpenAiCompatible): Provider {
  const { id, defaultBaseUrl, modes, models = '/models', credential = bearer } = spec
  const operations = new Map(modes.map((mode) => [mode, operationOf(mode, spec)]))
  return {
    id,
    defaultBaseUrl,
    credential: { kind: 'headers', headers: credential },
    modes,
    operation: operationsWith(spec, operations),
    ...(spec.balance !== undefined && { balance: spec.balance }),
    ...(spec.realtime !== undefined && { realtime: realtimeOf(spec, spec.realtime) }),
    ...(models !== false && {
      models: {
        endpoint: (target) => under(spec, target, 'models', models),
        decode: spec.decodeModels ?? ((body) => namesIn(body, 'data', 'id')),
        ...(spec.nextModels !== undefined && { next: spec.nextModels }),
      },
    }),
    decodeError: errorsOf(spec),
  }
}

function errorsOf({ decodeError, codeKinds }: OpenAiCompatible): Provider['decodeError'] {
  return decodeError ?? ((failure) => decodeErrorBody(failure, codeKinds))
}

function realtimeOf(spec: OpenAiCompatible, path: string) {
  return realtimeOperation((target, call) => {
    const { url, headers } = under(spec, target, 'chat', path)
    return realtimeEndpoint(sessionUrl(url, target, call), headers, target, call)
  }, spec.codeKinds)
}

function operationsWith(
  spec: OpenAiCompatible,
  operations: ReadonlyMap<RelayMode, Operation>,
): Provider['operation'] {
  const { responses, codeKinds } = spec
  if (responses === undefined) return (mode) => operations.get(mode)
  const offered = responsesOperation(
    responses,
    (target) => under(spec, target, 'chat', responses.path),
    codeKinds,
  )
  const compacting = compactionOperation(offered, (target) =>
    under(spec, target, 'chat', `${responses.path}/compact`),
  )
  return (mode, target, wanted) => {
    if (!choosesResponses(responses, mode, target, wanted)) return operations.get(mode)
    return responses.compacts === true && wanted === 'openai-compaction' ? compacting : offered
  }
}

function operationOf(mode: RelayMode, spec: OpenAiCompatible): Operation {
  const { streamOptions } = spec
  const quirks = quirksOf(mode, spec)
  const plain = spec.own?.[mode]
  const isAudio = mode === 'transcriptions' || mode === 'translations'
  const transcription = isAudio ? spec.transcription : undefined
  const isOwn = plain !== undefined || transcription !== undefined
  return {
    format: isOwn ? `provider:${spec.id}-${mode}` : openAiFormats[mode],
    ...(mode === 'chat' && { codec: spec.codec ?? openAiChat }),
    ...normalizationOf(mode, spec),
    ...(mode === 'chat' && spec.mediaBytes !== undefined && { mediaBytes: spec.mediaBytes }),
    ...(plain !== undefined && { plain }),
    ...(transcription !== undefined && { transcription }),
    framing: 'sse',
    streamOptions,
    ...(quirks !== undefined && { quirks }),
    endpoint: (target, call) =>
      spec.url === undefined
        ? under(spec, target, mode, spec.paths?.(mode, target) ?? openAiPaths[mode])
        : { url: spec.url(mode, target, call), headers: (spec.headers ?? noHeaders)(target) },
    decodeError: errorsOf(spec),
  }
}

function normalizationOf(
  mode: RelayMode,
  { normalizeResponse, normalizeCompletion }: OpenAiCompatible,
): Pick<Operation, 'normalizeResponse'> {
  if (mode === 'chat' && normalizeResponse !== undefined) return { normalizeResponse }
  return mode === 'completions' && normalizeCompletion !== undefined
    ? { normalizeResponse: normalizeCompletion }
    : {}
}

function quirksOf(mode: RelayMode, spec: OpenAiCompatible): RequestQuirks | undefined {
  const { quirks, modeQuirks, olderNames } = spec
  if (spec.own?.[mode] !== undefined) return undefined
  const isText = mode === 'chat' || mode === 'completions' || mode === 'embeddings'
  const own = modeQuirks?.[mode] ?? (isText ? quirks : undefined)
  return mode === 'chat' && olderNames !== undefined ? withOlderNames(olderNames, own) : own
}

function under(
  spec: OpenAiCompatible,
  target: ChannelTarget,
  mode: RelayMode | 'models',
  path: string,
): UpstreamEndpoint {
  const root = typeof spec.root === 'function' ? spec.root(target, mode) : (spec.root ?? '/v1')
  const url = endpointUrl(target.baseUrl || spec.defaultBaseUrl, root, path)
  return { url, headers: (spec.headers ?? noHeaders)(target) }
}

/** Names in a list of models, without blanks and repeats; an answer of another shape holds none. */
export function namesIn(body: unknown, list: string, name: string): readonly string[] {
  const items = member(body, list)
  if (!Array.isArray(items)) return []
  const names = items
    .map((item) => member(item, name))
    .filter((value) => typeof value === 'string' && value !== '')
  return [...new Set(names as string[])] // The filter above leaves texts only.
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
