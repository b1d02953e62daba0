import { isObject, type JsonObject, textOf } from '@tollgate/formats'
import type { TaskReport, TaskState } from '../task.ts'

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

/** What a task object says of its task. Fields of other types, and empty ones, say nothing. */
export function midjourneyReport(task: JsonObject): TaskReport {
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
  const kept: Record<string, unknown> = {}
  for (const [field, name] of Object.entries(texts)) {
    const text = textOf(task[field])
    if (text !== '') kept[name] = text
  }
  const { buttons } = task
  if (Array.isArray(buttons) && buttons.length > 0) kept['buttons'] = buttons.filter(isObject)
  if (isObject(task['properties'])) kept['properties'] = task['properties']
  return kept
}
