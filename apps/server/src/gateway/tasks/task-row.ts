import {
  inCallersModel,
  type JsonObject,
  listOf,
  objectOf,
  publicReason,
  textOf,
  unavailableMessage,
} from '@tollgate/formats'
import type { TaskReport } from '@tollgate/providers'
import type { Charge, Failure } from '../../billing/ledger-types.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Quota, Seconds } from '../../store/units.ts'
import type { Task, TaskChange } from '../../store/work/tasks.ts'

/** Longest stored reason of a failure. */
const maxReasonLength = 2000

export function isEnd(status: Task['status']): boolean {
  return status === 'SUCCESS' || status === 'FAILURE'
}

/**
 * The fields that a report changes. Absent fields stay; progress never goes back, and an ended task is at 100 %.
 * @param nowMs wall clock
 */
export function changeOf(task: Task, report: TaskReport, nowMs: number): TaskChange {
  const { state, failReason, startedMs, finishedMs, result, properties } = report
  const ended = isEnd(state)
  const started = time(startedMs)
  return {
    status: state,
    progress: ended ? 100 : progressOf(task, report),
    updatedMs: nowMs,
    ...(ended && { finishedMs: time(finishedMs) ?? nowMs }),
    ...(started !== undefined && { startedMs: started }),
    ...(failReason !== undefined && reasonFor(task, failReason)),
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(properties !== undefined && { properties: merged(task.properties, inPublicWords(task, properties)) }),
  }
}

/**
 * The reason as callers read it, with their name of the model. What concerns the operator's account is a sentence of the house; the upstream's words then stand
 * in the log row, for administrators.
 */
function reasonFor(
  { charge, model, upstreamModel }: Task,
  failReason: string,
): Pick<TaskChange, 'failReason' | 'charge'> {
  const reason = failReason.slice(0, maxReasonLength)
  if (reason === '') return { failReason: reason }
  const reported = inPublic(reason, { model, upstreamModel })
  return {
    failReason: reported,
    ...(reported === unavailableMessage && { charge: withWords(charge, reason) }),
  }
}

function inPublic(words: string, { model, upstreamModel }: Pick<Task, 'model' | 'upstreamModel'>): string {
  return inCallersModel(publicReason(words), [upstreamModel], model)
}

/** Returns the properties that lists have beside the reason, without the upstream's words. */
function inPublicWords(task: Task, properties: JsonObject): JsonObject {
  const description = textOf(properties.description)
  return description === '' ? properties : { ...properties, description: inPublic(description, task) }
}

/** The stored facts, with the upstream's words at the attempt that dispatched the task. */
function withWords(charge: string, stated: string): string {
  const facts = objectOf(charge === '' ? {} : JSON.parse(charge))
  const other = objectOf(JSON.parse(textOf(facts.other) || '{}'))
  const admin = objectOf(other.admin_info)
  const attempts = listOf(admin.attempts)
  const latest = { ...objectOf(attempts.at(-1)), said: stated }
  const admin_info = { ...admin, attempts: [...attempts.slice(0, -1), latest] }
  return JSON.stringify({ ...facts, other: JSON.stringify({ ...other, admin_info }) })
}

/** Returns the progress of an open task, which stays below 100 %, also when its upstream reports 100 % before the end. */
function progressOf(task: Task, { progress }: TaskReport): number {
  if (progress === undefined || !Number.isFinite(progress)) return task.progress
  return Math.max(task.progress, Math.min(Math.floor(progress), 99))
}

/** A valid time; upstreams write 0 for a missing one. */
function time(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isSafeInteger(ms) && ms > 0 ? ms : undefined
}

function merged(properties: string, change: JsonObject): string {
  const retained = properties === '' ? {} : objectOf(JSON.parse(properties))
  return JSON.stringify({ ...retained, ...change })
}

/** Facts in the log row of a task beside its cost; stored with the task until it has ended. */
export interface LogFacts {
  readonly username: string
  readonly tokenName: string
  readonly requestId: string
  /** JSON text: the price's terms, times and attempts (`LogOther`). */
  readonly other: string
  /** Cost of the task for the operator; absent where it is not known. */
  readonly cost?: Quota | undefined
}

interface Ending {
  readonly at: Seconds
  readonly logged: boolean
}

/** The charge of a task that has succeeded. */
export function chargeOf(task: Task, ending: Ending): Charge {
  return { ...rowOf(task, ending), quota: task.quota, cost: costOf(task), content: '' }
}

/** The row of a task that has failed; it costs nothing. */
export function failureOf(task: Task, ending: Ending): Failure {
  const { other, ...row } = rowOf(task, ending)
  return { ...row, content: task.failReason, other: withFailure(other) }
}

function rowOf(task: Task, { at, logged }: Ending) {
  const { username, tokenName, requestId, other } = factsOf(task)
  return {
    createdAt: at,
    logged,
    userId: task.userId,
    username,
    tokenId: task.tokenId,
    tokenName,
    channelId: task.channelId,
    model: task.model,
    group: task.group,
    useTimeSeconds: Math.max(0, Math.round((task.finishedMs - task.submittedMs) / 1000)),
    isStream: false,
    promptTokens: 0,
    completionTokens: 0,
    requestId,
    other,
  }
}

function costOf({ charge }: Task): Quota | undefined {
  const { cost } = objectOf(charge === '' ? {} : JSON.parse(charge))
  return typeof cost === 'number' ? cost : undefined
}

function factsOf({ charge }: Task): Omit<LogFacts, 'cost'> {
  const retained = objectOf(charge === '' ? {} : JSON.parse(charge))
  const text = (name: keyof LogFacts) => (typeof retained[name] === 'string' ? retained[name] : '')
  return {
    username: text('username'),
    tokenName: text('tokenName'),
    requestId: text('requestId'),
    other: text('other') || '{}',
  }
}

/** Drops the price's terms, which explain nothing of a free row, and adds the failure. */
function withFailure(other: string): string {
  const { timing, admin_info } = objectOf(JSON.parse(other))
  // The row's content is the reason; no response had a status for it.
  const error = { code: 'task_failed', status: 0, reason: 'task_failed' }
  return JSON.stringify({
    error,
    ...(timing !== undefined && { timing }),
    ...(admin_info !== undefined && { admin_info }),
  })
}

/**
 * Index of the key that a task was submitted with: another account at the upstream knows nothing of it. Where no key of the
 * channel is that one any more, the first: a key that was replaced most likely belongs to the same account.
 */
export function accountKey(
  { keys }: Pick<RoutedChannel, 'keys'>,
  keyHash: string,
  hashKey: (key: string) => string,
): number {
  return Math.max(
    0,
    keys.findIndex((key) => hashKey(key) === keyHash),
  )
}
