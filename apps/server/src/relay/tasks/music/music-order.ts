import { readSunoReply, SunoFault, type SunoSubmission } from '@tollgate/formats'
import type { PassedTaskService } from '@tollgate/providers'
import type { Task } from '../../../store/entities.ts'
import type { SmallAnswer } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { type PassedReply, unsetPrice } from '../passed-task.ts'
import type { HandedOver, TaskOrder } from '../task-order.ts'

/** A submission as work that an upstream is handed; with what it goes on from, whose channel takes it. */
export function musicOrder(
  { action, prompt, body }: SunoSubmission,
  origin: Task | undefined,
): TaskOrder<PassedTaskService, PassedReply> {
  return {
    platform: 'suno',
    action,
    prompt,
    properties: {},
    ...(origin !== undefined && { channelId: origin.channelId }),
    serviceOf: (provider) => provider.tasks?.music,
    unsetPrice,
    request: ({ channel, keyIndex, operation }) => ({
      ...operation.endpoint(`/suno/submit/${action}`, channelTarget(channel, keyIndex)),
      body,
    }),
    read,
  }
}

function read(answer: SmallAnswer, { channel }: Candidate<PassedTaskService>): HandedOver<PassedReply> {
  const { status, body } = answer
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
    const decoded = channel.provider.decodeError(answer)
    const { code, message } = error
    return { taken: false, error: { ...decoded, status: error.status, code, message } }
  }
}
