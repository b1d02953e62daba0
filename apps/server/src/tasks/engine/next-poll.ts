import type { TaskPlatform } from '@tollgate/api'
import type { TaskService } from '@tollgate/providers'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import { serviceOf } from './poll-account.ts'
import type { PolledTask, TaskQueue } from './task-queue.ts'

/** Tasks that are asked about together. */
export interface Question {
  readonly tasks: readonly PolledTask[]
  /** `undefined` where the channel makes no such things any more. */
  readonly service: TaskService | undefined
  /** The most tasks that the service takes. */
  readonly batch: number
}

/**
 * Those of a lane whose turn it is, as far as one question can name them: models of a channel may have services of their own.
 * `undefined` where nobody's turn it is.
 */
export function questionOf(
  queue: TaskQueue,
  { channel, platform }: { readonly channel: RoutedChannel; readonly platform: TaskPlatform },
  nowMs: number,
): Question | undefined {
  const serviceFor = ({ row }: PolledTask) => serviceOf(channel, platform, row.upstreamModel)
  const [first] = queue.next(1, nowMs)
  if (first === undefined) return undefined
  const service = serviceFor(first)
  const batch = service?.polling.batch ?? 1
  if (batch === 1) return { tasks: [first], service, batch }
  return { tasks: queue.next(batch, nowMs).filter((task) => serviceFor(task) === service), service, batch }
}
