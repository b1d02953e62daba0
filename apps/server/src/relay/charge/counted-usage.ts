import { type Delivered, type OtherCosts, type ToolCalls, type Usage, usageOf } from '@tollgate/formats'
import type { OutputLimits } from '../../billing/pricing/output-limits.ts'
import { mayReadMore, plausibleUsage } from '../../billing/pricing/plausible-usage.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { CountedUsage } from './delivery.ts'
import { withRequestedCosts } from './requested-costs.ts'

/** What is known of an answer when it is charged. */
interface ResponseCounts {
  /** The upstream's count of all that it delivered; `undefined` when there is none. */
  readonly usage: Usage | undefined
  /** Its latest count, also one that came before the answer did: what it says of the prompt still holds. */
  readonly latestUsage: Usage | undefined
  /** Tools that its vendor ran, as a stream tells of each; a usage that came counts them itself. */
  readonly toolCalls?: ToolCalls | undefined
  delivered(): Delivered
}

/** What is known of the request, for judging a count. */
interface CountContext {
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
export function countedUsage(
  context: CountContext,
  response: ResponseCounts,
): CountedUsage | Promise<CountedUsage> {
  const counted = countedTokens(context, response)
  const withCosts = (known: CountedUsage) => withRequestedCosts(known, costsOf(known, context, response))
  return counted instanceof Promise ? counted.then(withCosts) : withCosts(counted)
}

/** An upstream that counted all of its answer has counted its tools. */
function costsOf(
  { estimated }: CountedUsage,
  { costs }: CountContext,
  { toolCalls }: ResponseCounts,
): OtherCosts {
  return estimated && toolCalls !== undefined ? { ...costs, toolCalls } : costs
}

function countedTokens(
  context: CountContext,
  response: ResponseCounts,
): CountedUsage | Promise<CountedUsage> {
  const { usage } = response
  if (usage !== undefined && isPlausible(usage, context, response)) return { usage, estimated: false }
  return countAgain(context, response)
}

async function countAgain(context: CountContext, response: ResponseCounts): Promise<CountedUsage> {
  const { latestUsage } = response
  const counted = await context.request.countTokens(response.delivered())
  if (latestUsage === undefined) return { usage: usageOf(counted), estimated: true }
  if (latestUsage.totalTokens !== undefined)
    return splitTotal(latestUsage.totalTokens, counted, context, response)
  if (!isPlausible(latestUsage, context, response))
    return { usage: usageOf(counted), estimated: true, implausible: latestUsage }
  const outputTokens = Math.max(counted.outputTokens, latestUsage.outputTokens)
  return { usage: usageOf({ ...latestUsage, outputTokens }), estimated: true }
}

/** A total that the upstream told: the prompt is as we count it, and all the rest the answer's. */
function splitTotal(
  total: number,
  counted: { readonly inputTokens: number; readonly outputTokens: number },
  context: CountContext,
  response: ResponseCounts,
): CountedUsage {
  const inputTokens = Math.min(counted.inputTokens, total)
  const usage = usageOf({ inputTokens, outputTokens: total - inputTokens })
  return isPlausible(usage, context, response)
    ? { usage, estimated: true }
    : { usage: usageOf(counted), estimated: true, implausible: usage }
}

function isPlausible(
  usage: Usage,
  { request, upstreamModel, limits }: CountContext,
  response: Pick<ResponseCounts, 'delivered'>,
): boolean {
  const { text, overflowBytes } = response.delivered()
  const bounds = {
    ...limits,
    prompt: () => request.prompt(),
    readsMore: () => mayReadMore(upstreamModel, request.native.text),
    deliveredCharacters: text.length + overflowBytes,
  }
  return plausibleUsage(usage, bounds) !== 'absurd'
}
