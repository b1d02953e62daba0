import { type JsonObject, objectOf, textOf } from '@tollgate/formats'
import { type StateWords, taskId } from './video-report.ts'

/** What another gateway says of a task, where it stands between us and the vendor. */
export interface GatewayTask {
  readonly id: string | undefined
  /** In lower case. */
  readonly status: string
  readonly url: unknown
  readonly reason: string
}

/** Words that gateways use beside the vendors' own. */
export const gatewayStates: StateWords = new Map([
  ['not_start', 'SUBMITTED'],
  ['submitted', 'SUBMITTED'],
  ['queued', 'QUEUED'],
  ['processing', 'IN_PROGRESS'],
  ['in_progress', 'IN_PROGRESS'],
  ['succeeded', 'SUCCESS'],
  ['completed', 'SUCCESS'],
  ['success', 'SUCCESS'],
  ['failed', 'FAILURE'],
  ['failure', 'FAILURE'],
])

/**
 * Some pass the vendor's answers on, others write a video object of their own, bare or under `data`.
 * https://docs.newapi.pro/en/docs/api/ai-model/videos/kling/get-kling-text2-video
 */
export function gatewayTask(response: JsonObject): GatewayTask {
  const task = { ...response, ...objectOf(response.data) }
  const { message, code } = objectOf(task.error)
  return {
    id: taskId(task.task_id) ?? taskId(task.id),
    status: textOf(task.status).toLowerCase(),
    url: textOf(task.url) || objectOf(task.metadata).url,
    reason: textOf(message) || textOf(code) || textOf(task.fail_reason),
  }
}

/** Keys of gateways of this kind, on a channel whose vendor has keys of two parts. */
export function isGatewayKey(key: string): boolean {
  return key.startsWith('sk-')
}
