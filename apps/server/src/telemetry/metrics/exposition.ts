import type { Family, Labels } from './family.ts'

/** The text of a scrape, and its content type. */
export interface Exposition {
  readonly contentType: string
  readonly body: string
}

interface ClientSample {
  readonly metricName?: string
  readonly labels: Labels
  readonly value: number
}

/** Writes metrics in Prometheus' text form. */
export async function exposition(families: readonly Family[]): Promise<Exposition> {
  // Nobody pays for it who is not scraped.
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  // The registry asks a metric for its values and nothing else; its type wants a class of the library.
  for (const family of families)
    registry.registerMetric({ name: family.name, get: async () => clientMetric(family) } as never)
  return { contentType: registry.contentType, body: await registry.metrics() }
}

function clientMetric(family: Family) {
  const { name, help, type } = family
  return { name, help, type, values: type === 'histogram' ? bucketSamples(family) : family.samples }
}

/** Cumulative buckets, as Prometheus has them. */
function bucketSamples({ name, bounds, points }: Extract<Family, { type: 'histogram' }>): ClientSample[] {
  return points.flatMap(({ labels, counts, sum }) => {
    let total = 0
    const buckets = counts.map((count, index): ClientSample => {
      total += count
      const le = bounds[index] === undefined ? '+Inf' : String(bounds[index])
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  })
}
