import type { Drawing, TaskEntry } from '@tollgate/api'
import type { Task } from '../store/repositories/tasks.ts'
import type { ImageAddresses } from './drawing/midjourney-object.ts'

/** What administrators see and owners do not. */
type Reader = 'admin' | 'owner'

const submitted = 1

/**
 * A drawing on the wire. Fields that only drawings have are kept in the task's properties.
 * @param pictures how its picture is told of
 */
export function midjourneyView(task: Task, reader: Reader, pictures: ImageAddresses): Drawing {
  const own = parsed(task.properties)
  const textOf = (name: string) => (typeof own[name] === 'string' ? own[name] : '')
  return {
    id: task.id,
    code: typeof own['code'] === 'number' ? own['code'] : submitted,
    user_id: task.userId,
    channel_id: reader === 'admin' ? task.channelId : 0,
    action: task.action,
    mj_id: task.upstreamId,
    prompt: task.prompt,
    prompt_en: textOf('prompt_en'),
    description: textOf('description'),
    state: textOf('state'),
    created_at: seconds(task.submittedMs),
    submit_time: task.submittedMs,
    start_time: task.startedMs,
    finish_time: task.finishedMs,
    image_url: shownPicture(task, textOf('image_url'), pictures),
    status: task.status,
    progress: `${task.progress}%`,
    fail_reason: task.failReason,
    quota: task.quota,
    buttons: jsonText(own['buttons']),
    properties: jsonText(own['properties']),
  }
}

/** A page shows pictures of this site under an address without a host, too. */
function shownPicture({ upstreamId }: Task, original: string, { site, forwards }: ImageAddresses): string {
  const isForwarded = forwards && original !== '' && upstreamId !== ''
  return isForwarded ? `${site}/mj/image/${encodeURIComponent(upstreamId)}` : original
}

/** Any other task on the wire: times are seconds. */
export function taskView(task: Task, reader: Reader): TaskEntry {
  return {
    id: task.id,
    created_at: seconds(task.submittedMs),
    updated_at: seconds(task.updatedMs),
    task_id: task.upstreamId,
    platform: task.platform,
    user_id: task.userId,
    channel_id: reader === 'admin' ? task.channelId : 0,
    quota: task.quota,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedMs),
    start_time: seconds(task.startedMs),
    finish_time: seconds(task.finishedMs),
    progress: `${task.progress}%`,
    properties: { input: task.prompt },
    data: resultOf(task.result),
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = resultOf(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** What is no JSON (an imported row) is nothing. */
function resultOf(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

function jsonText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
