import type { RouteChange, RouteOutcome, WhatIf } from '@tollgate/api'
import { buildSnapshot } from '../routing/channel-snapshot.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import { type ExpectedRoute, expectedRoute } from './expected-route.ts'
import type { Observations } from './observations.ts'

export interface WhatIfQuery {
  readonly group: string
  /** One alone; all that were called when absent. */
  readonly model: string | undefined
  readonly changes: readonly RouteChange[]
  /** Channels that one call tries, at most. */
  readonly maxAttempts: number
}

interface Routed extends RouteOutcome {
  readonly calls: number
  readonly byChannel: ReadonlyMap<number, number>
}

/**
 * The calls that were observed, routed by the channels as they are and with changed priorities and weights: expected values, by
 * the failure rates, latencies and costs that were observed.
 */
export function whatIf(
  query: WhatIfQuery,
  snapshot: Pick<ChannelSnapshot, 'channels'>,
  observations: Observations,
): Omit<WhatIf, 'from'> {
  const changed = new Map(query.changes.map((change) => [change.id, change]))
  const after = snapshot.channels.map((channel) => ({
    ...channel,
    ...routingFields(changed.get(channel.id)),
  }))
  const [was, is] = [snapshot.channels, after].map((channels) =>
    routed(query, buildSnapshot(channels, []), observations),
  ) as [Routed, Routed]
  return {
    calls: was.calls,
    before: outcomeOf(was),
    after: outcomeOf(is),
    channels: channelsOf(query, snapshot.channels, [was, is], observations),
  }
}

function routingFields(change: RouteChange | undefined): Partial<Pick<RoutedChannel, 'priority' | 'weight'>> {
  return change === undefined ? {} : { priority: change.priority, weight: change.weight }
}

function routed(
  { group, model: only, maxAttempts }: WhatIfQuery,
  snapshot: ChannelSnapshot,
  seen: Observations,
): Routed {
  const sums = new RouteSums()
  for (const [model, calls] of seen.calls) {
    const tiers = only === undefined || only === model ? snapshot.tiers(group, model) : undefined
    if (tiers === undefined) continue
    const way = expectedRoute(tiers, maxAttempts, ({ id }) => seen.failureRate(id, model))
    sums.add(way, calls)
    for (const [{ id }, part] of way.answered)
      sums.addAnswered(id, part * calls, seen.latencyMs(id, model), seen.cost(id, model))
  }
  return sums.read()
}

/** Calls of all models, added up. */
class RouteSums {
  readonly #byChannel = new Map<number, number>()
  readonly #latency = { sum: 0, calls: 0 }
  readonly #cost = { sum: 0, calls: 0 }
  #calls = 0
  #failed = 0
  #retried = 0

  add({ failed, failures }: ExpectedRoute, calls: number): void {
    this.#calls += calls
    this.#failed += failed * calls
    // The last failure of a call that fails was made good by nobody.
    this.#retried += Math.max(0, failures - failed) * calls
  }

  addAnswered(id: number, calls: number, latencyMs: number | undefined, cost: number | undefined): void {
    this.#byChannel.set(id, (this.#byChannel.get(id) ?? 0) + calls)
    addTo(this.#latency, latencyMs, calls)
    addTo(this.#cost, cost, calls)
  }

  read(): Routed {
    return {
      calls: this.#calls,
      failed: this.#failed,
      retried: this.#retried,
      latency_ms: this.#latency.calls === 0 ? null : this.#latency.sum / this.#latency.calls,
      cost: this.#cost.sum,
      costed: this.#calls === 0 ? 0 : this.#cost.calls / this.#calls,
      byChannel: this.#byChannel,
    }
  }
}

function addTo(known: { sum: number; calls: number }, value: number | undefined, calls: number): void {
  if (value === undefined) return
  known.sum += value * calls
  known.calls += calls
}

function outcomeOf({ failed, retried, latency_ms, cost, costed }: Routed): RouteOutcome {
  return { failed, retried, latency_ms, cost, costed }
}

function channelsOf(
  { model }: WhatIfQuery,
  channels: readonly RoutedChannel[],
  [was, is]: readonly [Routed, Routed],
  observations: Observations,
): WhatIf['channels'] {
  const models = model === undefined ? [...observations.calls.keys()] : [model]
  return channels
    .map(({ id, name }) => ({
      id,
      name,
      before: was.byChannel.get(id) ?? 0,
      after: is.byChannel.get(id) ?? 0,
      observed: models.some((each) => observations.at(id, each).attempts > 0),
    }))
    .filter(({ before, after }) => before > 0 || after > 0)
    .sort(
      (a, b) =>
        Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || b.before - a.before || a.id - b.id,
    )
}
