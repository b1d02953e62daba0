import type { CostlyField } from '@tollgate/formats'
import type { CallMode, Operation, Target } from '@tollgate/providers'
import type { HealthRegistry } from '../../../channels/health/health-types.ts'
import type { ChannelSnapshot, RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { canCarry, passesThrough } from '../../../upstream/call-body.ts'
import { callTarget } from '../../../upstream/request-target.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import { type FieldVerdict, nothingStripped } from './field-policy.ts'
import type { KeyRotation } from './key-rotation.ts'
import type { RoutePlan } from './plan.ts'

/** The channel and the key of the next attempt, with the request's form. */
export interface Candidate<Service = Operation> {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  /** Name of the model in the caller's request. */
  readonly model: string
  readonly upstreamModel: string
  readonly operation: Service
  /** The body goes on as it was received. */
  readonly passThrough: boolean
  /** Fields of the caller that this channel does not get. */
  readonly stripped: readonly CostlyField[]
}

interface CandidateDependencies {
  readonly channels: { readonly snapshot: ChannelSnapshot }
  readonly keyRing: KeyRotation
  readonly health: Pick<HealthRegistry, 'cooldownMs'>
}

/** Requirements on a channel, and the form in which it receives the request. */
export interface ChannelRequirements<Service = Operation> {
  readonly model: string
  /** Decides whether upstreams of this kind can serve such calls at all, with any model. */
  isOffered(channel: RoutedChannel): boolean
  /** `undefined` when the upstream cannot be asked this for this model. */
  operation(channel: RoutedChannel, target: Target): Service | undefined
  /** Needs of bodies that a channel may get as they were received. */
  readonly passThrough?: {
    isOn(channel: RoutedChannel): boolean
    fits(operation: Service): boolean
  }
  /** Decides on the caller's costly fields at a channel; absent for calls without any. */
  judgeFields?(channel: RoutedChannel, operation: Service): FieldVerdict
}

/** Keys of one channel tried for one call, at most: a channel of a hundred dead keys must not hold the caller up. */
const maxKeysPerChannel = 3

/**
 * Walks a plan: healthy channels in its order, then those in cooldown, the soonest to come back first. Each as it is when its turn
 * comes: a call that goes on to another channel after minutes finds none that was switched off, drained or moved meanwhile, and no
 * former key or address.
 */
export class Candidates<Service = Operation> {
  readonly #requirements: ChannelRequirements<Service>
  readonly #routePlan: RoutePlan
  readonly #deps: CandidateDependencies
  /** Passed by; sorted once the plan is at its end. */
  #cooling: RoutedChannel[] | undefined
  #sorted = false
  readonly #unsupportedTypes = new Set<number>()
  #triedKeys: Map<number, Set<number>> | undefined
  /** A channel that was passed by because its model mapping has no end for the model. */
  loopingChannel: RoutedChannel | undefined
  /** Field for which a channel was passed by that could serve the call. */
  refusedField: CostlyField | undefined

  constructor(requirements: ChannelRequirements<Service>, routePlan: RoutePlan, deps: CandidateDependencies) {
    this.#requirements = requirements
    this.#routePlan = routePlan
    this.#deps = deps
  }

  /** Types of the channels, where each was passed by because it cannot be asked this at all; else none. */
  get unsupportedTypes(): readonly number[] {
    return this.#cooling === undefined ? [...this.#unsupportedTypes] : []
  }

  /** The next attempt: never a channel already tried, one in cooldown only when no other is left. */
  next(): Candidate<Service> | undefined {
    return this.#nextHealthy() ?? this.#nextCooling()
  }

  /** Returns a candidate that has waited for its turn, or the next one where its channel changed meanwhile. */
  afterWait(candidate: Candidate<Service>): Candidate<Service> | undefined {
    const channel = this.#current(candidate.channel)
    if (channel === candidate.channel) return candidate
    const keyIndex = channel && this.#keyOf(channel)
    const changed = channel && keyIndex !== undefined ? this.#candidate(channel, keyIndex) : undefined
    return changed ?? this.next()
  }

  /** The same channel with another of its keys, when it has a healthy one. */
  otherKey({ channel: former, keyIndex }: Candidate<Service>): Candidate<Service> | undefined {
    const channel = this.#current(former)
    if (channel === undefined || channel.keys.length === 1) return undefined
    this.#triedKeys ??= new Map()
    const tried = this.#triedKeys.get(channel.id) ?? new Set<number>()
    this.#triedKeys.set(channel.id, tried.add(keyIndex))
    if (tried.size >= maxKeysPerChannel) return undefined
    const next = this.#deps.keyRing.pick(
      channel,
      this.#requirements.model,
      tried,
      this.#routePlan.affinity?.seed,
    )
    return next === undefined ? undefined : this.#candidate(channel, next)
  }

  #nextHealthy(): Candidate<Service> | undefined {
    for (let planned = this.#routePlan.next(); planned !== undefined; planned = this.#routePlan.next()) {
      const channel = this.#current(planned)
      if (channel === undefined) continue
      if (!this.#requirements.isOffered(channel)) {
        this.#unsupportedTypes.add(channel.type)
        continue
      }
      if (this.#isRefused(channel)) continue
      const keyIndex = this.#keyOf(channel)
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

  #current(channel: RoutedChannel): RoutedChannel | undefined {
    return this.#routePlan.current(channel, this.#deps.channels.snapshot)
  }

  #keyOf(channel: RoutedChannel): number | undefined {
    const { affinity } = this.#routePlan
    return this.#deps.keyRing.pick(channel, this.#requirements.model, undefined, affinity?.seed)
  }

  /** Before a key is taken: in a cooldown one call at a time may try it, which a call that is refused must not be. */
  #isRefused(channel: RoutedChannel): boolean {
    const { judgeFields } = this.#requirements
    const candidate = judgeFields && this.#candidate(channel, 0)
    const refused = candidate && judgeFields(channel, candidate.operation).refused
    this.refusedField ??= refused
    return refused !== undefined
  }

  #nextCooling(): Candidate<Service> | undefined {
    const { health, keyRing } = this.#deps
    const { model } = this.#requirements
    const cooling = this.#cooling ?? []
    if (!this.#sorted) {
      this.#sorted = true
      cooling.sort((a, b) => health.cooldownMs(b.id, model) - health.cooldownMs(a.id, model))
    }
    for (let planned = cooling.pop(); planned !== undefined; planned = cooling.pop()) {
      const channel = this.#current(planned)
      const keyIndex = channel && keyRing.pickCooling(channel)
      const candidate = channel && keyIndex !== undefined ? this.#candidate(channel, keyIndex) : undefined
      if (candidate !== undefined) return candidate
    }
    return undefined
  }

  /** `undefined` when the channel's upstream cannot be asked this for this model. */
  #candidate(channel: RoutedChannel, keyIndex: number): Candidate<Service> | undefined {
    const { model, passThrough } = this.#requirements
    if (passThrough?.isOn(channel)) {
      const candidate = this.#candidateFor(channel, keyIndex, model, true)
      if (candidate !== undefined && passThrough.fits(candidate.operation)) return candidate
    }
    if (channel.mappingLoops.has(model)) {
      this.loopingChannel = channel
      return undefined
    }
    const candidate = this.#candidateFor(channel, keyIndex, channel.modelMapping.get(model) ?? model, false)
    if (candidate === undefined) this.#unsupportedTypes.add(channel.type)
    return candidate
  }

  #candidateFor(
    channel: RoutedChannel,
    keyIndex: number,
    upstreamModel: string,
    passThrough: boolean,
  ): Candidate<Service> | undefined {
    const target = callTarget({ channel, keyIndex, upstreamModel })
    const operation = this.#requirements.operation(channel, target)
    if (operation === undefined) return undefined
    const stripped = this.#requirements.judgeFields?.(channel, operation).stripped ?? nothingStripped
    return {
      channel,
      keyIndex,
      model: this.#requirements.model,
      upstreamModel,
      operation,
      passThrough,
      stripped,
    }
  }
}

