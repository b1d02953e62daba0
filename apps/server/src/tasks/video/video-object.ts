import { objectOf, parseJson, textOf, type VideoState, type VideoStatus } from '@tollgate/formats'
import type { Task } from '../../store/repositories/tasks.ts'

const statuses: Readonly<Record<Task['status'], VideoStatus>> = {
  '': 'queued',
  NOT_START: 'queued',
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  UNKNOWN: 'queued',
  IN_PROGRESS: 'in_progress',
  MODAL: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
}

/** What is kept of a video beside what every task has. */
export interface VideoProperties {
  readonly seconds: number
  /** As it was ordered; empty when the order left it open. */
  readonly size: string
  /** Where the upstream says that it is; empty where its answer holds it, and until it is finished. */
  readonly url: string
}

export function videoProperties({ properties }: Pick<Task, 'properties'>): VideoProperties {
  const { seconds, size, url } = objectOf(parseJson(properties))
  return { seconds: typeof seconds === 'number' ? seconds : 0, size: textOf(size), url: textOf(url) }
}

/**
 * A task as callers of the videos form see it.
 * @param isPublic whether everybody may fetch the video at the address that the upstream said
 */
export function videoState(task: Task, isPublic: boolean): VideoState {
  const { seconds, size, url } = videoProperties(task)
  const status = statuses[task.status]
  const isOver = status === 'completed' || status === 'failed'
  return {
    id: task.upstreamId,
    model: task.model,
    status,
    progress: task.progress,
    createdAt: inSeconds(task.submittedMs),
    completedAt: isOver ? inSeconds(task.finishedMs) : undefined,
    prompt: task.prompt,
    seconds,
    size,
    error: status === 'failed' ? { code: 'generation_failed', message: task.failReason } : undefined,
    url: status === 'completed' && isPublic && url !== '' ? url : undefined,
  }
}

function inSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
