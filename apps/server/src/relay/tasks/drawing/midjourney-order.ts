import {
  type MidjourneySubmission,
  readSubmitReply,
  type SubmitReply,
  type UpstreamErrorInfo,
} from '@tollgate/formats'
import type { ForwardedTaskService, TaskReport } from '@tollgate/providers'
import type { Task } from '../../../store/repositories/tasks.ts'
import type { SmallResponse } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { freePrice, keptText, type PassedReply, unsetPrice } from '../passed-task.ts'
import type { DispatchResult, TaskOrder } from '../task-order.ts'

/** A submission, and what has been found out about it. */
export interface MidjourneyContext {
  readonly submission: MidjourneySubmission
  /** What it goes on from; its channel takes it. */
  readonly origin: Task | undefined
  /** Path at the upstream, and the query. */
  readonly upstreamPath: string
  /** As the upstream gets it. */
  readonly body: string
  /** What is kept to tell and to be told of changes. */
  readonly hooks: Readonly<Record<string, string>>
  /** An upstream has no account that works. */
  readonly noAccount: (candidate: Candidate<ForwardedTaskService>, error: UpstreamErrorInfo) => void
}

type MidjourneyOrder = TaskOrder<ForwardedTaskService, PassedReply>

/** A submission as work that an upstream is handed. */
export function midjourneyOrder(context: MidjourneyContext): MidjourneyOrder {
  const { submission, origin, upstreamPath, body } = context
  return {
    platform: 'mj',
    action: submission.action,
    prompt: keptText(submission.prompt),
    properties: keptOf(context),
    origin,
    serviceOf: (provider) => provider.tasks?.drawing,
    unsetPrice,
    ...(submission.isFree && { reservedPrice: freePrice }),
    request: ({ channel, keyIndex, operation }) => ({
      ...operation.endpoint(upstreamPath, channelTarget(channel, keyIndex)),
      body,
    }),
    read: (response, candidate) => read(context, response, candidate),
  }
}

function keptOf({ submission: { kept }, hooks }: MidjourneyContext): Readonly<Record<string, string>> {
  const { state, botType: bot_type, customId: custom_id } = kept
  const fields = Object.entries({ state, bot_type, custom_id, ...hooks })
  return Object.fromEntries(
    fields.filter(([, value]) => value !== '').map(([name, value]) => [name, keptText(value)]),
  )
}

/** Such an answer is the failure of an upstream, whatever its body says: another one may do better. */
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
    ...(!reply.isCharged && { price: freePrice }),
    reply: { status: response.status, body: reply.body },
  }
}

/** A 2xx that is no answer of the protocol says nothing of what went wrong. */
function failureOf(
  error: UpstreamErrorInfo,
  { status, body }: SmallResponse,
  isReply: boolean,
): UpstreamErrorInfo {
  if (isReply || status < 200 || status > 299) return error
  const code = body === '' ? 'empty_response_body' : 'unmarshal_response_body_failed'
  return { ...error, code, message: code }
}

/** What an upstream tells of a task when it takes it, it tells as it does later. */
function openReport(
  reply: SubmitReply,
  { channel, keyIndex, operation, upstreamModel }: Candidate<ForwardedTaskService>,
): TaskReport {
  const { code, description, taskId, status, imageUrl } = reply
  const target = channelTarget(channel, keyIndex)
  const told = [{ id: taskId, status, imageUrl, description }]
  const response = operation.polling.read(told, [{ reference: taskId, model: upstreamModel }], target)
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
