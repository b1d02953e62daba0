import { type CacheMark, CallIds, type EncodeTarget, type JsonObject } from '@tollgate/formats'

/** Features of a model behind Converse, as far as they depend on its vendor. */
interface ConverseTraits {
  readonly family: Family
  /** Takes instructions of their own; for others they are the user's first words. */
  readonly system: boolean
  /** Choices among tools that it accepts beside `auto`. */
  readonly toolChoice: 'none' | 'any' | 'tool'
  /** Takes marks of what is to be cached. */
  readonly cachePoints: boolean
  /** Name of the field for `top_k` among the model's own; empty without one. */
  readonly topK: 'top_k' | 'k' | 'inferenceConfig' | ''
}

type Family = 'claude' | 'nova' | 'nova-2' | 'mistral' | 'gpt-oss' | 'cohere' | 'other'

const families: readonly (readonly [RegExp, Family])[] = [
  [/anthropic\.|claude/, 'claude'],
  [/nova-2-/, 'nova-2'],
  [/nova-/, 'nova'],
  [/mistral\.|mistral-|ministral|pixtral|magistral/, 'mistral'],
  [/gpt-oss/, 'gpt-oss'],
  [/cohere\./, 'cohere'],
]

const choices: Readonly<Partial<Record<Family, ConverseTraits['toolChoice']>>> = {
  claude: 'tool',
  nova: 'tool',
  'nova-2': 'tool',
  mistral: 'any',
}

const topKs: Readonly<Partial<Record<Family, ConverseTraits['topK']>>> = {
  claude: 'top_k',
  nova: 'inferenceConfig',
  'nova-2': 'inferenceConfig',
  mistral: 'top_k',
  cohere: 'k',
}

const withoutSystem = /mistral-7b-|mixtral-8x7b-|titan-text-|cohere\.command-(text|light-text)-/
/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const caching: ReadonlySet<Family> = new Set(['claude', 'nova', 'nova-2'])

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html */
function converseTraits(model: string): ConverseTraits {
  const name = model.toLowerCase()
  const family = families.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
  return {
    family,
    system: !withoutSystem.test(name),
    toolChoice: choices[family] ?? 'none',
    cachePoints: caching.has(family),
    topK: topKs[family] ?? '',
  }
}

/** State of encoding one request. */
export interface Encoding {
  readonly traits: ConverseTraits
  /** Names of what was left out and does not change the response. */
  readonly dropped: Set<string>
  readonly callIds: CallIds
  /** Names that documents have in this request: each must be its own. */
  readonly documentNames: Set<string>
}

/** Begins to encode a request for a model. */
export function startEncoding({ model }: EncodeTarget): Encoding {
  return {
    traits: converseTraits(model),
    dropped: new Set(),
    callIds: new CallIds(),
    documentNames: new Set(),
  }
}

/** The block that ends the content to cache; nothing for models without a prompt cache. */
export function cachePoint(
  cache: CacheMark | undefined,
  { traits, dropped }: Encoding,
): readonly JsonObject[] {
  if (cache === undefined) return []
  if (!traits.cachePoints) {
    dropped.add('cache')
    return []
  }
  const longer = cache.ttl === '1h' && traits.family === 'claude'
  return [{ cachePoint: { type: 'default', ...(longer && { ttl: '1h' }) } }]
}
