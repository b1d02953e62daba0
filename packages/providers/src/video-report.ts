import { isObject, type JsonObject } from '@tollgate/formats'
import type { ChannelTarget } from './channel-target.ts'
import type { OpenTask, TaskPolling, TaskReport, TaskRequest, TaskState } from './task.ts'

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

/** What is asked by its address alone. */
export function getRequest(url: string): TaskRequest {
  return { method: 'GET', url, headers: {}, body: '' }
}

export function postRequest(url: string, body: JsonObject): TaskRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Longer reasons are logs, not reasons. */
const maxReasonLength = 2000

/** States by the upstream's words for them. */
export type StateWords = ReadonlyMap<unknown, TaskState>

/**
 * What a word of the upstream says of a task, before its end is looked at: an unknown word says nothing, so that the task is
 * asked about again.
 * @param video where the finished video is; a task that ended without any is asked about again
 */
export function reportOf(
  state: TaskState | undefined,
  said: { readonly video: unknown; readonly reason: string; readonly result: JsonObject },
): TaskReport | undefined {
  if (state === 'FAILURE')
    return {
      state,
      progress: 100,
      failReason: said.reason.slice(0, maxReasonLength) || 'the upstream gave no reason',
      result: said.result,
    }
  if (state !== 'SUCCESS') return state && { state }
  if (typeof said.video !== 'string' || !/^https?:\/\//i.test(said.video)) return undefined
  return { state, progress: 100, result: said.result, properties: { url: said.video } }
}

/** Longer than any that a vendor makes. */
const maxIdLength = 512

/** An upstream's id of a task; `undefined` for what is none. */
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
