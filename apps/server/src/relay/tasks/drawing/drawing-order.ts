import {
  type DrawingSubmission,
  readSubmitReply,
  type SubmitReply,
  type UpstreamErrorInfo,
} from '@tollgate/formats'
import type { PassedTaskService, TaskReport } from '@tollgate/providers'
import type { Task } from '../../../store/entities.ts'
import type { SmallAnswer } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { freePrice, type PassedReply, unsetPrice } from '../passed-task.ts'
import type { HandedOver, TaskOrder } from '../task-order.ts'

/** A submission, and what has been found out about it. */
export interface DrawingContext {
  readonly submission: DrawingSubmission
  /** What it goes on from; its channel takes it. */
  readonly origin: Task | undefined
  /** Path at the upstream, and the query. */
  readonly upstreamPath: string
  /** As the upstream gets it. */
  readonly body: string
  /** What is kept to tell and to be told of changes. */
  readonly hooks: Readonly<Record<string, string>>
  /** An upstream has no account that works. */
  readonly noAccount: (candidate: Candidate<PassedTaskService>, error: UpstreamErrorInfo) => void
}

type DrawingOrder = TaskOrder<PassedTaskService, PassedReply>

/** A submission as work that an upstream is handed. */
export function drawingOrder(context: DrawingContext): DrawingOrder {
  const { submission, origin, upstreamPath, body } = context
  return {
    platform: 'mj',
    action: submission.action,
    prompt: submission.prompt,
    properties: keptOf(context),
    ...(origin !== undefined && { channelId: origin.channelId }),
    serviceOf: (provider) => provider.tasks?.drawing,
    unsetPrice,
    ...(submission.isFree && { heldPrice: freePrice }),
    request: ({ channel, keyIndex, operation }) => ({
      ...operation.endpoint(upstreamPath, channelTarget(channel, keyIndex)),
      body,
    }),
    read: (answer, candidate) => read(context, answer, candidate),
  }
}

function keptOf({ submission: { kept }, hooks }: DrawingContext): Readonly<Record<string, string>> {
  const { state, botType: bot_type, customId: custom_id } = kept
  const fields = Object.entries({ state, bot_type, custom_id, ...hooks })
  return Object.fromEntries(fields.filter(([, value]) => value !== ''))
}

/** Such an answer is the failure of an upstream, whatever its body says: another one may do better. */
function isFailure({ status }: SmallAnswer): boolean {
  return status >= 500 || status === 401 || status === 403 || status === 404 || status === 429
}

function read(
  { submission, noAccount }: DrawingContext,
  answer: SmallAnswer,
  candidate: Candidate<PassedTaskService>,
): HandedOver<PassedReply> {
  const { provider } = candidate.channel
  const reply = readSubmitReply(answer.status, answer.body, submission.action)
  if (reply === undefined || reply.task === 'none' || isFailure(answer))
    return { taken: false, error: failureOf(provider.decodeError(answer), answer) }
  if (reply.isChannelFault) noAccount(candidate, provider.decodeError(answer))
  const isOpen = reply.task === 'open'
  return {
    taken: true,
    reference: isOpen ? reply.taskId : '',
    publicId: isOpen ? reply.taskId : '',
    report: isOpen ? openReport(reply, candidate) : refusedReport(reply),
    ...(!reply.isCharged && { price: freePrice }),
    reply: { status: answer.status, body: reply.body },
  }
}

/** A 2xx without an answer says nothing of what went wrong. */
function failureOf(error: UpstreamErrorInfo, { status, body }: SmallAnswer): UpstreamErrorInfo {
  if (status < 200 || status > 299 || error.code !== 'bad_response_status_code') return error
  return { ...error, message: body === '' ? 'empty_response_body' : 'unmarshal_response_body_failed' }
}

/** What an upstream tells of a task when it takes it, it tells as it does later. */
function openReport(
  reply: SubmitReply,
  { channel, keyIndex, operation, upstreamModel }: Candidate<PassedTaskService>,
): TaskReport {
  const { code, description, taskId, status, imageUrl } = reply
  const target = channelTarget(channel, keyIndex)
  const told = [{ id: taskId, status, imageUrl, description }]
  const answer = operation.polling.read(told, [{ reference: taskId, model: upstreamModel }], target)
  const report = answer !== undefined && 'reports' in answer ? answer.reports.get(taskId) : undefined
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
