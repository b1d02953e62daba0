import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  type JsonObject,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import { defineProvider } from '../../define-provider.ts'
import type { ForwardedTaskService, TaskReport, TaskState } from '../../task.ts'
import { forwardedUrl, jsonHeaders, reportsByReference } from '../../video/report.ts'
import { meaningsOf } from '../../words.ts'

const states: ReadonlyMap<string, TaskState> = new Map([
  ['', 'SUBMITTED'],
  ['NOT_START', 'NOT_START'],
  ['SUBMITTED', 'SUBMITTED'],
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['MODAL', 'MODAL'],
  ['SUCCESS', 'SUCCESS'],
  ['FAILURE', 'FAILURE'],
  ['CANCEL', 'FAILURE'],
])

/** Reads the report of a task from its object. Fields of other types, and empty ones, are ignored. */
function midjourneyReport(task: JsonObject): TaskReport {
  const failReason = textOf(task['failReason'])
  const status = textOf(task['status']).toUpperCase()
  const state = states.get(status) ?? 'UNKNOWN'
  const hasFailed = state === 'FAILURE' || (failReason !== '' && state !== 'SUCCESS')
  return {
    state: hasFailed ? 'FAILURE' : state,
    ...(hasFailed && { failReason: failReason || textOf(task['description']) || status }),
    ...number('progress', percentOf(task['progress'])),
    ...number('startedMs', timeOf(task['startTime'])),
    ...number('finishedMs', timeOf(task['finishTime'])),
    properties: properties(task),
  }
}

function number<Name extends string>(name: Name, value: number | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: number }
}

/** `42%`, `42` and `42.5%`. */
function percentOf(progress: unknown): number | undefined {
  const digits = /^\s*(\d{1,3})(?:\.\d+)?\s*%?\s*$/.exec(textOf(progress))?.[1]
  return digits === undefined ? undefined : Math.min(100, Number(digits))
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Names under which a drawing's fields are kept. */
const texts = {
  promptEn: 'prompt_en',
  description: 'description',
  state: 'state',
  imageUrl: 'image_url',
  videoUrl: 'video_url',
} as const

function properties(task: JsonObject): JsonObject {
  const retained: Record<string, unknown> = {}
  for (const [field, name] of Object.entries(texts)) {
    const text = textOf(task[field])
    if (text !== '') retained[name] = text
  }
  const { buttons } = task
  if (Array.isArray(buttons) && buttons.length > 0) retained['buttons'] = buttons.filter(isObject)
  if (isObject(task['properties'])) retained['properties'] = task['properties']
  return retained
}

/** Proxies name no limit: all of a channel's open tasks go into one question. */
const batch = 10_000

/** https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
const drawing: ForwardedTaskService = {
  endpoint: (path, { baseUrl }) => ({ url: forwardedUrl(baseUrl, '/mj', path), headers: jsonHeaders }),
  polling: {
    batch,
    // Proxies queue tasks until one of their accounts is free.
    listsNewTasksLate: true,
    question: (tasks, { baseUrl }) => ({
      url: forwardedUrl(baseUrl, '/mj', '/mj/task/list-by-condition'),
      headers: jsonHeaders,
      body: JSON.stringify({ ids: [...new Set(tasks.map(({ reference }) => reference))] }),
    }),
    read: (body, tasks) => reportsByReference(body, 'id', tasks, midjourneyReport),
  },
}

/** Codes of submissions, in responses of any status. */
const codeKinds: CodeKinds = meaningsOf({
  quota: '3',
  bad_request: '4',
  upstream_bug: '5 9',
  rate_limited: '23 30',
  content_policy: '24',
})
const noAccount = '3'

function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const error = decodeErrorBody(failure, codeKinds)
  const body = parseJson(failure.body)
  const description = isObject(body) ? textOf(body['description']) : ''
  return {
    ...error,
    ...(description !== '' && { message: description }),
    // No account works for the channel, as when the money of one has run out.
    ...(error.code === noAccount && { type: 'insufficient_quota' }),
  }
}

/** Midjourney Proxy, and what speaks as it does. */
export const midjourney = defineProvider({
  credential: { kind: 'headers', headers: ({ key }) => ({ 'mj-api-secret': key }) },
  tasks: { drawing },
  decodeError,
})
