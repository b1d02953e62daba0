import { type CodeKinds, decodeErrorBody, type RequestQuirks } from '@tollgate/formats'
import { endpointUrl } from './endpoint-url.ts'
import type { Provider, RelayMode, Target, UpstreamEndpoint } from './provider.ts'

/** A target without a model: what the list of models is asked with. */
export type Account = Omit<Target, 'upstreamModel'>

/** What differs between upstreams that speak OpenAI's dialect. Everything left out is as at OpenAI. */
export interface OpenAiCompatible {
  readonly id: string
  readonly defaultBaseUrl: string
  readonly modes: readonly RelayMode[]
  /** See `Provider.streamOptions`. */
  readonly streamOptions: boolean
  /** Path under the host that the endpoints live in, version included: `/v1`. */
  readonly root?: string | ((target: Account, mode: RelayMode | 'models') => string)
  /** Endpoints under the root that are called otherwise than at OpenAI. */
  readonly paths?: (mode: RelayMode, target: Target) => string | undefined
  /** Path of the list of models under the root; `false` when there is none. */
  readonly models?: string | false
  readonly headers?: (target: Account) => Readonly<Record<string, string>>
  readonly quirks?: RequestQuirks
  /** Kinds behind error codes of the upstream's own. */
  readonly codeKinds?: CodeKinds
  /** Reads a list of models that is not OpenAI's. */
  readonly decodeModels?: (body: unknown) => readonly string[]
}

const openAiPaths = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
} as const satisfies Record<RelayMode, string>

/** Makes a provider of an upstream that takes OpenAI's bodies as they are. */
export function openAiCompatible(spec: OpenAiCompatible): Provider {
  const { id, defaultBaseUrl, modes, streamOptions, quirks } = spec
  const { models = '/models', headers = bearer } = spec
  const under = (target: Account, mode: RelayMode | 'models', path: string): UpstreamEndpoint => {
    const root = typeof spec.root === 'function' ? spec.root(target, mode) : (spec.root ?? '/v1')
    return { url: endpointUrl(target.baseUrl || defaultBaseUrl, root, path), headers: headers(target) }
  }
  return {
    id,
    dialect: 'openai-chat',
    modes,
    defaultBaseUrl,
    streamOptions,
    ...(quirks === undefined ? {} : { quirks }),
    endpoint: (mode, target) => under(target, mode, spec.paths?.(mode, target) ?? openAiPaths[mode]),
    modelsEndpoint: (target) => (models === false ? undefined : under(target, 'models', models)),
    decodeModels: spec.decodeModels ?? ((body) => namesIn(body, 'data', 'id')),
    decodeError: (failure) => decodeErrorBody(failure, spec.codeKinds),
  }
}

/** A self-hosted upstream may have no key; then no header is sent. */
export function bearer({ key }: Pick<Target, 'key'>): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
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
