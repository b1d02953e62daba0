import { LinkedNode } from '@tollgate/base'
import { addToolCalls, promptTokensOf, type Usage } from '@tollgate/formats'
import type { Exposure, Ledger, Reservation, SecureResult } from '../../../billing/ledger-types.ts'
import { type CallSize, estimateOf } from '../../../billing/pricing/charge.ts'
import { limitsAfterOverride, type OutputLimits } from '../../../billing/pricing/output-limits.ts'
import { hiddenPromptTokens, maxBelievedSize, mayReadMore } from '../../../billing/pricing/plausible-usage.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import type { Quota } from '../../../store/units.ts'
import type { ModelRequest } from '../call.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { Overrun, Overruns, ServedCall, UsageTrack } from './overruns.ts'

/** Size of a call as it was known when its reservation was made. */
export interface ReservedSize extends CallSize {
  readonly request: Pick<
    ModelRequest,
    'maxOutputTokens' | 'candidates' | 'prompt' | 'native' | 'costlyFields'
  >
  readonly price: Price
  /** Tokens that are held of a call without a limit. */
  readonly assumedTokens: number
}

export interface ExposureDependencies {
  readonly ledger: Pick<Ledger, 'secure' | 'expect'>
  readonly overruns: Overruns
  /** Milliseconds of the monotonic clock. */
  readonly nowMs: () => number
}

/** The upstream that a call is sent to, or would be. */
interface Served {
  readonly track: UsageTrack
  readonly limits: OutputLimits
  readonly upstreamModel: string
}

type Target = Pick<Candidate, 'channel' | 'upstreamModel'>

/**
 * Possible cost of one call at the upstream that it is sent to: its limits, and the usage beyond such limits by earlier calls. An
 * upstream that has served none yet may cost whatever it would be believed.
 */
export class CallExposure extends LinkedNode implements ServedCall {
  readonly #size: ReservedSize
  readonly #reservation: Reservation
  readonly #deps: ExposureDependencies
  #target: Served | undefined
  #isServed = false

  constructor(size: ReservedSize, reservation: Reservation, deps: ExposureDependencies) {
    super()
    this.#size = size
    this.#reservation = reservation
    this.#deps = deps
  }

  /** Has the reservation cover the call at this upstream; `undefined` where it does already. */
  secure({ channel, upstreamModel }: Target): SecureResult | Promise<SecureResult> | undefined {
    const { request } = this.#size
    const limits = limitsAfterOverride(request, channel.paramOverride)
    const track = this.#deps.overruns.trackOf(channel.id, upstreamModel, this.#kindOf(limits))
    this.leave()
    this.#target = { track, limits, upstreamModel }
    return track.isTrusted ? this.#begin(track) : this.#secureAt(this.#target)
  }

  /** Resolves when a call of the same kind has ended. */
  nextEnd(): Promise<void> {
    return this.#target?.track.nextEnd() ?? Promise.resolve()
  }

