import { DrawingFault } from '@tollgate/formats'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { Task } from '../../../store/entities.ts'
import type { RelayCaller } from '../../admission/admission.ts'
import type { RelayDependencies } from '../../relay-dependencies.ts'
import { RelayError } from '../../relay-error.ts'
import { ownTask, type SavedTasks } from '../own-tasks.ts'

interface OriginDependencies {
  readonly saved: SavedTasks
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
export async function drawingOrigin(
  id: string,
  caller: RelayCaller,
  needsFinished: boolean,
  { saved, relay }: OriginDependencies,
): Promise<Origin> {
  const task = await ownTask('mj', id, caller, saved)
  if (task === undefined) throw new DrawingFault('task_not_found')
  const { MjActionCheckSuccessEnabled } = relay.settings.current
  if (needsFinished && MjActionCheckSuccessEnabled && task.status !== 'SUCCESS')
    throw new DrawingFault('task_status_not_success')
  const channel = relay.channels.snapshot.channel(task.channelId)
  if (channel === undefined) throw new DrawingFault('get_channel_info_failed')
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', 'The channel that has the task is disabled. Begin a new one.')
  return { task, channel }
}
