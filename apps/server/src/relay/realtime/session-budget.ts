import { addUsage, type RealtimeMeter, type Usage, usageOf } from '@tollgate/formats'
import { costOf, costOfOutput, estimateOf } from '../../billing/pricing/charge.ts'
import type { Price } from '../../billing/pricing/price.ts'
import type { TokenKind } from '../../billing/pricing/token-kinds.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import type { CountedUsage } from '../charge/delivery.ts'
import type { SessionDependencies } from './session-call.ts'

/** Output tokens that are always held beyond what was used; some ten seconds of speech. */
const stepTokens = 256
const kinds: readonly TokenKind[] = ['audioInput', 'imageInput', 'audioOutput']

/** What is held when a session begins: the operator's guess at a call of unknown length, and a step of speech. */
export function firstEstimate(price: Price, assumedTokens: number): number {
  return estimateOf({ promptTokens: assumedTokens, maxOutputTokens: stepTokens, kinds }, price, 0)
}

/** One model's part in a session. */
export interface Metered {
  /** Whether there is anything to charge. */
  readonly hasResponded: boolean
  /** What was used by now, at least, and at once. */
  estimate(): Usage
  /** What was used in all; the session is over. */
  total(): CountedUsage | Promise<CountedUsage>
}

/** Holds more where a session needs it. False when the balance cannot carry what it used and the next step. */
export function coverSession(meter: Metered, charge: CallCharge): boolean {
  const { price } = charge
  const missing = costOf(meter.estimate(), price) + costOfOutput(price, stepTokens, kinds) - charge.reserved
  return missing <= 0 || charge.extend(missing)
}

/** The model that answers. */
export function responseMeter(
  meter: RealtimeMeter,
  model: string,
  counting: SessionDependencies['counting'],
): Metered {
  return {
    get hasResponded() {
      return meter.hasResponded
    },
    estimate: () => meter.estimate(),
    total: () => usageOfResponses(meter, model, counting),
  }
}

/** The model that writes down what the caller says. */
export function transcriptionMeter(meter: RealtimeMeter['transcription']): Metered {
  return meter
}

/** As the upstream counted it, and as we count what it did not. */
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
