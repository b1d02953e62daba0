import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import type { OpenTask, TaskPolling, TaskReport, TaskRequest, TaskResponse, TaskState } from '../task.ts'
import { meaningsOf } from '../words.ts'

/** Polling of an upstream that is asked about each task alone. */
export function pollEach(
  ask: (task: OpenTask, target: ChannelTarget) => TaskRequest,
  reportOf: (response: JsonObject, task: OpenTask, target: ChannelTarget) => TaskReport | undefined,
): TaskPolling {
  return {
    batch: 1,
    question([task], target) {
      if (task === undefined) throw new TypeError('no task to ask about')
      return ask(task, target)
    },
    read(body, [task], target) {
      if (task === undefined || !isObject(body)) return undefined
      const report = reportOf(body, task, target)
      return report && { reports: new Map([[task.reference, report]]) }
    },
  }
}

/** Returns a request that its address alone makes. */
export function getRequest(url: string): TaskRequest {
  return { method: 'GET', url, headers: {}, body: '' }
}

/** A request with a JSON body. */
export function postRequest(url: string, body: JsonObject): TaskRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Longer reasons are logs, not reasons. */
const maxReasonLength = 2000

/** States by the upstream's words for them. */
export type StateWords = ReadonlyMap<unknown, TaskState>

/** An upstream's words for states, listed by the state that they mean. */
export function statesOf(lists: { readonly [State in TaskState]?: string }): StateWords {
  return new Map(Object.entries(meaningsOf(lists)))
}

/**
 * Reports a task by the upstream's word for its state, before its end is looked at: an unknown word gives no report, so that the task
 * is polled again.
 * @param stated with `video`, the address of the finished one; a task that ended without any is asked about again
 */
export function reportOf(
  state: TaskState | undefined,
  stated: { readonly video: unknown; readonly reason: string; readonly result: JsonObject },
): TaskReport | undefined {
  if (state === 'FAILURE')
    return {
      state,
      progress: 100,
      failReason: stated.reason.slice(0, maxReasonLength) || 'the upstream gave no reason',
      result: stated.result,
    }
  if (state !== 'SUCCESS') return state && { state }
  if (typeof stated.video !== 'string' || !/^https?:\/\//i.test(stated.video)) return undefined
  return { state, progress: 100, result: stated.result, properties: { url: stated.video } }
}

/** Longer than any that a vendor makes. */
const maxIdLength = 512

/** An upstream's id of a task; `undefined` for an invalid one. */
export function taskId(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength ? value : undefined
}

/** Seconds or milliseconds since 1970, or a date of ISO 8601, as milliseconds. */
export function timeMs(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined
  return Math.round(time < 1e11 && typeof value === 'number' ? time * 1000 : time)
}

/** Headers of requests about tasks. */
export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** Address of a path that begins with the form's own root, which operators may have put into the base URL, too. */
export function forwardedUrl(baseUrl: string, root: string, path: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  return (base.endsWith(root) ? base.slice(0, -root.length) : base) + path
}

/**
 * Reads an upstream's list of tasks, each an object that names its task in `idField`. Ignores other values, and tasks that
 * the request did not name; `undefined` without a list.
 */
export function reportsByReference(
  list: unknown,
  idField: string,
  tasks: readonly OpenTask[],
  read: (task: JsonObject) => TaskReport,
): TaskResponse | undefined {
  if (!Array.isArray(list)) return undefined
  const references = new Set(tasks.map(({ reference }) => reference))
  const reports = new Map<string, TaskReport>()
  for (const task of listOf(list)) {
    if (!isObject(task)) continue
    const id = String(task[idField] ?? '')
    if (references.has(id)) reports.set(id, read(task))
  }
  return { reports }
}

/** A task as another gateway between us and the vendor reports it. */
interface GatewayTask {
  readonly id: string | undefined
  /** Status in lower case. */
  readonly status: string
  readonly url: unknown
  readonly reason: string
}

/** Words that gateways use beside the vendors' own. */
export const gatewayStates: StateWords = statesOf({
  SUBMITTED: 'not_start submitted',
  QUEUED: 'queued',
  IN_PROGRESS: 'processing in_progress',
  SUCCESS: 'succeeded completed success',
  FAILURE: 'failed failure',
})

/**
 * Some gateways pass the vendor's responses on, others write a video object of their own, bare or under `data`.
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
