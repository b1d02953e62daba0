import { getOrInsert, LinkedList, type LinkedNode } from '@tollgate/base'

/** Tokens that a call used beyond what was reserved for it: of its prompt for each medium, of its output for each candidate. */
export interface Overrun {
  readonly input: number
  readonly output: number
}

/** A call that is served by an upstream, with a reservation that the upstream may exceed. */
export interface ServedCall extends LinkedNode {
  /** Hears that a call of its kind exceeded its reservation by so much. */
  expect(overrun: Overrun): void
}

/** Models of channels whose calls are remembered. */
const maxModels = 50_000
/** An overrun counts half an hour later for half as much, and so on. */
const halfLifeMs = 30 * 60_000
/** Tokens: a smaller rest of an overrun is forgotten. */
const negligible = 1

const none: Overrun = { input: 0, output: 0 }

/** Usage of calls of one kind at one model of one channel. */
export class UsageTrack {
  /** A call has ended with a usage: that the upstream keeps to the limits of such calls is known, or that it does not. */
  isKnown = false
  readonly #served = new LinkedList<ServedCall>()
  #largest = none
  #seenAtMs = 0
  #waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  /** True while reservations by the callers' limits are enough. */
  get isTrusted(): boolean {
    return this.isKnown && this.#largest === none
  }

  /** Returns the expected usage of calls beyond their limits. */
  overrun(nowMs: number): Overrun {
    if (this.#largest === none) return none
    const share = 0.5 ** ((nowMs - this.#seenAtMs) / halfLifeMs)
    const { input, output } = this.#largest
    const left = { input: Math.ceil(input * share), output: Math.ceil(output * share) }
    if (left.input > negligible || left.output > negligible) return left
    this.#largest = none
    return none
  }

  /** Resolves when a call of this kind ends, or at once when what it used is known. */
  nextEnd(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  begin(call: ServedCall): void {
    this.#served.add(call)
  }

  /** Removes a call that has ended, or goes to another upstream. */
  end(call: ServedCall): void {
    this.#served.remove(call)
    this.#waiting?.resolve()
    this.#waiting = undefined
  }

  /** Learns what a call used beyond its reservation; calls that are served now are expected to do the same. */
  learn({ input, output }: Overrun, nowMs: number): void {
    this.isKnown = true
    if (input <= 0 && output <= 0) return
    const before = this.overrun(nowMs)
    if (input <= before.input && output <= before.output) return
    this.#largest = { input: Math.max(input, before.input), output: Math.max(output, before.output) }
    this.#seenAtMs = nowMs
    if (isFarMore(input, before.input) || isFarMore(output, before.output))
      for (const call of this.#served.members()) call.expect(this.#largest)
  }
}

/** Calls in flight have reserved nearly as much where it is not. */
function isFarMore(tokens: number, before: number): boolean {
  return tokens > before * 1.1 + negligible
}

/** Usage of upstreams beyond the limits of their callers: in memory, by channel, model and kind of call. */
export class Overruns {
  readonly #channels = new Map<number, Map<string, UsageTrack[]>>()
  #size = 0

  /** @param kind a small number: calls of one kind exceed their reservations for the same reasons */
  trackOf(channelId: number, upstreamModel: string, kind: number): UsageTrack {
    const tracks = this.#channels.get(channelId)?.get(upstreamModel) ?? this.#begin(channelId, upstreamModel)
    let track = tracks[kind]
    if (track === undefined) {
      track = new UsageTrack()
      tracks[kind] = track
    }
    return track
  }

  #begin(channelId: number, upstreamModel: string): UsageTrack[] {
    if (this.#size >= maxModels) this.#forgetOldest()
    const models = getOrInsert(this.#channels, channelId, () => new Map<string, UsageTrack[]>())
    this.#size++
    return getOrInsert(models, upstreamModel, () => [])
  }

  /** Leaves room for channels that came later. */
  #forgetOldest(): void {
    for (const [channelId, models] of this.#channels) {
      this.#channels.delete(channelId)
      this.#size -= models.size
      return
    }
  }
}
