import { playgroundPath, playgroundRoot, replayPath } from '@tollgate/api'
import { type CallMode, isOtherPath, meantPath } from '@tollgate/providers'
import type { DialectName } from '../../gateway/relay/dialects/dialect.ts'
import {
  type MidjourneyRoute,
  type SunoRoute,
  type TaskPath,
  taskForm,
  taskPath,
  type VideoRoute,
} from './task-paths.ts'

/** Operations on a stored response. */
export type StoredAction = 'show' | 'delete' | 'list-input' | 'cancel'

/** Target of a relay path. */
export type RelayPath =
  | CallPathMatch
  /** A task: work that ends later, in a format of its own. */
  | TaskPath
  | { readonly kind: 'video'; readonly route: VideoRoute }
  | { readonly kind: 'model-list' }
  | { readonly kind: 'model'; readonly model: string }
  /** A stored response of the Responses API. */
  | { readonly kind: 'stored-response'; readonly action: StoredAction; readonly id: string }
  /** A billing call: balance or usage of the key. */
  | { readonly kind: 'billing'; readonly about: 'subscription' | 'usage' }
  /** A session over a WebSocket. */
  | { readonly kind: 'realtime' }
  | { readonly kind: 'not-implemented' }
  /** The path is one of ours, but not with this method. */
  | { readonly kind: 'method-not-allowed'; readonly allow: string }
  | { readonly kind: 'unknown' }

export interface CallPathMatch {
  readonly kind: 'call'
  readonly dialect: DialectName
  readonly mode: CallMode
  /** Model that the path names, where its format does. */
  readonly model?: string
  /** Model that the path names whatever the body says, as paths of deployments do. */
  readonly deployment?: string
  readonly stream?: boolean
  /** `/v1/edits`: chat in other words. */
  readonly isEdit?: boolean
  /** `/v1/responses/compact`: a conversation that is to become shorter. */
  readonly isCompaction?: boolean
  readonly isBatch?: boolean
  /** `/v2/rerank`: the newer form of the response. */
  readonly isSecondVersion?: boolean
}

const call = (dialect: DialectName, mode: CallMode): RelayPath => ({ kind: 'call', dialect, mode })

const fixed: Readonly<Record<string, RelayPath>> = {
  'POST /v1/chat/completions': call('openai', 'chat'),
  'POST /v1/responses': call('responses', 'chat'),
  'POST /v1/responses/compact': { kind: 'call', dialect: 'responses', mode: 'chat', isCompaction: true },
  'POST /v1/messages': call('anthropic', 'chat'),
  'POST /v1/messages/count_tokens': call('anthropic', 'count-tokens'),
  'POST /v1/responses/input_tokens': call('responses', 'count-tokens'),
  'POST /v1/completions': call('openai', 'completions'),
  'POST /v1/edits': { kind: 'call', dialect: 'openai', mode: 'chat', isEdit: true },
  'POST /v1/embeddings': call('openai', 'embeddings'),
  'POST /v1/moderations': call('openai', 'moderations'),
  'POST /v1/rerank': call('openai', 'rerank'),
  'POST /rerank': call('openai', 'rerank'),
  'POST /v2/rerank': { kind: 'call', dialect: 'openai', mode: 'rerank', isSecondVersion: true },
  'POST /v1/images/generations': call('openai', 'images'),
  'POST /v1/images/edits': call('openai', 'image-edits'),
  'POST /v1/images/variations': call('openai', 'image-variations'),
  'POST /v1/audio/speech': call('openai', 'speech'),
  'POST /v1/audio/transcriptions': call('openai', 'transcriptions'),
  'POST /v1/audio/translations': call('openai', 'translations'),
  'POST /v1/videos': { kind: 'video', route: { name: 'create' } },
  'POST /v1/video/generations': { kind: 'video', route: { name: 'create' } },
  'GET /v1/realtime': { kind: 'realtime' },
  'GET /v1/models': { kind: 'model-list' },
  'GET /v1beta/models': { kind: 'model-list' },
  'GET /v1alpha/models': { kind: 'model-list' },
  ...billingPaths('/dashboard/billing'),
  ...billingPaths('/v1/dashboard/billing'),
}

