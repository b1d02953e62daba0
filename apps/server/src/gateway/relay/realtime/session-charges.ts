import { addUsage, type NamedModel, noUsage, RealtimeMeter, type Usage, usageOf } from '@tollgate/formats'
import type { Reservation } from '../../../billing/ledger-types.ts'
import { costOf, costOfOutput, estimateOf } from '../../../billing/pricing/charge.ts'
import { isResponseBelieved } from '../../../billing/pricing/plausible-usage.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import type { TokenKind } from '../../../billing/pricing/token-kinds.ts'
import { refuseModel } from '../admission.ts'
import { CallCharge } from '../charge/call-charge.ts'
import type { CountedUsage } from '../charge/counted-usage.ts'
import { hold, priceOf } from '../charge/reserve.ts'
import type { Prepared } from '../relay.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { SessionCall, SessionDependencies } from './session-call.ts'
import type { SessionEnd } from './session-end.ts'

/** Usage of one model in a session, and the money for it. */
interface Line {
  readonly model: string
  readonly metered: Metered
  readonly charge: CallCharge
}

/** Charged usage of a session. */
interface Settled {
  readonly charged: boolean
  readonly usage: Usage
}

/**
 * The money of one session. Its own model has a reservation, a charge and a row in the log, as any call has; a second model
 * that transcribes the caller's speech has its own ones.
 */
export class SessionCharges {
  readonly meter: RealtimeMeter
  readonly #call: SessionCall
  readonly #deps: SessionDependencies
  readonly #own: Line
  #transcription: Line | undefined
  #isSettled = false

  /** @throws RelayError when the balance cannot cover it */
  static async open(
    call: SessionCall,
    { price }: Pick<Prepared, 'price'>,
    deps: SessionDependencies,
  ): Promise<SessionCharges> {
    return new SessionCharges(call, deps, await charged(call, price, deps))
  }

  private constructor(call: SessionCall, deps: SessionDependencies, charge: CallCharge) {
    this.#call = call
    this.#deps = deps
    this.meter = new RealtimeMeter(isResponseBelieved)
    const { model, intent } = call.request
    const { transcription } = this.meter
    const metered =
      intent === 'transcription'
        ? transcriptionMeter(transcription)
        : responseMeter(this.meter, model, deps.counting)
    this.#own = { model, metered, charge }
  }

  get hasResponded(): boolean {
    return this.#lines.some(({ metered }) => metered.hasResponded)
  }

  /**
   * Checks that the balance covers the session's cost so far: synchronously, unless this node must acquire more of the balance.
   */
  covers(): boolean | Promise<boolean> {
    const covered = this.#lines.map(({ metered, charge }) => coverSession(metered, charge))
    if (covered.every((each) => typeof each === 'boolean')) return covered.every((each) => each)
    return Promise.all(covered).then((all) => all.every((each) => each))
  }

  /**
   * Starts to transcribe the caller's speech. At once, unless this node must ask for more of the balance.
   * @throws RelayError (or rejects with it) when this key, the balance or the session has no such model
   */
  transcribe({ model, param }: NamedModel): Promise<void> | undefined {
    const known = this.#call.request.intent === 'transcription' ? this.#own : this.#transcription
    if (known === undefined) return this.#start(model)
    if (known.model !== model)
      throw new RelayError(
        'invalid_request',
        `This session transcribes with ${known.model}. Open another one for ${model}.`,
        { param },
      )
    return undefined
  }

  /** Charges once for everything that was delivered; a request without a response costs nothing. */
  async settle(served: Candidate | undefined, { ended, error }: SessionEnd): Promise<Settled> {
    this.#isSettled = true
    let settled: Settled = { charged: false, usage: noUsage }
    for (const { metered, charge, model } of this.#lines) {
      if (served === undefined || !metered.hasResponded) {
        if (error === undefined || charge !== this.#own.charge) charge.release()
        else charge.fail(error)
        continue
      }
      const counted = await metered.total()
      await charge.settle({
        channel: served.channel,
        upstreamModel: upstreamName(served, model),
        ...counted,
        ended,
      })
      charge.record()
      settled = { charged: true, usage: addUsage(settled.usage, counted.usage) }
    }
    return settled
  }

  get #lines(): readonly Line[] {
    return this.#transcription === undefined ? [this.#own] : [this.#own, this.#transcription]
  }

