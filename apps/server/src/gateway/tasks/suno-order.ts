import { readSunoReply, SunoFault, type SunoSubmission } from '@tollgate/formats'
import type { ForwardedTaskService } from '@tollgate/providers'
import type { Task } from '../../store/work/tasks.ts'
import type { SmallResponse } from '../../upstream/query.ts'
import { channelTarget } from '../../upstream/request-target.ts'
import type { Candidate } from '../relay/routing/candidates.ts'
import type { DispatchResult, TaskOrder } from './task-order.ts'
import { boundedText, type PassedReply } from './task-order.ts'

/** A submission as work that an upstream is handed; with what it goes on from, whose channel takes it. */
export function sunoOrder(
  { action, prompt, body }: SunoSubmission,
  origin: Task | undefined,
): TaskOrder<ForwardedTaskService, PassedReply> {
  return {
    platform: 'suno',
    action,
    prompt: boundedText(prompt),
    properties: {},
    origin,
    serviceOf: (provider) => provider.tasks?.music,
    request: ({ channel, keyIndex, operation }) => ({
      ...operation.endpoint(`/suno/submit/${action}`, channelTarget(channel, keyIndex)),
      body,
    }),
    read,
  }
}

function read(
  response: SmallResponse,
  { channel }: Candidate<ForwardedTaskService>,
): DispatchResult<PassedReply> {
  const { status, body } = response
  try {
    const id = readSunoReply(status, body)
    return {
      taken: true,
      reference: id,
      publicId: id,
      report: { state: 'NOT_START' },
      reply: { status, body },
    }
  } catch (error) {
    if (!(error instanceof SunoFault)) throw error
    const decoded = channel.provider.decodeError(response)
    const { code, message } = error
    return { taken: false, error: { ...decoded, status: error.status, code, message } }
  }
}
