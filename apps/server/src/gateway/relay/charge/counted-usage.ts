import {
  type CostlyField,
  type Delivered,
  type OtherCosts,
  type Service,
  serviceOf,
  type ToolCalls,
  toolCallsOf,
  toolKindOf,
  type Usage,
  usageOf,
  withCosts,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { limitsAfterOverride, type OutputLimits } from '../../../billing/pricing/output-limits.ts'
import {
  isBelievedUnseen,
  maxBelievedOutput,
  mayReadMore,
  plausibleUsage,
} from '../../../billing/pricing/plausible-usage.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import { isBrokenOff } from '../../../billing/pricing/unfinished.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { ModelRequest } from '../call.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { Candidate } from '../routing/candidates.ts'
import { isCarried } from '../routing/field-policy.ts'

/** The counts of a response when it is charged. */
interface ResponseCounts {
  /** The upstream's count of all that it delivered; `undefined` when there is none. */
  readonly usage: Usage | undefined
  /** Its latest count, also one from before the response was complete: its prompt part still holds. */
  readonly latestUsage: Usage | undefined
  /** Tool runs of the vendor, collected from a stream; a final usage counts them itself. */
  readonly toolCalls?: ToolCalls | undefined
  delivered(): Delivered
}

/** The facts of the request that a count is checked against. */
interface CountContext {
  readonly request: Pick<CallRequest, 'countTokens' | 'prompt' | 'native'>
  readonly upstreamModel: string
  /** Limits of the request as its channel sent it. */
  readonly limits: OutputLimits
  /** Costs beside tokens that it requested, as its channel sent it. */
  readonly costs: OtherCosts
}

/**
 * The usage that is charged: the upstream's count where it is plausible. Elsewhere the prompt as the upstream counted it, where
 * it did, and the response as a tokenizer counts what was delivered.
 */
export function countedUsage(
  request: CallRequest,
  candidate: Candidate,
  response: ResponseCounts,
): CountedUsage | Promise<CountedUsage> {
  const limits = limitsAfterOverride(request, candidate.channel.paramOverride)
  const costs = requestedCosts(request, candidate)
  const context = { request, upstreamModel: candidate.upstreamModel, limits, costs }
  const counted = countedTokens(context, response)
  const withCosts = (known: CountedUsage) => withRequestedCosts(known, costsOf(known, context, response))
  return counted instanceof Promise ? counted.then(withCosts) : withCosts(counted)
}

/** Returns the costs beside tokens, with the tool runs of the stream where the upstream sent no usage that counts them. */
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
  const { spokenTokens, ...tokens } = await context.request.countTokens(response.delivered())
  const counted = withinLimits(tokens, context.limits)
  if (latestUsage === undefined) return { usage: usageOf(counted), estimated: true, spokenTokens }
  if (latestUsage.totalTokens !== undefined)
    return splitTotal(latestUsage.totalTokens, counted, context, response)
  if (!isPlausible(latestUsage, context, response))
    return { usage: usageOf(counted), estimated: true, implausible: latestUsage }
  const outputTokens = Math.max(counted.outputTokens, latestUsage.outputTokens)
  return { usage: usageOf({ ...latestUsage, outputTokens }), estimated: true }
}

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Nobody pays for what was delivered beyond a limit by more than is believed. A transcript has no limit, and no speech. */
function withinLimits({ inputTokens, outputTokens }: Tokens, limits: OutputLimits): Tokens {
  if (limits.maxOutputTokens === 0) return { inputTokens, outputTokens }
  return { inputTokens, outputTokens: Math.min(outputTokens, maxBelievedOutput(limits)) }
}

/** Splits a total that the upstream reported: the gateway counts the prompt, and the rest belongs to the response. */
function splitTotal(
  total: number,
  counted: Tokens,
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
  if (isBelievedUnseen(usage)) return true
  const bounds = {
    ...limits,
    prompt: () => request.prompt(),
    readsMore: () => mayReadMore(upstreamModel, request.native.text),
    deliveredCharacters: () => charactersOf(response.delivered()),
  }
  return plausibleUsage(usage, bounds) !== 'absurd'
}

function charactersOf({ text, overflowBytes }: Delivered): number {
  return text.length + overflowBytes
}

/** Reasons for which a delivered call ended early. */
export type EarlyEnd =
  | 'client_gone'
  | 'upstream_cut'
  | 'upstream_error'
  | 'timeout'
  | 'shutdown'
  | 'insufficient_quota'
  | 'output_limit'
  | 'sensitive_words'

/** Recognises a response that ended in a way that shows what such calls cost. */
export function isWhole(ended: EarlyEnd | undefined): boolean {
  return ended === undefined || ended === 'output_limit'
}

/**
 * Decides whether a call costs nothing by its price per call: its upstream, or the gateway, broke it off. A session is finished
 * whenever it ends.
 */