  #start(model: string): Promise<void> | undefined {
    const { caller, request } = this.#call
    refuseModel(caller, model)
    const call = { ...this.#call, request: { ...request, model } }
    const add = (charge: CallCharge): void => {
      this.#transcription = { model, metered: transcriptionMeter(this.meter.transcription), charge }
      if (this.#isSettled) charge.release()
    }
    const charge = charged(call, priceOf(call, this.#deps), this.#deps)
    if (charge instanceof Promise) return charge.then(add)
    add(charge)
    return undefined
  }
}

/** The name of a session's model, or of one beside it, at the upstream. */
export function upstreamName({ channel, model: own, upstreamModel }: Candidate, model: string): string {
  return model === own ? upstreamModel : (channel.modelMapping.get(model) ?? model)
}

function charged(
  call: SessionCall,
  price: Prepared['price'],
  deps: SessionDependencies,
): CallCharge | Promise<CallCharge> {
  const estimate = firstEstimate(price, deps.settings.current.PreConsumedQuota)
  const open = (reservation: Reservation) =>
    new CallCharge(call, { price, promptTokens: 0, reservation }, deps.charge)
  const reservation = hold(call, { estimate }, deps)
  return reservation instanceof Promise ? reservation.then(open) : open(reservation)
}

/** Output tokens that are held beyond what was used, where no limit says more; some ten seconds of speech. */
const stepTokens = 256
const kinds: readonly TokenKind[] = ['audioInput', 'imageInput', 'audioOutput']

/**
 * Returns the quota to hold when a session begins: the operator's estimate for a call of unknown length, and a step of speech.
 */
function firstEstimate(price: Price, assumedTokens: number): number {
  return estimateOf({ promptTokens: assumedTokens, maxOutputTokens: stepTokens, kinds }, price, 0)
}

/** One model's part in a session. */
interface Metered {
  /** Set once there is something to charge. */
  readonly hasResponded: boolean
  /** The limit on the output of a response, where there is one. */
  readonly maxOutputTokens?: number | undefined
  /** Returns a lower bound of the usage so far, synchronously. */
  estimate(): Usage
  /** Returns the complete usage; the session is over. */
  total(): CountedUsage | Promise<CountedUsage>
}

/** Reserves more where a session needs it. False when the balance cannot cover its usage and the next step. */
function coverSession(meter: Metered, charge: CallCharge): boolean | Promise<boolean> {
  const { price } = charge
  const nextTokens = Math.max(stepTokens, meter.maxOutputTokens ?? 0)
  const missing = costOf(meter.estimate(), price) + costOfOutput(price, nextTokens, kinds) - charge.reserved
  return missing <= 0 || charge.extendOrAcquire(missing)
}

/** The model that responds. */
function responseMeter(
  meter: RealtimeMeter,
  model: string,
  counting: SessionDependencies['counting'],
): Metered {
  return {
    get hasResponded() {
      return meter.hasResponded
    },
    get maxOutputTokens() {
      return meter.maxOutputTokens
    },
    estimate: () => meter.estimate(),
    total: () => usageOfResponses(meter, model, counting),
  }
}

/** The model that transcribes the caller's speech. */
function transcriptionMeter(meter: RealtimeMeter['transcription']): Metered {
  return meter
}

/** Returns the usage as the upstream counted it, and as the gateway counts what the upstream did not. */
async function usageOfResponses(
  meter: RealtimeMeter,
  model: string,
  counting: SessionDependencies['counting'],
): Promise<CountedUsage> {
  const uncounted = meter.uncounted()
  if (uncounted === undefined) return { usage: meter.usage, estimated: false }
  const { input, output } = uncounted
  const [inputText, outputText] = await Promise.all([
    counting.countDelivered(model, input),
    counting.countDelivered(model, output),
  ])
  const own: Usage = usageOf({
    inputTokens: inputText + input.audioTokens,
    audioInputTokens: input.audioTokens,
    outputTokens: outputText + output.audioTokens,
    audioOutputTokens: output.audioTokens,
  })
  return { usage: addUsage(meter.usage, own), estimated: true }
}
