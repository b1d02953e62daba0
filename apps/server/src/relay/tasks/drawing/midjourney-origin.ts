import { MidjourneyFault } from '@tollgate/formats'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { Task } from '../../../store/repositories/tasks.ts'
import type { RelayCaller } from '../../admission/admission.ts'
import type { RelayDependencies } from '../../relay-dependencies.ts'
import { RelayError } from '../../relay-error.ts'
import { ownTask, type TaskLookup } from '../own-tasks.ts'

interface OriginDependencies {
  readonly taskLookup: TaskLookup
  readonly relay: Pick<RelayDependencies, 'channels' | 'settings'>
}

/** A task that something goes on from, at the channel that has it. */
export interface Origin {
  readonly task: Task
  readonly channel: RoutedChannel
}

/**
 * @param needsFinished whether the operator may ask that it be finished
 * @throws DrawingFault where the caller has no such task, or it is not as it must be
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
