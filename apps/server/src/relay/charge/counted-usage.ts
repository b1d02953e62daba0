import { type Delivered, type OtherCosts, type ToolCalls, type Usage, usageOf } from '@tollgate/formats'
import { believableUsage, mayReadMore } from '../../billing/pricing/believable-usage.ts'
import type { OutputLimits } from '../../billing/pricing/output-limits.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import { withAskedCosts } from './asked-costs.ts'
import type { CountedUsage } from './delivery.ts'

/** What is known of an answer when it is charged. */
interface Answered {
  /** The upstream's count of all that it delivered; `undefined` when there is none. */
  readonly usage: Usage | undefined
  /** Its latest count, also one that came before the answer did: what it says of the prompt still holds. */
  readonly latestUsage: Usage | undefined
  /** Tools that its vendor ran, as a stream tells of each; a usage that came counts them itself. */
  readonly toolCalls?: ToolCalls | undefined
  delivered(): Delivered
}

/** What is known of the request, for judging a count. */
interface Asked {
  readonly request: Pick<CallRequest, 'countTokens' | 'prompt' | 'native'>
  readonly upstreamModel: string
  /** Of the request as its channel sent it. */
  readonly limits: OutputLimits
  /** What it asked for beside tokens, as its channel sent it. */
  readonly costs: OtherCosts
}

/**
 * The usage that is charged: the upstream's, where it can be believed; else the prompt as the upstream counted it, where it
 * did, and the answer as a tokenizer counts what was delivered.
 */
export function countedUsage(asked: Asked, answered: Answered): CountedUsage | Promise<CountedUsage> {
  const counted = countedTokens(asked, answered)
  const withCosts = (known: CountedUsage) => withAskedCosts(known, costsOf(known, asked, answered))
  return counted instanceof Promise ? counted.then(withCosts) : withCosts(counted)
}

/** An upstream that counted all of its answer has counted its tools. */
function costsOf({ estimated }: CountedUsage, { costs }: Asked, { toolCalls }: Answered): OtherCosts {
  return estimated && toolCalls !== undefined ? { ...costs, toolCalls } : costs
}

function countedTokens(asked: Asked, answered: Answered): CountedUsage | Promise<CountedUsage> {
  const { usage } = answered
  if (usage !== undefined && isBelievable(usage, asked, answered)) return { usage, estimated: false }
  return countAgain(asked, answered)
}

async function countAgain(asked: Asked, answered: Answered): Promise<CountedUsage> {
  const { latestUsage } = answered
  const counted = await asked.request.countTokens(answered.delivered())
  if (latestUsage === undefined) return { usage: usageOf(counted), estimated: true }
  if (latestUsage.totalTokens !== undefined)
    return splitTotal(latestUsage.totalTokens, counted, asked, answered)
  if (!isBelievable(latestUsage, asked, answered))
    return { usage: usageOf(counted), estimated: true, disbelieved: latestUsage }
  const outputTokens = Math.max(counted.outputTokens, latestUsage.outputTokens)
  return { usage: usageOf({ ...latestUsage, outputTokens }), estimated: true }
}

/** A total that the upstream told: the prompt is as we count it, and all the rest the answer's. */
function splitTotal(
  total: number,
  counted: { readonly inputTokens: number; readonly outputTokens: number },
  asked: Asked,
  answered: Answered,
): CountedUsage {
  const inputTokens = Math.min(counted.inputTokens, total)
  const usage = usageOf({ inputTokens, outputTokens: total - inputTokens })
  return isBelievable(usage, asked, answered)
    ? { usage, estimated: true }
    : { usage: usageOf(counted), estimated: true, disbelieved: usage }
}

function isBelievable(
  usage: Usage,
  { request, upstreamModel, limits }: Asked,
  answered: Pick<Answered, 'delivered'>,
): boolean {
  const { text, overflowBytes } = answered.delivered()
  const bounds = {
    ...limits,
    prompt: () => request.prompt(),
    readsMore: () => mayReadMore(upstreamModel, request.native.text),
    deliveredCharacters: text.length + overflowBytes,
  }
  return believableUsage(usage, bounds) !== 'absurd'
}