function billingPaths(root: string): Record<string, RelayPath> {
  return {
    [`GET ${root}/subscription`]: { kind: 'billing', about: 'subscription' },
    [`GET ${root}/usage`]: { kind: 'billing', about: 'usage' },
  }
}

/** Endpoints that exist and are not served: a program learns more from a 501 than from a 404. */
const notImplemented = [
  /^(GET|POST|DELETE) \/v1\/files(\/[^/]+(\/content)?)?$/,
  /^(GET|POST) \/v1\/fine-tunes(\/[^/]+(\/(cancel|events))?)?$/,
  /^DELETE \/v1\/models\/[^/]+$/,
  /^(GET|POST|DELETE) \/v1\/(messages\/)?(batches|uploads|fine_tuning|vector_stores|containers|evals)(\/.+)?$/,
  /^(GET|POST|DELETE) \/v1\/(assistants|threads|conversations)(\/.+)?$/,
  /^POST \/v1\/realtime\/(client_secrets|sessions|transcription_sessions|calls)(\/.+)?$/,
  /^(GET \/v1\/videos|DELETE \/v1\/videos\/[^/]+|POST \/v1\/videos\/([^/]+\/remix|edits|extensions|characters))$/,
]

const storedPaths: readonly (readonly [RegExp, StoredAction])[] = [
  [/^GET \/v1\/responses\/([^/]+)$/, 'show'],
  [/^DELETE \/v1\/responses\/([^/]+)$/, 'delete'],
  [/^GET \/v1\/responses\/([^/]+)\/input_items$/, 'list-input'],
  [/^POST \/v1\/responses\/([^/]+)\/cancel$/, 'cancel'],
]
/** The second form is an older name for the same. */
const videoPath = /^GET \/v1\/(?:videos|video\/generations)\/([^/]+)(\/content)?$/
const modelPath = /^GET \/(?:v1|v1alpha|v1beta)\/models\/(.+)$/
const enginePath = /^POST \/v1\/engines\/([^/]+)\/embeddings$/
/** `:` is a plain character of a path and of names of models; some clients escape it. */
const geminiPath =
  /^POST \/(?:v1|v1beta|v1alpha)\/models\/(.+)(?::|%3A)(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/i
/** A method of a model that Gemini's API does not have, or that is not served. */
const unknownMethod = /^POST \/v1(alpha|beta)\/models\/.+(:|%3A)/i
const geminiMethod = /(?::|%3A)((stream)?generateContent|countTokens|(batch)?embedContents?)\/?$/i

/** Decodes a part of a path; one that is badly escaped stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Finds what a path asks for: dialect, mode, and what the path names.
 * @param path without query; a trailing slash is tolerated, and what programs send whose base address has a slash or a version too many,
 *   or is another server's
 * @step
 */
export function relayPath(method: string, path: string): RelayPath {
  const found = exactPath(method, path)
  if (found.kind !== 'unknown') return found
  const { path: own, deployment } = meantPath(path)
  const meant = exactPath(method, own)
  return deployment === undefined ? meant : ofDeployment(meant, decoded(deployment))
}

/** Only calls of OpenAI's format go to a deployment. */
function ofDeployment(found: RelayPath, deployment: string): RelayPath {
  if (found.kind === 'method-not-allowed') return found
  return found.kind === 'call' && found.dialect === 'openai' ? { ...found, deployment } : { kind: 'unknown' }
}

function exactPath(method: string, path: string): RelayPath {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const known = fixed[`${method} ${bare}`]
  if (known !== undefined) return known
  const found = matched(`${method === 'HEAD' ? 'GET' : method} ${bare}`)
  if (found !== undefined) return found
  if (unknownMethod.test(`${method} ${bare}`)) return { kind: 'unknown' }
  const allow = methods.filter((each) => each !== method && matched(`${each} ${bare}`) !== undefined)
  return allow.length === 0
    ? { kind: 'unknown' }
    : { kind: 'method-not-allowed', allow: ['OPTIONS', ...allow].join(', ') }
}

const methods = ['GET', 'POST', 'DELETE'] as const

function matched(line: string): RelayPath | undefined {
  const known = fixed[line]
  if (known !== undefined) return known
  const gemini = geminiPath.exec(line)
  if (gemini !== null) return geminiCall(gemini[1] ?? '', gemini[2] ?? '')
  const model = modelPath.exec(line)?.[1]
  if (model !== undefined) return { kind: 'model', model: decoded(model) }
  const task = taskPath(line)
  if (task !== undefined) return task
  const video = videoPath.exec(line)
  if (video !== null) return videoRoute(decoded(video[1] ?? ''), video[2])
  const engine = enginePath.exec(line)?.[1]
  if (engine !== undefined)
    return { kind: 'call', dialect: 'openai', mode: 'embeddings', model: decoded(engine) }
  for (const [pattern, action] of storedPaths) {
    const id = pattern.exec(line)?.[1]
    if (id !== undefined) return { kind: 'stored-response', action, id: decoded(id) }
  }
  return notImplemented.some((pattern) => pattern.test(line)) ? { kind: 'not-implemented' } : undefined
}

/** Paths of the console that take a session in place of a key: chat, and work that ends later. */
export type PlaygroundPath =
  | { readonly kind: 'chat' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'drawing'; readonly route: Extract<MidjourneyRoute, { name: 'submit' }> }
  | { readonly kind: 'music'; readonly route: Extract<SunoRoute, { name: 'submit' }> }
  | { readonly kind: 'video'; readonly route: Extract<VideoRoute, { name: 'create' | 'content' }> }

/** Decides whether a path belongs to the playground, even one that leads nowhere. */
export function isPlaygroundPath(path: string): boolean {
  return path.startsWith(`${playgroundRoot}/`)
}

/** `undefined` where there is nothing. */
export function playgroundCall(method: string, path: string): PlaygroundPath | undefined {
  if (path === playgroundPath) return method === 'POST' ? { kind: 'chat' } : undefined
  if (path === replayPath) return method === 'POST' ? { kind: 'replay' } : undefined
  const rest = path.slice(playgroundRoot.length)
  const call = matched(`${method} ${rest}`) ?? fixed[`${method} ${rest}`]
  switch (call?.kind) {
    case 'drawing':
      return call.route.name === 'submit' ? { kind: 'drawing', route: call.route } : undefined
    case 'music':
      return call.route.name === 'submit' ? { kind: 'music', route: call.route } : undefined
    case 'video':
      return call.route.name === 'show' ? undefined : { kind: 'video', route: call.route }
    default:
      return undefined
  }
}

function videoRoute(id: string, content: string | undefined): RelayPath {
  return { kind: 'video', route: { name: content === undefined ? 'show' : 'content', id } }
}

const geminiModes: Readonly<Record<string, CallMode>> = {
  counttokens: 'count-tokens',
  embedcontent: 'embeddings',
  batchembedcontents: 'embeddings',
}

function geminiCall(model: string, method: string): RelayPath {
  const name = method.toLowerCase()
  const mode = geminiModes[name] ?? 'chat'
  const call = { kind: 'call', dialect: 'gemini', mode, model: decoded(model) } as const
  if (mode === 'embeddings') return { ...call, isBatch: name.startsWith('batch') }
  return { ...call, stream: name.startsWith('stream') }
}

/** The format of errors of a path, also of an unknown one. */
export function dialectOf(received: string): DialectName {
  const { path } = meantPath(received)
  if (path.startsWith('/v1/messages')) return 'anthropic'
  if (path.startsWith('/v1/responses')) return 'responses'
  return /^\/v1(alpha|beta)\//.test(path) || geminiMethod.test(path) ? 'gemini' : 'openai'
}

/** Decides whether a path belongs to the relay rather than to the console or its pages. */
export function isRelayPath(path: string): boolean {
  return (
    path.startsWith('/v1/') ||
    path === '/v1' ||
    path.startsWith('/v1beta/') ||
    path === '/v1beta' ||
    path.startsWith('/v1alpha/') ||
    path.startsWith('/dashboard/billing/') ||
    path === '/rerank' ||
    path === '/rerank/' ||
    path === '/v2/rerank' ||
    path === '/v2/rerank/' ||
    isPlaygroundPath(path) ||
    taskForm(path) !== undefined ||
    isOtherPath(path)
  )
}
