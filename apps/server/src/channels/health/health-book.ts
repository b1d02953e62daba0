import type { Clock } from '@tollgate/base'
import { getOrInsert } from '@tollgate/base'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import { routingName } from '../routing/routing-name.ts'
import type { AttemptOutcome, HealthBook } from '../routing/routing-types.ts'
import { ChannelHealth, healthyView, type ModelHealth, viewOf } from './channel-health.ts'
import type { Rest, RestLength } from './cooldown.ts'
import type { DecisionLog } from './decision-log.ts'
import { breakerLength, inWords, verdictOf } from './failure-effects.ts'

interface HealthDependencies {
  readonly clock: Clock
  readonly random?: () => number
  readonly decisions?: DecisionLog
  /** How many keys a channel has, so that `retryAt` knows when all of them rest; one when not given. */
  readonly keyCount?: (channelId: number) => number
}

const faultsToOpen = 5
const rateToOpen = 0.5
/** A start computed from a duration may come out a little early. */
const clockSlackMs = 5
const newChannelHealth = () => new ChannelHealth()
const sweepEveryMs = 5 * 60_000

/**
 * Health of every channel in memory. `admits` and `record` run for every call: a few look-ups, nothing allocated
 * once a channel and model are known.
 */
export function createHealthBook(deps: HealthDependencies): HealthBook {
  const { clock, random = Math.random, decisions, keyCount = () => 1 } = deps
  const channels = new Map<number, ChannelHealth>()
  /** Channels of which something may rest: hardly ever many, so that for the others a call looks no further. */
  const troubled = new Set<number>()
  let nextSweep = 0

  function sweep(now: number): void {
    if (now < nextSweep) return
    nextSweep = now + sweepEveryMs
    for (const health of channels.values()) health.dropIdle(now)
    for (const id of troubled) if (channels.get(id)?.hasRests !== true) troubled.delete(id)
  }

  function begin(at: Place, rest: Rest, length: RestLength, reason: string, askedMs?: number): void {
    if (!rest.begin(clock.now(), length, reason, random, askedMs)) return
    decisions?.add({ kind: 'rest', ...at, reason })
  }

  function endRests(outcome: AttemptOutcome, channel: ChannelHealth, model: ModelHealth, now: number): void {
    const { channelId, keyIndex } = outcome
    const name = routingName(outcome.model)
    if (model.rest?.succeed(now) === true) {
      model.clear()
      recovered({ channelId, model: name })
    }
    const keyRecovered = channel.keys?.get(keyIndex)?.succeed(now) ?? false
    const keyOfModelRecovered = model.keys?.get(keyIndex)?.succeed(now) ?? false
    if (keyRecovered || keyOfModelRecovered) recovered({ channelId, keyIndex, model: name })
  }

  function recovered(at: Place): void {
    decisions?.add({ kind: 'recover', ...at, reason: 'a call succeeded' })
  }

  function recordFault(at: Place, model: ModelHealth, error: UpstreamErrorInfo, now: number): void {
    const rest = model.restOf()
    model.add(now, true)
    const { successes, failures } = model
    const attempts = successes + failures
    const opens = failures >= faultsToOpen && failures >= rateToOpen * attempts
    if (rest.state(now) === 'closed' ? !opens : rest.state(now) === 'open') return
    begin(at, rest, breakerLength, `${failures} of ${attempts} calls failed in a minute: ${inWords(error)}`)
  }

  function recordFailure(
    outcome: AttemptOutcome,
    error: UpstreamErrorInfo,
    channel: ChannelHealth,
    model: ModelHealth,
    now: number,
  ): void {
    const { channelId, keyIndex } = outcome
    const name = routingName(outcome.model)
    troubled.add(channelId)
    // Whatever it says, and of whom: if it was a probe, that is over.
    model.rest?.unclaim()
    channel.keys?.get(keyIndex)?.unclaim()
    model.keys?.get(keyIndex)?.unclaim()
    const verdict = verdictOf(error)
    switch (verdict.on) {
      case 'nothing':
        break
      case 'fault':
        recordFault({ channelId, model: name }, model, error, now)
        break
      case 'model-rest':
        begin({ channelId, model: name }, model.restOf(), verdict.length, inWords(error))
        break
      case 'key-rest':
        begin({ channelId, keyIndex }, channel.restOfKey(keyIndex), verdict.length, inWords(error))
        break
      case 'key-model-rest': {
        const place = { channelId, keyIndex, model: name }
        begin(place, model.restOfKey(keyIndex), verdict.length, inWords(error), error.retryAfterMs)
        break
      }
    }
  }

  /** When the first of the channel's keys may serve the model; 0 for now. */
  function keysNextAt(
    channelId: number,
    channel: ChannelHealth,
    model: ModelHealth | undefined,
    now: number,
  ): number {
    let earliest = Number.POSITIVE_INFINITY
    for (let index = 0; index < keyCount(channelId); index += 1) {
      const at = Math.max(
        channel.keys?.get(index)?.nextAt(now) ?? 0,
        model?.keys?.get(index)?.nextAt(now) ?? 0,
      )
      if (at === 0) return 0
      earliest = Math.min(earliest, at)
    }
    return Number.isFinite(earliest) ? earliest : 0
  }

  return {
    admits(channelId, keyIndex, modelName) {
      const channel = troubled.has(channelId) ? channels.get(channelId) : undefined
      if (channel === undefined) return true
      const now = clock.now()
      const model = channel.find(routingName(modelName))
      const key = channel.keys?.get(keyIndex)
      const keyOfModel = model?.keys?.get(keyIndex)
      if (
        model?.rest?.admits(now) === false ||
        key?.admits(now) === false ||
        keyOfModel?.admits(now) === false
      ) {
        return false
      }
      model?.rest?.claim(now)
      key?.claim(now)
      keyOfModel?.claim(now)
      return true
    },
    retryAt(channelId, modelName) {
      const channel = channels.get(channelId)
      if (channel === undefined) return 0
      const now = clock.now()
      const model = channel.find(routingName(modelName))
      return Math.round(Math.max(model?.rest?.nextAt(now) ?? 0, keysNextAt(channelId, channel, model, now)))
    },
    record(outcome) {
      const now = clock.now()
      sweep(now)
      const channel = getOrInsert(channels, outcome.channelId, newChannelHealth)
      channel.addLatency(now, outcome.ms)
      // The attempt began before an edit or a passing test: it speaks of a channel that is no more.
      if (now - outcome.ms + clockSlackMs < channel.resetAt) return
      const model = channel.model(routingName(outcome.model))
      if (outcome.error !== undefined) return recordFailure(outcome, outcome.error, channel, model, now)
      model.add(now, false)
      if (troubled.has(outcome.channelId)) endRests(outcome, channel, model, now)
    },
    reset(channelId) {
      channels.get(channelId)?.reset(clock.now())
      troubled.delete(channelId)
    },
    view(channelId) {
      const channel = channels.get(channelId)
      return channel === undefined ? healthyView : viewOf(channel, clock.now())
    },
  }
}

/** What a decision is about. */
interface Place {
  readonly channelId: number
  readonly keyIndex?: number
  readonly model?: string
}