export function isUnfinished(
  { mode }: { readonly mode?: string },
  { ended }: Pick<Delivery, 'ended'>,
  { terms }: Price,
): boolean {
  return terms.kind === 'per-call' && mode !== 'realtime' && isBrokenOff(ended)
}

/** The usage of a response, as it is charged. */
export interface CountedUsage {
  readonly usage: Usage
  /** The gateway counted, at least in part: the upstream sent no usage that can be charged. */
  readonly estimated: boolean
  /** Usage that the upstream claimed and cannot be true; the counts are our own then. */
  readonly implausible?: Usage | undefined
  /** The number of images made, which the charge counts. */
  readonly made?: number | undefined
  /** Audio tokens of a speech that its upstream did not count. */
  readonly spokenTokens?: number | undefined
}

/** Recognises prices by which audio costs something else than text: without one, a speech costs what its text does. */
export function pricesAudio({ terms }: Price): boolean {
  return terms.kind === 'per-token' && terms.audioCompletionRatio !== undefined
}

/** The usage with the audio of a speech, where that has a price. One that its upstream or the gateway broke off is not spoken. */
export function spokenUsage({ usage, spokenTokens, ended }: Delivery, price: Price): Usage {
  if (spokenTokens === undefined || isBrokenOff(ended) || !pricesAudio(price)) return usage
  return usageOf({ ...usage, outputTokens: spokenTokens, audioOutputTokens: spokenTokens })
}

/** Facts of the delivered response, for the charge and its log row. */
export interface Delivery extends CountedUsage {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
  /** The form in which the upstream was called; absent where no dialect has it. */
  readonly upstreamFormat?: Operation['format'] | undefined
  readonly ended: EarlyEnd | undefined
}

/** Returns the channel and model that delivered it. */
export function servedBy({
  channel,
  upstreamModel,
  operation,
}: Candidate): Pick<Delivery, 'channel' | 'upstreamModel' | 'upstreamFormat'> {
  return { channel, upstreamModel, upstreamFormat: operation.format }
}

/** Shared by calls that ask for nothing beside tokens: nearly all. */
export const noCosts: OtherCosts = {}

/** Number of runs that a reservation assumes of a tool: vendors let a model decide. */
const assumedToolCalls = 5

/** Models that search for every call, asked or not. */
const searchModel = /-search-(preview|api)\b/

/** Returns the possible costs of a call beside its tokens, for its reservation. */
export function possibleCosts({ costlyFields = none }: Pick<ModelRequest, 'costlyFields'>): OtherCosts {
  return costlyFields.length === 0
    ? noCosts
    : { service: requestedService(costlyFields), toolCalls: requestedTools(costlyFields, assumedToolCalls) }
}

/**
 * Returns the costs beside tokens of a call, as its channel received it, where the response does not report them. Chat Completions have
 * no field for tool runs: a requested tool counts once.
 */
function requestedCosts(
  { format, costlyFields = none }: Pick<ModelRequest, 'format' | 'costlyFields'>,
  { operation, stripped, upstreamModel }: Pick<Candidate, 'operation' | 'stripped' | 'upstreamModel'>,
): OtherCosts {
  const isChat = operation.format === 'openai-chat'
  const searches = isChat && searchModel.test(upstreamModel)
  if (costlyFields.length === 0) return searches ? oneSearch : noCosts
  const sent = costlyFields.filter(
    (field) => !stripped.includes(field) && isCarried(field, format, operation.format),
  )
  const tools = isChat ? requestedTools(sent, 1) : undefined
  return { service: requestedService(sent), toolCalls: tools ?? (searches ? oneSearch.toolCalls : undefined) }
}

/** Adds what the call requested, where the response does not report it. */
function withRequestedCosts(counted: CountedUsage, { service, toolCalls }: OtherCosts): CountedUsage {
  if (service === undefined && toolCalls === undefined) return counted
  const { usage } = counted
  const costs = {
    service: service === undefined ? usage.service : { ...service, ...usage.service },
    toolCalls: usage.toolCalls ?? toolCalls,
  }
  return { ...counted, usage: withCosts(usage, costs) }
}

const none: readonly CostlyField[] = []
const oneSearch: OtherCosts = { toolCalls: { web_search: 1 } }

function requestedService(fields: readonly CostlyField[]): Service | undefined {
  const named = (target: CostlyField['feature']) => fields.find(({ feature }) => feature === target)?.value
  return serviceOf({
    tier: named('service-tier'),
    speed: named('speed'),
    geo: named('inference-geo'),
  })
}

function requestedTools(fields: readonly CostlyField[], calls: number): ToolCalls | undefined {
  const kinds = fields.flatMap(({ feature, value }) =>
    feature === 'hosted-tool' ? (toolKindOf(value) ?? []) : [],
  )
  return toolCallsOf(Object.fromEntries(kinds.map((kind) => [kind, calls])))
}