/** A call with a response, as opposed to an asynchronous task. */
interface RoutedCall {
  readonly mode: CallMode
  readonly model: string
  readonly request: Pick<
    CallRequest,
    'format' | 'wanted' | 'turn' | 'canonical' | 'encodeOwn' | 'suits' | 'pivot'
  >
  /** Permits it at every channel, whatever its own setting. */
  readonly passThrough?: boolean
  /** Decides on the fields that change the vendor's charge; absent for calls without any. */
  readonly judgeFields?: ((channel: RoutedChannel, operation: Operation) => FieldVerdict) | undefined
}

/** Returns the requirements of a call on its channel: its mode, in a format that can express its body. */
export function callRequirements({
  mode,
  model,
  request,
  passThrough = false,
  judgeFields,
}: RoutedCall): ChannelRequirements {
  return {
    model,
    isOffered: ({ provider }) => {
      if (mode === 'count-tokens') return provider.counting !== undefined
      return mode === 'realtime' ? provider.realtime !== undefined : isServed(provider.modes, mode)
    },
    operation(channel, target) {
      const operation = operationOf(channel, mode, target, request)
      return operation !== undefined && canCarry(request, operation) ? operation : undefined
    },
    ...(judgeFields !== undefined && { judgeFields }),
    passThrough: {
      isOn: ({ setting }) => passThrough || setting.passThroughBody,
      fits: (operation) => passesThrough(request, operation),
    },
  }
}

function isServed(modes: readonly CallMode[], mode: CallMode): boolean {
  return modes.includes(mode)
}

function operationOf(
  { provider }: RoutedChannel,
  mode: CallMode,
  target: Target,
  { format, wanted = format, turn }: Pick<RoutedCall['request'], 'format' | 'wanted' | 'turn'>,
): Operation | undefined {
  switch (mode) {
    case 'count-tokens':
      return provider.counting?.(target)
    case 'realtime':
      return provider.realtime
    // Asynchronous tasks are not operations.
    case 'drawing':
    case 'music':
    case 'video':
      return undefined
    default:
      return provider.operation(mode, target, wanted, turn)
  }
}
