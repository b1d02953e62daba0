import { NumberText, withoutText } from '../json/number-text.ts'
/** A feature that a caller requests by a field and that token counts do not show: it costs more, or concerns privacy. */
export type CostFeature =
  /** Priority, flex and other classes of service. */
  | 'service-tier'
  /** Anthropic's fast mode. */
  | 'speed'
  /** Region in which the model runs, where that has a price. */
  | 'inference-geo'
  /** Tools that the vendor runs and charges by the call, the hour or the page. */
  | 'hosted-tool'
  /** Another model or host than the one that is priced. */
  | 'other-model'
  /** Prompts beyond a length from which the vendor charges more. */
  | 'long-context'
  /** Prompts that are kept in a cache for longer than usual, where the vendor does not count them apart. */
  | 'long-cache'
  | 'store'
  | 'safety-identifier'
  | 'stream-obfuscation'

/** Features that cost nothing: what a channel does not let pass is left out without a word. */
export const privateFeatures: ReadonlySet<CostFeature> = new Set([
  'store',
  'safety-identifier',
  'stream-obfuscation',
])

/** Location of a field: a path into the body, or one item of a header field that is a list. */
type FieldPosition =
  | { readonly path: readonly (string | number)[] }
  | { readonly header: string; readonly item: string }

/** One field of a request by which its caller changes what the vendor charges. */
export interface CostlyField {
  readonly feature: CostFeature
  /** Requested value of the feature: the tier, the place, or the kind of tool. */
  readonly value: string
  /** The field in the caller's own words, as a path. */
  readonly param: string
  readonly position: FieldPosition
  /** Upstreams that the field can be carried to: of the caller's own format alone, of every format, or Gemini's alone. */
  readonly reaches: 'own' | 'every' | 'gemini'
  /** The call works without it: agents declare their vendor's tool beside tools of the caller's own. */
  readonly isOptional: boolean
}

export const noCostlyFields: readonly CostlyField[] = []

/** Feature that a field asks for, and the values that change no price. */
export interface FieldRow {
  readonly feature: CostFeature
  /** Values that ask for nothing; null, false and what is empty are among them everywhere. */
  readonly harmless?: readonly unknown[]
  /** A member by which an object says that it asks for nothing. */
  readonly offBy?: readonly [member: string, value: unknown]
  /** An object without members asks for it, too. */
  readonly evenEmpty?: true
  /** The kind of tool, where the value does not say what is asked for. */
  readonly tool?: string
  /** Translated for upstreams of other formats. */
  readonly isTranslated?: true
}

/** Rows by the name of their field. */
export type FieldRows = ReadonlyMap<string, FieldRow>

/** The classes that cost what the model costs, as the vendors call them. */
const defaultTiers = ['auto', 'default', 'standard', 'standard_only', 'on_demand']

const serviceTier: FieldRow = { feature: 'service-tier', harmless: defaultTiers, isTranslated: true }

/** OpenRouter and similar gateways choose the model and its provider by these fields. */
const routing: readonly [string, FieldRow][] = [
  'models',
  'fallbacks',
  'route',
  'provider',
  'providerOptions',
  'preset',
].map((name) => [name, { feature: 'other-model' }])

const privacy: readonly [string, FieldRow][] = [
  ['store', { feature: 'store' }],
  ['safety_identifier', { feature: 'safety-identifier' }],
]

/** Switches of vendors' own for tools that they run, in bodies of OpenAI's formats. */
const vendorTools: readonly [string, FieldRow][] = [
  ['web_search_options', { feature: 'hosted-tool', tool: 'web_search', evenEmpty: true }],
  // OpenRouter, MiniMax, Qwen.
  ['plugins', { feature: 'hosted-tool', tool: 'plugins' }],
  // xAI's live search.
  [
    'search_parameters',
    { feature: 'hosted-tool', tool: 'live_search', offBy: ['mode', 'off'], evenEmpty: true },
  ],
  // Qwen.
  ['enable_search', { feature: 'hosted-tool', tool: 'web_search' }],
  ['search_options', { feature: 'hosted-tool', tool: 'web_search' }],
  ['enable_code_interpreter', { feature: 'hosted-tool', tool: 'code_interpreter' }],
  // Qianfan.
  ['web_search', { feature: 'hosted-tool', tool: 'web_search', offBy: ['enable', false] }],
  // Hunyuan.
  ['enable_enhancement', { feature: 'hosted-tool', tool: 'web_search' }],
  ['force_search_enhancement', { feature: 'hosted-tool', tool: 'web_search' }],
  ['enable_deep_search', { feature: 'hosted-tool', tool: 'web_search' }],
  // Moonshot.
  ['use_search', { feature: 'hosted-tool', tool: 'web_search' }],
  // Cohere and Mistral.
  ['connectors', { feature: 'hosted-tool', tool: 'connectors' }],
  // Groq's compound systems: their tools, and the models that they ask.
  ['compound_custom', { feature: 'hosted-tool', tool: 'compound' }],
]

const openAi: FieldRows = new Map([['service_tier', serviceTier], ...routing, ...privacy, ...vendorTools])

const anthropic: FieldRows = new Map<string, FieldRow>([
  ['service_tier', serviceTier],
  ['speed', { feature: 'speed', harmless: ['standard'] }],
  ['inference_geo', { feature: 'inference-geo', harmless: ['global', 'not_available'] }],
  // Skills run in a container, which is charged by its time.
  ['container', { feature: 'hosted-tool', tool: 'code_execution' }],
  ...routing,
  ...privacy,
])

const gemini: FieldRows = new Map<string, FieldRow>([
  [
    'serviceTier',
    { ...serviceTier, harmless: [...defaultTiers, 'STANDARD', 'unspecified', 'SERVICE_TIER_UNSPECIFIED'] },
  ],
])

/** Fields by the caller's format; modes other than chat have the fields of Chat Completions. */
export const fieldRows = {
  'openai-chat': openAi,
  'openai-responses': openAi,
  'anthropic-messages': anthropic,
  gemini,
} as const satisfies Readonly<Record<string, FieldRows>>

/** Names of members that change a price, in every spelling that is read: readers of a body must agree on each. */
export const costlyNames = {
  'openai-chat': [
    ...openAi.keys(),
    'tools',
    'functions',
    'stream_options',
    'prompt_cache_options',
    'extra_body',
  ],
  'openai-responses': [...openAi.keys(), 'tools', 'stream_options', 'prompt_cache_options'],
  'anthropic-messages': [...anthropic.keys(), 'tools', 'anthropic_beta'],
  gemini: ['tools', 'serviceTier', 'service_tier'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Returns whether a value asks for nothing. */
export function isHarmless(value: unknown, { harmless = [], offBy, evenEmpty }: FieldRow): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  if (typeof value !== 'object' || value instanceof NumberText) return harmless.includes(withoutText(value))
  const members = Object.entries(value)
  return (members.length === 0 && evenEmpty !== true) || (offBy !== undefined && members.some(isEntry(offBy)))
}

function isEntry([name, value]: readonly [string, unknown]) {
  return ([member, stated]: readonly [string, unknown]) => member === name && stated === withoutText(value)
}
