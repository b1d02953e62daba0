import { listOf, type ModeCodec, objectOf, textOf } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import { versionedUrl } from '../endpoint-url.ts'
import type { ChannelTarget, Operation, Provider, RelayMode } from '../provider.ts'
import { cohereChat, decodeError } from './chat/codec.ts'
import type { SafetyMode } from './chat/encode-request.ts'
import { cohereEmbed } from './embed.ts'
import { cohereRerank } from './rerank.ts'

const defaultBaseUrl = 'https://api.cohere.ai'

function chatWith(safety: SafetyMode): Operation {
  return {
    format: 'cohere-chat',
    codec: cohereChat(safety),
    framing: 'sse',
    streamOptions: false,
    endpoint: (target, { stream }) => ({
      url: addressOf(target, '/v2', '/chat'),
      headers: { accept: stream ? 'text/event-stream' : 'application/json' },
    }),
    decodeError,
  }
}

/** A mode that is no chat, in Cohere's form of it. */
function plainOperation(mode: string, path: string, plain: ModeCodec): Operation {
  return {
    format: `provider:cohere-${mode}`,
    plain,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target) => ({
      url: addressOf(target, '/v2', path),
      headers: { accept: 'application/json' },
    }),
    decodeError,
  }
}

const plainOperations: { readonly [Mode in RelayMode]?: Operation } = {
  embeddings: plainOperation('embeddings', '/embed', cohereEmbed),
  rerank: plainOperation('rerank', '/rerank', cohereRerank),
}

/**
 * https://docs.cohere.com/reference/about
 * @param safety of every chat without tools
 */
export function createCohere(safety: SafetyMode): Provider {
  const chat = chatWith(safety)
  return {
    id: 'cohere',
    defaultBaseUrl,
    credential: { kind: 'headers', headers: bearer },
    modes: ['chat', 'embeddings', 'rerank'],
    operation: (mode) => (mode === 'chat' ? chat : plainOperations[mode]),
    models: {
      endpoint: (target) => ({ url: addressOf(target, '/v1', '/models?page_size=1000'), headers: {} }),
      decode: (body) => [...new Set(listOf(objectOf(body).models).flatMap(servedName))],
    },
    decodeError,
  }
}

export const cohere = createCohere('NONE')

/** Every endpoint has the version in which it is the latest: one that the operator typed is none of the address's own. */
function addressOf({ baseUrl }: ChannelTarget, version: string, path: string): string {
  return versionedUrl(
    (baseUrl || defaultBaseUrl)
      .trim()
      .replace(/\/+$/, '')
      .replace(/\/v\d+$/, ''),
    version,
    path,
  )
}

const served: ReadonlySet<unknown> = new Set(['chat', 'embed', 'rerank'])

/** Models that only classify or summarise are not asked for through us. */
function servedName(model: unknown): readonly string[] {
  const { name, endpoints } = objectOf(model)
  const asked = listOf(endpoints)
  const isServed = asked.length === 0 || asked.some((endpoint) => served.has(endpoint))
  return textOf(name) !== '' && isServed ? [textOf(name)] : []
}
