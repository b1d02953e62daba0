import { getOrInsert } from '@tollgate/base'
import type { Across, Family, HistogramPoint, Labels, Sample } from './family.ts'

/**
 * Joins what the processes of one machine say of themselves, so that a scrape counts each call once whichever of them it reaches.
 * Counters and histograms are summed, gauges by their rule.
 */
export function mergedFamilies(all: readonly (readonly Family[])[]): readonly Family[] {
  const byName = new Map<string, Family[]>()
  for (const family of all.flat()) getOrInsert(byName, family.name, () => []).push(family)
  return [...byName.values()].flatMap((families) => merged(families) ?? [])
}

/**
 * Returns what a scrape still counts when a process has ended, so that no sum of the machine ever falls, which Prometheus would take for a
 * restart of all.
 */
export function retainedFamilies(former: unknown, last: unknown): readonly Family[] {
  return mergedFamilies([familiesOf(former), familiesOf(last).filter(({ type }) => type !== 'gauge')])
}

/** Reads what another process of this program said; nothing where it has said nothing. */
export function familiesOf(value: unknown): readonly Family[] {
  // Written by `ReadFamilies` of the same program, but for the moments in which workers are replaced.
  return Array.isArray(value) ? (value as readonly Family[]) : []
}

function merged(families: readonly Family[]): Family | undefined {
  const [first] = families
  if (first === undefined) return undefined
  if (first.type !== 'histogram') {
    const across = first.type === 'gauge' ? first.across : 'sum'
    return { ...first, samples: mergedSamples(families, across) }
  }
  const points = families.flatMap((family) => (family.type === 'histogram' ? family.points : []))
  return { ...first, points: mergedPoints(points) }
}

const joins: Readonly<Record<Across, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
}

function mergedSamples(families: readonly Family[], across: Across): readonly Sample[] {
  const samples = new Map<string, Sample>()
  for (const family of families) {
    if (family.type === 'histogram') continue
    for (const { labels, value } of family.samples) {
      const known = samples.get(keyOf(labels))
      samples.set(keyOf(labels), { labels, value: known ? joins[across](known.value, value) : value })
    }
  }
  return [...samples.values()]
}

/** A process of another version may have other bounds: its points are left out while it is replaced. */
function mergedPoints(points: readonly HistogramPoint[]): readonly HistogramPoint[] {
  const byLabels = new Map<string, HistogramPoint>()
  for (const point of points) {
    const known = byLabels.get(keyOf(point.labels))
    if (known === undefined) byLabels.set(keyOf(point.labels), point)
    else if (known.counts.length === point.counts.length)
      byLabels.set(keyOf(point.labels), {
        labels: point.labels,
        counts: known.counts.map((count, index) => count + (point.counts[index] ?? 0)),
        sum: known.sum + point.sum,
      })
  }
  return [...byLabels.values()]
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
