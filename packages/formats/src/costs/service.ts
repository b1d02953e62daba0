/** Ways of serving a call that have a price of their own: classes of service, Anthropic's fast mode, and where a model runs. */
export const serviceTiers = ['flex', 'priority', 'ultrafast', 'batch', 'scale', 'fast', 'us'] as const
export type ServiceTier = (typeof serviceTiers)[number]

/**
 * How a call was served, by what chose it, in the words of `serviceTiers`; `standard` for the usual way. What the
 * response does not name is absent.
 */
export interface Service {
  readonly tier?: ServiceTier | 'standard'
  readonly speed?: ServiceTier | 'standard'
  readonly geo?: ServiceTier | 'standard'
}

/** What chooses how a call is served: a class of service, a speed, a place. */
export type ServiceChoice = keyof Service

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

const usual: ReadonlySet<string> = new Set([
  'standard',
  'default',
  'on_demand',
  'global',
  'service_tier_standard',
  'provisioned_throughput',
])

/** One way of serving, as a vendor names it; `undefined` for `auto` and for what nobody knows. */
export function serviceTierOf(choice: ServiceChoice, name: unknown): ServiceTier | 'standard' | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const word = name.toLowerCase()
  if (usual.has(word)) return 'standard'
  return Object.hasOwn(tierNames[choice], word) ? tierNames[choice][word] : undefined
}

/** What a response, or a request, names of it. `undefined` where it names nothing. */
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
