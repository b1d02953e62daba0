import {
  inCallersModel,
  MidjourneyFault,
  type MidjourneySubmission,
  objectOf,
  parseJson,
  publicReason,
  readSubmitReply,
  type SubmitReply,
  textOf,
  type UpstreamErrorInfo,
} from '@tollgate/formats'
import type { ForwardedTaskService, TaskReport } from '@tollgate/providers'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import type { Task } from '../../../store/work/tasks.ts'
import { readSmall, type SmallResponse } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import type { RelayCaller } from '../../relay/admission.ts'
import { redactor, refusalFor } from '../../relay/attempts/failures.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { Candidate } from '../../relay/routing/candidates.ts'
import { ownTask, type TaskLookup } from '../own-tasks.ts'
import {
  boundedText,
  type DispatchResult,
  freePrice,
  type PassedReply,
  type TaskOrder,
} from '../task-order.ts'
import { accountKey } from '../task-row.ts'

/** A submission, with what the gateway has derived from it. */
interface MidjourneyContext {
  readonly submission: MidjourneySubmission
  /** The task that it continues, whose channel must take it. */
  readonly origin: Task | undefined
  /** Path at the upstream, and the query. */
  readonly upstreamPath: string
  /** Body for the upstream. */
  readonly body: string
  /** The webhook properties that are stored with the task. */
  readonly hooks: Readonly<Record<string, string>>
  /** Reports that an upstream has no working account. */
  readonly noAccount: (candidate: Candidate<ForwardedTaskService>, error: UpstreamErrorInfo) => void
}

type MidjourneyOrder = TaskOrder<ForwardedTaskService, PassedReply>

/** The order of a submission. */
export function midjourneyOrder(context: MidjourneyContext): MidjourneyOrder {
  const { submission, origin, upstreamPath, body } = context
  return {
    platform: 'mj',
    action: submission.action,
    prompt: boundedText(submission.prompt),
    properties: storedOf(context),
    origin,
    serviceOf: (provider) => provider.tasks?.drawing,
    ...(submission.isFree && { reservedPrice: freePrice }),
    request: ({ channel, keyIndex, operation }) => ({
      ...operation.endpoint(upstreamPath, channelTarget(channel, keyIndex)),
      body,
    }),
    read: (response, candidate) => read(context, response, candidate),
  }
}

function storedOf({ submission: { retained }, hooks }: MidjourneyContext): Readonly<Record<string, string>> {
  const { state, botType: bot_type, customId: custom_id } = retained
  const fields = Object.entries({ state, bot_type, custom_id, ...hooks })
  return Object.fromEntries(
    fields.filter(([, value]) => value !== '').map(([name, value]) => [name, boundedText(value)]),
  )
}

/** Recognises the statuses that are failures of the upstream, whatever the body contains: another upstream may succeed. */
function isFailure({ status }: SmallResponse): boolean {
  return status >= 500 || status === 401 || status === 403 || status === 404 || status === 429
}

function read(
  { submission, noAccount }: MidjourneyContext,
  response: SmallResponse,
  candidate: Candidate<ForwardedTaskService>,
): DispatchResult<PassedReply> {
  const { provider } = candidate.channel
  const reply = readSubmitReply(response.status, response.body, submission.action)
  if (reply === undefined || reply.task === 'none' || isFailure(response))
    return { taken: false, error: failureOf(provider.decodeError(response), response, reply !== undefined) }
  if (reply.isChannelFault) noAccount(candidate, provider.decodeError(response))
  const isOpen = reply.task === 'open'
  return {
    taken: true,
    reference: isOpen ? reply.taskId : '',
    publicId: isOpen ? reply.taskId : '',
    report: isOpen ? openReport(reply, candidate) : refusedReport(reply),
    ...(!reply.isCharged && { price: freePrice, cost: ({ price }) => freePrice(price) }),
    reply: { status: response.status, body: withPublicWords(reply.body, submission.model, candidate) },
  }
}

/** The reply with its caller's name of the model, and without words that concern the operator's account. */
function withPublicWords(
  body: string,
  model: string,
  { upstreamModel }: Pick<Candidate<ForwardedTaskService>, 'upstreamModel'>,
): string {
  const reply = objectOf(parseJson(body))
  const description = textOf(reply.description)
  const reported = description === '' ? '' : inCallersModel(publicReason(description), [upstreamModel], model)
  return reported === description ? body : JSON.stringify({ ...reply, description: reported })
}

