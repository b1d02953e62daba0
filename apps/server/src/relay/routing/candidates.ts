import type { CallMode, Operation, Target } from '@tollgate/providers'
import type { HealthBook } from '../../channels/health/health-types.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import { canCarry, passesThrough } from '../../upstream/call-body.ts'
import { channelTarget } from '../../upstream/upstream-channel.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { KeyRing } from './key-ring.ts'
import type { Planned } from './planned.ts'

/** A channel with the key that is to serve the next attempt, and how it is asked. */
export interface Candidate {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  /** As the caller asked for it. */
  readonly model: string
  readonly upstreamModel: string
  readonly operation: Operation
  /** The body goes on as it was received. */
  readonly passThrough: boolean
}

interface CandidateDependencies {
  readonly keyRing: KeyRing
  readonly health: Pick<HealthBook, 'cooldownMs'>
}

/** What a channel must be able to serve. */
export interface Wanted {
  readonly mode: CallMode
  readonly model: string
  readonly request: Pick<CallRequest, 'format' | 'canonical' | 'encodeOwn' | 'suits' | 'pivot'>
  /** Of every channel, whatever its own setting. */
  readonly passThrough?: boolean
}

/** Keys of one channel tried for one call, at most: a channel of a hundred dead keys must not hold the caller up. */
const maxKeysPerChannel = 3

/** Walks a plan: healthy channels in its order, then those in cooldown, the soonest to come back first. */
export class Candidates {
  readonly #wanted: Wanted
  readonly #planned: Planned
  readonly #deps: CandidateDependencies
  /** Passed by; sorted once the plan is at its end. */
  #cooling: RoutedChannel[] | undefined
  #sorted = false
  readonly #unsuited = new Set<number>()
  #triedKeys: Map<number, Set<number>> | undefined
  /** A channel that was passed by because its model mapping has no end for the model. */
  loopingChannel: RoutedChannel | undefined

  constructor(wanted: Wanted, planned: Planned, deps: CandidateDependencies) {
    this.#wanted = wanted
    this.#planned = planned
    this.#deps = deps
  }

  /** Types of the channels, where each was passed by because it cannot be asked this at all; else none. */
  get unsuited(): readonly number[] {
    return this.#cooling === undefined ? [...this.#unsuited] : []
  }

  /** The next attempt: never a channel already tried, one in cooldown only when no other is left. */
  next(): Candidate | undefined {
    return this.#nextHealthy() ?? this.#nextCooling()
  }

  /** The same channel with another of its keys, when it has a healthy one. */
  otherKey({ channel, keyIndex }: Candidate): Candidate | undefined {
    if (channel.keys.length === 1) return undefined
    this.#triedKeys ??= new Map()
    const tried = this.#triedKeys.get(channel.id) ?? new Set<number>()
    this.#triedKeys.set(channel.id, tried.add(keyIndex))
    if (tried.size >= maxKeysPerChannel) return undefined
    const next = this.#deps.keyRing.pick(channel, this.#wanted.model, tried, this.#planned.affinity?.seed)
    return next === undefined ? undefined : this.#candidate(channel, next)
  }

  #nextHealthy(): Candidate | undefined {
    for (let channel = this.#planned.next(); channel !== undefined; channel = this.#planned.next()) {
      if (!hasMode(channel, this.#wanted.mode)) {
        this.#unsuited.add(channel.type)
        continue
      }
      const { affinity } = this.#planned
      const keyIndex = this.#deps.keyRing.pick(channel, this.#wanted.model, undefined, affinity?.seed)
      if (keyIndex === undefined) {
        this.#cooling ??= []
        this.#cooling.push(channel)
        continue
      }
      const candidate = this.#candidate(channel, keyIndex)
      if (candidate !== undefined) return candidate
    }
    return undefined
  }

  #nextCooling(): Candidate | undefined {
    const { health, keyRing } = this.#deps
    const { model } = this.#wanted
    const cooling = this.#cooling ?? []
    if (!this.#sorted) {
      this.#sorted = true
      cooling.sort((a, b) => health.cooldownMs(b.id, model) - health.cooldownMs(a.id, model))
    }
    for (let channel = cooling.pop(); channel !== undefined; channel = cooling.pop()) {
      const keyIndex = keyRing.pickCooling(channel)
      const candidate = keyIndex === undefined ? undefined : this.#candidate(channel, keyIndex)
      if (candidate !== undefined) return candidate
    }
    return undefined
  }

  /** `undefined` when the channel's upstream cannot be asked this for this model. */
  #candidate(channel: RoutedChannel, keyIndex: number): Candidate | undefined {
    const { model, passThrough = false } = this.#wanted
    if (passThrough || channel.setting.passThroughBody) {
      const candidate = this.#asked(channel, keyIndex, model, true)
      if (candidate !== undefined && passesThrough(this.#wanted.request, candidate.operation))
        return candidate
    }
    if (channel.mappingLoops.has(model)) {
      this.loopingChannel = channel
      return undefined
    }
    const candidate = this.#asked(channel, keyIndex, channel.modelMapping.get(model) ?? model, false)
    if (candidate === undefined) this.#unsuited.add(channel.type)
    return candidate
  }

  #asked(
    channel: RoutedChannel,
    keyIndex: number,
    upstreamModel: string,
    passThrough: boolean,
  ): Candidate | undefined {
    const { model, request } = this.#wanted
    const target = { ...channelTarget(channel, keyIndex), upstreamModel }
    const operation = operationOf(channel, this.#wanted, target)
    if (operation === undefined || !canCarry(request, operation)) return undefined
    return { channel, keyIndex, model, upstreamModel, operation, passThrough }
  }
}

function hasMode({ provider }: RoutedChannel, mode: CallMode): boolean {
  if (mode === 'count-tokens') return provider.counting !== undefined
  return mode === 'realtime' ? provider.realtime !== undefined : provider.modes.includes(mode)
}

function operationOf(
  { provider }: RoutedChannel,
  { mode, request }: Wanted,
  target: Target,
): Operation | undefined {
  if (mode === 'count-tokens') return provider.counting
  return mode === 'realtime' ? provider.realtime : provider.operation(mode, target, request.format)
}
