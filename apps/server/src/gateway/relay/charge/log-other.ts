import { promptTokensOf } from '@tollgate/formats'
import type { TaskMode } from '@tollgate/providers'
import { explainCharge } from '../../../billing/pricing/explain-charge.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import type { AttemptRecord, CallTrace, ModelRequest, RelayCall } from '../call.ts'
import type { RelayError } from '../relay-error.ts'
import type { Delivery } from './counted-usage.ts'

/** Marks "no first token was measured" in log rows, as readers of such logs know it. */
const notStreamedMs = -1000

/**
 * The log row's account of a call: its charge's terms, its times and its attempts (`LogOther` as JSON text). Written
 * out by hand: an object made for every call, only to be turned into text, is half of what settling it would cost.
 */
export function explain(
  { request, trace, mode, createdAt }: Explained,
  price: Price,
  delivery: Explainable,
  doneMs: number,
): string {
  const { routedMs, sentMs, firstTokenMs } = trace
  const frt = request.stream ? firstTokenMs : notStreamedMs
  const timing = `"timing":{"routed":${routedMs},"sent":${sentMs},"first_token":${firstTokenMs},"done":${doneMs}}`
  return `{${explainCharge(delivery.usage, price, delivery.implausible)},"frt":${frt},${timing},${adminInfo(trace)}${marksOf(request, delivery)}${claudeMembers(delivery)}${differenceOf(delivery)}${trace.isInstructed ? instructed : ''}${mode === 'realtime' ? session : ''}${acceptedAt(createdAt, price, mode)}}`
}

type Explainable = Pick<
  Delivery,
  'usage' | 'upstreamModel' | 'upstreamFormat' | 'estimated' | 'ended' | 'implausible'
> & {
  /** Cost beyond the balance of its accounts; 0 by default. */
  readonly shortfall?: number
  /** A price per call is not charged, as the call was not finished. */
  readonly unfinished?: boolean
}

/** The parts of a call that its log row shows. */
type Explained = Pick<RelayCall<ModelRequest>, 'request' | 'trace' | 'createdAt'> & {
  readonly mode?: RelayCall['mode']
}

const session = ',"ws":true'
const instructed = ',"is_system_prompt_overwritten":true'

/**
 * Marks a call of Anthropic's form. Readers that know the mark add cached tokens to the prompt's, unless the row says what all input
 * comes to; here the prompt's count has them in every row.
 * https://github.com/QuantumNous/new-api service/log_info_generate.go, service/text_quota.go, November 2026
 */
function claudeMembers({ upstreamFormat, usage }: Pick<Explainable, 'upstreamFormat' | 'usage'>): string {
  if (upstreamFormat !== 'anthropic-messages') return ''
  return `,"claude":true,"input_tokens_total":${promptTokensOf(usage)}`
}

const endsLater: ReadonlySet<string | undefined> = new Set<TaskMode>(['drawing', 'music', 'video'])

/**
 * Writes the time of the price beside that of the charge, where prices differ by time, and where the work ends long after the call.
 */
function acceptedAt(at: number, { terms }: Price, mode: RelayCall['mode'] | undefined): string {
  return terms.times !== undefined || endsLater.has(mode) ? `,"accepted_at":${at}` : ''
}

type RefusalFacts = Pick<RelayError, 'wireCode' | 'status' | 'code' | 'param' | 'messageParams'>

/**
 * The same of a call that failed: what was tried, when, and with which code it ended. The row's
 * content is what the caller got; the upstream's own words stand at its attempt, for administrators.
 */
export function explainFailure(
  { request, trace }: Omit<Explained, 'createdAt'>,
  { wireCode, status, code, param, messageParams }: RefusalFacts,
  doneMs: number,
): string {
  const { routedMs, sentMs } = trace
  const timing = `"timing":{"routed":${routedMs},"sent":${sentMs},"first_token":0,"done":${doneMs}}`
  const ended = code === 'client_gone' ? ',"ended":"client_gone"' : ''
  const params = { ...messageParams, ...(param !== null && { param }) }
  const error = `"error":${JSON.stringify({ code: wireCode, status, reason: code, params })}`
  const effort =
    request.reasoningEffort === '' ? '' : `,"reasoning_effort":${JSON.stringify(request.reasoningEffort)}`
  return `{${error},"frt":${notStreamedMs},${timing},${adminInfo(trace)}${ended}${effort}}`
}

function adminInfo({ attempts, affinity }: CallTrace): string {
  let channels = ''
  let notes = ''
  for (const attempt of attempts) {
    const comma = notes === '' ? '' : ','
    channels += `${comma}"${attempt.channel}"`
    notes += comma + attemptText(attempt)
  }
  const session =
    affinity === undefined ? '' : `,"affinity":{"by":"${affinity.by}","channel":${affinity.channelId}}`
  return `"admin_info":{"use_channel":[${channels}],"attempts":[${notes}]${session}}`
}

function attemptText({ channel, key, ms, status, kind, said: stated }: AttemptRecord): string {
  const words = stated === undefined ? '' : `,"said":${JSON.stringify(stated)}`
  return `{"channel":${channel},"key":${key},"ms":${ms},"status":${status},"kind":"${kind}"${words}}`
}

/** Returns the members that explain a charge below the one by its terms. */
function differenceOf({ shortfall = 0, unfinished = false }: Explainable): string {
  if (shortfall > 0) return `,"shortfall":${shortfall}`
  return unfinished ? ',"unfinished":true' : ''
}

/** Marks that most calls do not have. */
function marksOf(
  { model, reasoningEffort }: ModelRequest,
  { upstreamModel, estimated, ended }: Pick<Delivery, 'upstreamModel' | 'estimated' | 'ended'>,
): string {
  let marks = ''
  if (upstreamModel !== model)
    marks += `,"is_model_mapped":true,"upstream_model_name":${JSON.stringify(upstreamModel)}`
  if (estimated) marks += ',"estimated":true'
  if (ended !== undefined) marks += `,"ended":"${ended}"`
  if (reasoningEffort !== '') marks += `,"reasoning_effort":${JSON.stringify(reasoningEffort)}`
  return marks
}
