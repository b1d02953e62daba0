import { numberOf } from '../json/number-text.ts'
/** Tools that vendors run and charge by use. One word for each, whatever a dialect calls it. */
export const toolKinds = [
  'web_search',
  /** OpenAI's older search, at a price of its own. */
  'web_search_preview',
  'file_search',
  /** Charged by the container, which costs more with more memory. */
  'code_interpreter',
  'code_interpreter_4g',
  'code_interpreter_16g',
  'code_interpreter_64g',
  'code_execution',
  'image_generation',
  /** Charged by the query; before Gemini 3 by the prompt. */
  'google_search',
  'google_maps',
  'x_search',
  /** Charged by the source. */
  'live_search',
  /** xAI's search in files of the messages: no tool requests it. */
  'attachment_search',
  /** xAI's, of a kind that its usage counts and does not name. */
  'server_side_tool',
] as const
/** One of `toolKinds`. */
export type ToolKind = (typeof toolKinds)[number]

/** Number of runs of each tool. */
export type ToolCalls = { readonly [Kind in ToolKind]?: number }

const names: Readonly<Record<string, ToolKind>> = {
  googleSearch: 'google_search',
  googleSearchRetrieval: 'google_search',
  googleMaps: 'google_maps',
  fileSearch: 'file_search',
  collections_search: 'file_search',
}

const known: ReadonlySet<string> = new Set(toolKinds)

/** The kind of a tool as a request names it, with or without its release; `undefined` for one that has no price anywhere. */
export function toolKindOf(name: string): ToolKind | undefined {
  if (Object.hasOwn(names, name)) return names[name]
  const kind = name.replace(/(_\d{8}|_\d{4}_\d\d_\d\d)$/, '')
  return known.has(kind) ? (kind as ToolKind) : undefined
}

/** No upstream is believed to have run one tool more often for one call. */
const maxCalls = 1000

/** Counts as an upstream sent them: leaves out invalid ones and caps absurd ones. `undefined` without any. */
export function toolCallsOf(counts: Readonly<Partial<Record<ToolKind, unknown>>>): ToolCalls | undefined {
  const calls: Partial<Record<ToolKind, number>> = {}
  for (const kind of toolKinds) {
    const count = numberOf(counts[kind]) ?? 0
    if (Number.isInteger(count) && count > 0) calls[kind] = Math.min(count, maxCalls)
  }
  return Object.keys(calls).length === 0 ? undefined : calls
}

/** Calls of both; of one call whose parts are counted apart. */
export function addToolCalls(a: ToolCalls | undefined, b: ToolCalls | undefined): ToolCalls | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return toolCallsOf(Object.fromEntries(toolKinds.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)])))
}

/** Ways of serving a call that have a price of their own: classes of service, Anthropic's fast mode, and where a model runs. */
export const serviceTiers = ['flex', 'priority', 'ultrafast', 'batch', 'scale', 'fast', 'us'] as const
/** One of `serviceTiers`. */
export type ServiceTier = (typeof serviceTiers)[number]

/**
 * Service of a call, by what chose it, in the words of `serviceTiers`; `standard` for the usual way. What the
 * response does not name is absent.
 */
export interface Service {
  readonly tier?: ServiceTier | 'standard'
  readonly speed?: ServiceTier | 'standard'
  readonly geo?: ServiceTier | 'standard'
}

/** Choice of a service: a class of service, a speed, a place. */
type ServiceChoice = keyof Service

type TierNames = Readonly<Record<string, ServiceTier>>

/** Each choice has words of its own: OpenAI's tier `fast` is its priority, Claude's speed `fast` has a price of its own. */
const tierNames: Readonly<Record<ServiceChoice, TierNames>> = {
  // https://developers.openai.com/api/docs/guides/fast-mode
  tier: {
    flex: 'flex',
    priority: 'priority',
    fast: 'priority',
    ultrafast: 'ultrafast',
    batch: 'batch',
    scale: 'scale',
    service_tier_flex: 'flex',
    service_tier_priority: 'priority',
    on_demand_flex: 'flex',
    on_demand_priority: 'priority',
  },
  speed: { fast: 'fast' },
  geo: { us: 'us' },
}

const standard: ReadonlySet<string> = new Set([
  'standard',
  'default',
  'on_demand',
  'global',
  'service_tier_standard',
  'provisioned_throughput',
])

/** One service tier, as a vendor names it; `undefined` for `auto` and for unknown names. */
export function serviceTierOf(choice: ServiceChoice, name: unknown): ServiceTier | 'standard' | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const word = name.toLowerCase()
  if (standard.has(word)) return 'standard'
  return Object.hasOwn(tierNames[choice], word) ? tierNames[choice][word] : undefined
}

/** Returns what a response, or a request, names of it. `undefined` where it names nothing. */
export function serviceOf(names: { readonly [Choice in ServiceChoice]?: unknown }): Service | undefined {
  const tier = serviceTierOf('tier', names.tier)
  const speed = serviceTierOf('speed', names.speed)
  const geo = serviceTierOf('geo', names.geo)
  if (tier === undefined && speed === undefined && geo === undefined) return undefined
  return {
    ...(tier !== undefined && { tier }),
    ...(speed !== undefined && { speed }),
    ...(geo !== undefined && { geo }),
  }
}