  /** Learns from the usage that the call is charged by. @param isWhole its response came to its end */
  learn(usage: Usage, isWhole: boolean): void {
    if (this.#target === undefined) return
    const { track, limits } = this.#target
    this.leave()
    const input = promptTokensOf(usage) - this.#size.promptTokens
    const output = isLimited(limits) ? usage.outputTokens - (limits.maxOutputTokens ?? 0) : 0
    if (!isWhole && input <= 0 && output <= 0) return
    const overrun = { input: input / this.#media, output: output / responsesOf(limits) }
    track.learn(overrun, this.#deps.nowMs())
  }

  /** Leaves the target: the call is over, or goes elsewhere. */
  leave(): void {
    if (this.#isServed) this.#target?.track.end(this)
    this.#isServed = false
    this.#target = undefined
  }

  expect(overrun: Overrun): void {
    if (this.#target === undefined) return
    this.#deps.ledger.expect(this.#reservation, this.#costBeyond(overrun, this.#target))
  }

  #secureAt(served: Served): SecureResult | Promise<SecureResult> {
    const exposure = this.#exposure(served)
    const securing = this.#deps.ledger.secure(this.#reservation, exposure)
    return securing instanceof Promise
      ? securing.then((result) => this.#securedLater(served, exposure, result))
      : this.#secured(served.track, securing)
  }

  /** While this node asked for more of a balance, other calls may have shown that such a call costs more. */
  #securedLater(
    served: Served,
    { needed }: Exposure,
    result: SecureResult,
  ): SecureResult | Promise<SecureResult> {
    const isOutdated =
      result.ok && this.#exposure(served).needed > Math.max(needed, this.#reservation.reserved)
    return isOutdated ? this.#secureAt(served) : this.#secured(served.track, result)
  }

  #secured(track: UsageTrack, result: SecureResult): SecureResult {
    if (result.ok) this.#begin(track)
    return result
  }

  #begin(track: UsageTrack): undefined {
    this.#isServed = true
    track.begin(this)
  }

  #exposure(served: Served): Exposure {
    const overrun = served.track.overrun(this.#deps.nowMs())
    const cost = this.#costBeyond(overrun, served)
    // To bound it, all of the prompt has to be measured.
    if (served.track.isKnown && overrun.input <= hiddenPromptTokens) return { needed: cost, believed: cost }
    const max = Math.max(this.#maxCost(served), this.#reservation.reserved)
    const needed = Math.min(cost, max)
    return { needed, believed: served.track.isKnown ? needed : max }
  }

  /** The cost of a call that exceeds its reservation by so much. */
  #costBeyond({ input, output }: Overrun, { limits }: Served): Quota {
    const { price, assumedTokens, promptTokens, kinds = noKinds, service, toolCalls } = this.#size
    const { maxOutputTokens } = limits
    const beyond = isLimited(limits) ? Math.ceil(output * responsesOf(limits)) : 0
    const size = {
      promptTokens: promptTokens + Math.ceil(input * this.#media),
      maxOutputTokens: maxOutputTokens === undefined ? undefined : maxOutputTokens + beyond,
      kinds,
      service,
      toolCalls,
    }
    return estimateOf(size, price, assumedTokens)
  }

  /** The most that the upstream would be believed. */
  #maxCost({ limits, upstreamModel }: Served): Quota {
    const { request, price, toolCalls } = this.#size
    const max = maxBelievedSize({
      ...limits,
      prompt: () => request.prompt(),
      readsMore: () => mayReadMore(upstreamModel, request.native.text),
    })
    const tools = addToolCalls(toolCalls, max.toolCalls)
    return estimateOf({ ...this.#size, ...max, toolCalls: tools }, price, 0)
  }

  /** Calls exceed their reservations by reasoning beyond a limit, by results of tools, and by media of unknown size. */
  #kindOf(limits: OutputLimits): number {
    const { costlyFields = [] } = this.#size.request
    const hasTools = costlyFields.some(({ feature }) => feature === 'hosted-tool')
    return (isLimited(limits) ? 1 : 0) + (hasTools ? 2 : 0) + (this.#hasMedia ? 4 : 0)
  }

  get #hasMedia(): boolean {
    const { kinds = [] } = this.#size
    return kinds.some((kind) => kind === 'audioInput' || kind === 'imageInput')
  }

  /** The number of its media, each of which may be larger than it was taken to be; 1 without any. */
  get #media(): number {
    if (!this.#hasMedia) return 1
    const { messages } = this.#size.request.prompt()
    return messages.reduce((sum, each) => sum + each.images.length + each.audioParts + each.fileParts, 0) || 1
  }
}

const noKinds: NonNullable<CallSize['kinds']> = []

/** Decides whether a call has a limit; 0 is that of a call whose output is no model's text. */
function isLimited({ maxOutputTokens = 0 }: OutputLimits): boolean {
  return maxOutputTokens > 0
}

function responsesOf({ candidates }: OutputLimits): number {
  return Math.max(1, candidates)
}
