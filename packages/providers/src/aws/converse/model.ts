/** What a model behind Converse takes, as far as it depends on whose it is. */
export interface ConverseTraits {
  readonly family: Family
  /** Takes instructions of their own; for others they are the user's first words. */
  readonly system: boolean
  /** Which choices among tools can be said beside `auto`. */
  readonly toolChoice: 'none' | 'any' | 'tool'
  /** Takes marks of what is to be cached. */
  readonly cachePoints: boolean
  /** Name of the field for `top_k` among the model's own; empty when there is none. */
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
export function converseTraits(model: string): ConverseTraits {
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
