import { isObject, type JsonObject, objectOf, textOf } from '@tollgate/formats'
import { defineProvider } from '../../define-provider.ts'
import type { ForwardedTaskService, TaskReport, TaskState } from '../../task.ts'
import { forwardedUrl, jsonHeaders, reportsByReference } from '../../video/report.ts'

/** No limit is named: all of a channel's open tasks go into one question. */
const batch = 10_000

/** States of tasks, and of their clips. */
const states: ReadonlyMap<string, TaskState> = new Map([
  ['NOT_START', 'NOT_START'],
  ['SUBMITTED', 'SUBMITTED'],
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['STREAMING', 'IN_PROGRESS'],
  ['SUCCESS', 'SUCCESS'],
  ['COMPLETE', 'SUCCESS'],
  ['FAILURE', 'FAILURE'],
  ['ERROR', 'FAILURE'],
])

/** https://github.com/Suno-API/Suno-API */
const music: ForwardedTaskService = {
  endpoint: (path, { baseUrl }) => ({ url: forwardedUrl(baseUrl, '/suno', path), headers: jsonHeaders }),
  polling: {
    batch,
    question: (tasks, { baseUrl }) => ({
      url: forwardedUrl(baseUrl, '/suno', '/suno/fetch'),
      headers: jsonHeaders,
      body: JSON.stringify({ ids: [...new Set(tasks.map(({ reference }) => reference))] }),
    }),
    read(body, tasks) {
      const { code, data } = objectOf(body)
      return code === 'success' ? reportsByReference(data, 'task_id', tasks, musicReport) : undefined
    },
  },
}

/** Reads the report of a task from its object. Fields of other types, and empty ones, are ignored. */
function musicReport(task: JsonObject): TaskReport {
  const failReason = textOf(task['fail_reason'])
  const state = states.get(textOf(task['status']).toUpperCase()) ?? 'UNKNOWN'
  const hasFailed = state === 'FAILURE' || (failReason !== '' && state !== 'SUCCESS')
  const { data } = task
  return {
    state: hasFailed ? 'FAILURE' : state,
    ...(hasFailed && { failReason: failReason || 'the upstream gave no reason' }),
    ...progress(task['progress']),
    ...time('startedMs', task['start_time']),
    ...time('finishedMs', task['finish_time']),
    ...((isObject(data) || (Array.isArray(data) && data.length > 0)) && { result: data }),
  }
}

function progress(value: unknown): Pick<TaskReport, 'progress'> {
  const digits = /^(\d{1,3})%?$/.exec(textOf(value))?.[1]
  return digits === undefined ? {} : { progress: Math.min(100, Number(digits)) }
}

/** Reads a time in seconds as milliseconds. */
function time<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: number } {
  const isTime = typeof value === 'number' && Number.isSafeInteger(value * 1000) && value > 0
  return (isTime ? { [name]: value * 1000 } : {}) as { readonly [Key in Name]?: number }
}

/** Songs and their words. */
export const suno = defineProvider({ tasks: { music } })
