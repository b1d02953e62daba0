import { type Delivered, promptTokensOf, type Usage, usageOf } from '@tollgate/formats'
import type { CallRequest } from '../dialects/dialect.ts'
import type { CountedUsage } from './delivery.ts'

/** What is known of an answer when it is charged. */
interface Answered {
  /** The upstream's count of all that it delivered; `undefined` when there is none. */
  readonly usage: Usage | undefined
  /** Its latest count, also one that came before the answer did: what it says of the prompt still holds. */
  readonly latestUsage: Usage | undefined
  delivered(): Delivered
}

/** What is known of the request, for judging a count. */
interface Asked {
  readonly request: Pick<CallRequest, 'countTokens' | 'maxOutputTokens' | 'candidates'>
  /** Upper estimate, as it was reserved for. */
  readonly promptTokens: number
}

/**
 * The usage that is charged: the upstream's, where it can be believed; else the prompt as the upstream counted it, where it
 * did, and the answer as a tokenizer counts what was delivered.
 */
export function countedUsage(asked: Asked, answered: Answered): CountedUsage | Promise<CountedUsage> {
  const { usage } = answered
  if (usage !== undefined && isBelievable(usage, asked, answered)) return { usage, estimated: false }
  return countAgain(asked, answered)
}

async function countAgain(asked: Asked, answered: Answered): Promise<CountedUsage> {
  const { latestUsage } = answered
  const counted = await asked.request.countTokens(answered.delivered())
  const disbelieved = latestUsage !== undefined && !isBelievable(latestUsage, asked, answered)
  if (latestUsage === undefined || disbelieved) {
    return { usage: usageOf(counted), estimated: true, ...(disbelieved && { disbelieved: latestUsage }) }
  }
  const outputTokens = Math.max(counted.outputTokens, latestUsage.outputTokens)
  return { usage: usageOf({ ...latestUsage, outputTokens }), estimated: true }
}

/** What vendors add to a prompt that nobody sees: instructions of their own, results of tools that run there. */
const hiddenPromptTokens = 100_000
/** An estimate of a prompt is that wrong at most: odd tokenizers, images that count by their size. */
const promptFactor = 4
/** Thoughts that are charged and not delivered, where the caller set no limit. */
const hiddenOutputTokens = 200_000
/** Limits are kept to roughly. */
const outputFactor = 2

function isBelievable(
  usage: Usage,
  { request, promptTokens }: Asked,
  answered: Pick<Answered, 'delivered'>,
): boolean {
  if (promptTokensOf(usage) > promptTokens * promptFactor + hiddenPromptTokens) return false
  const limit = request.maxOutputTokens ?? hiddenOutputTokens * request.candidates
  if (usage.outputTokens <= limit * outputFactor) return true
  const { text, overflowBytes } = answered.delivered()
  return usage.outputTokens <= limit * outputFactor + text.length + overflowBytes
}