/** Returns the failure of a submission; a 2xx response outside the protocol has no usable reason. */
function failureOf(
  error: UpstreamErrorInfo,
  { status, body }: SmallResponse,
  isReply: boolean,
): UpstreamErrorInfo {
  if (isReply || status < 200 || status > 299) return error
  const code = body === '' ? 'empty_response_body' : 'unmarshal_response_body_failed'
  return { ...error, code, message: code }
}

/** The report in the response to a submission, which has the form of later reports. */
function openReport(
  reply: SubmitReply,
  { channel, keyIndex, operation, upstreamModel }: Candidate<ForwardedTaskService>,
): TaskReport {
  const { code, description, taskId, status, imageUrl } = reply
  const target = channelTarget(channel, keyIndex)
  const reported = [{ id: taskId, status, imageUrl, description }]
  const response = operation.polling.read(reported, [{ reference: taskId, model: upstreamModel }], target)
  const report = response !== undefined && 'reports' in response ? response.reports.get(taskId) : undefined
  const { state = 'SUBMITTED', properties = {} } = report ?? {}
  return {
    state,
    ...(report?.failReason !== undefined && { failReason: report.failReason }),
    properties: { ...properties, code },
  }
}

function refusedReport({ code, description }: SubmitReply): TaskReport {
  return {
    state: 'FAILURE',
    failReason: description || `the upstream refused with code ${code}`,
    properties: { code, description },
  }
}

interface OriginDependencies {
  readonly taskLookup: TaskLookup
  readonly relay: Pick<RelayDependencies, 'channels' | 'settings'>
}

/** A task that another one continues, with its channel. */
interface Origin {
  readonly task: Task
  readonly channel: RoutedChannel
}

/**
 * @param needsFinished whether the task must be finished where the operator requires that
 * @throws MidjourneyFault where the caller has no such task, or the task has the wrong state
 * @throws RelayError where its channel is disabled
 */
export async function midjourneyOrigin(
  id: string,
  caller: RelayCaller,
  needsFinished: boolean,
  { taskLookup, relay }: OriginDependencies,
): Promise<Origin> {
  const task = await ownTask('mj', id, caller, taskLookup)
  if (task === undefined) throw new MidjourneyFault('task_not_found')
  const { MjActionCheckSuccessEnabled } = relay.settings.current
  if (needsFinished && MjActionCheckSuccessEnabled && task.status !== 'SUCCESS')
    throw new MidjourneyFault('task_status_not_success')
  const channel = relay.channels.snapshot.channel(task.channelId)
  if (channel === undefined) throw new MidjourneyFault('get_channel_info_failed')
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', 'The channel that has the task is disabled. Begin a new one.')
  return { task, channel }
}

export interface SeedDependencies {
  readonly tasks: { readonly hashKey: (key: string) => string; readonly upstreams: Pick<Upstreams, 'ask'> }
}

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

/**
 * Reads the seed of an image from its channel.
 * @param path at the upstream, with the query
 * @throws RelayError
 */
export async function readSeed(
  { task, channel }: Origin,
  path: string,
  { tasks: { hashKey, upstreams } }: SeedDependencies,
): Promise<PassedReply> {
  const service = channel.provider.tasks?.drawing
  if (service === undefined)
    throw new RelayError('unsupported_endpoint', 'The channel makes no drawings any more.')
  const keyIndex = accountKey(channel, task.keyHash, hashKey)
  const endpoint = { ...service.endpoint(path, channelTarget(channel, keyIndex)), method: 'GET' } as const
  const asking = readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body: '' }), limits)
  const response = await asking.catch(unreachable)
  if (response.status >= 200 && response.status < 300) return response
  const error = channel.provider.decodeError(response)
  throw refusalFor(error, redactor(channel), error)
}

function unreachable(cause: unknown): SmallResponse {
  const isSlow = cause instanceof OutboundError && cause.failure === 'timeout'
  throw isSlow
    ? new RelayError('upstream_timeout', 'The upstream did not respond in time.', { cause })
    : new RelayError('upstream_unreachable', 'The upstream could not be reached.', { cause })
}
