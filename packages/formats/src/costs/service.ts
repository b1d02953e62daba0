/** Ways of serving a call that have a price of their own: classes of service, Anthropic's fast mode, and where a model runs. */
export const serviceTiers = ['flex', 'priority', 'batch', 'scale', 'fast', 'us'] as const
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

const known: ReadonlySet<string> = new Set(serviceTiers)

const otherNames: Readonly<Record<string, ServiceTier>> = {
  service_tier_flex: 'flex',
  service_tier_priority: 'priority',
  on_demand_flex: 'flex',
  on_demand_priority: 'priority',
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
export function serviceTierOf(name: unknown): ServiceTier | 'standard' | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const word = name.toLowerCase()
  if (usual.has(word)) return 'standard'
  if (Object.hasOwn(otherNames, word)) return otherNames[word]
  return known.has(word) ? (word as ServiceTier) : undefined
}

/** What a response, or a request, names of it. `undefined` where it names nothing. */
export function serviceOf(names: { tier?: unknown; speed?: unknown; geo?: unknown }): Service | undefined {
  const tier = serviceTierOf(names.tier)
  const speed = serviceTierOf(names.speed)
  const geo = serviceTierOf(names.geo)
  if (tier === undefined && speed === undefined && geo === undefined) return undefined
  return {
    ...(tier !== undefined && { tier }),
    ...(speed !== undefined && { speed }),
    ...(geo !== undefined && { geo }),
  }
}
