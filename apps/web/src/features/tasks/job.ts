import type { Drawing, TaskEntry } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'

/** Work that an upstream finishes later: a drawing, or a task such as music. */
export type Job = Drawing | TaskEntry

/** The upstream's id; empty while a job was not taken. */
export function upstreamIdOf(job: Job): string {
  return 'mj_id' in job ? job.mj_id : job.task_id
}

/** Returns the prompt of the order; empty where it had none. */
export function promptOf(job: Job): string {
  return 'mj_id' in job ? job.prompt : job.properties.input
}

/** Times of drawings are in milliseconds, those of tasks in seconds. */
export function timeUnitMs(job: Job): number {
  return 'mj_id' in job ? 1 : 1000
}

/** Names a job in an address: the upstream's id, else the row's number. */
export function jobKey(job: Job): string {
  return upstreamIdOf(job) || String(job.id)
}

export type TaskStatus = TaskEntry['status']

/** A status by a word that texts can be named after: the wire's first one is empty. */
export type StatusName = Exclude<TaskStatus, ''> | 'SUBMITTING'

export function statusName(status: TaskStatus): StatusName {
  return status === '' ? 'SUBMITTING' : status
}

export const statusTones: Readonly<Record<StatusName, Tone>> = {
  SUBMITTING: 'neutral',
  NOT_START: 'neutral',
  SUBMITTED: 'info',
  QUEUED: 'info',
  IN_PROGRESS: 'accent',
  MODAL: 'warn',
  SUCCESS: 'good',
  FAILURE: 'bad',
  UNKNOWN: 'warn',
}

/** Outcomes of submitting a drawing to its upstream. */
const submissions = { 1: 'submitted', 21: 'waiting', 22: 'duplicate', 0: 'notSubmitted' } as const
export type Submission = (typeof submissions)[keyof typeof submissions]

/** `undefined` for a code of no name. */
export function submissionOf(code: number): Submission | undefined {
  return code in submissions ? submissions[code as keyof typeof submissions] : undefined
}

export const drawingActions = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const
/** Platforms in the list of tasks: drawings have a list of their own. */
export const taskPlatforms = ['suno', 'video'] as const
export const taskActions = ['MUSIC', 'LYRICS', 'TEXT_TO_VIDEO', 'IMAGE_TO_VIDEO'] as const

/** `undefined` for words that no text is known for. */
export function known<const Words extends readonly string[]>(
  words: Words,
  word: string,
): Words[number] | undefined {
  return words.find((each) => each === word)
}

/** Milliseconds from submission to the end; `undefined` while it is under way. */
export function spentMs(submittedMs: number, finishedMs: number): number | undefined {
  return finishedMs <= 0 || submittedMs <= 0 ? undefined : Math.max(0, finishedMs - submittedMs)
}

/** Up to a minute is quick (spec operations §4). */
const quickMs = 60_000

export function spentTone(milliseconds: number): Tone {
  return milliseconds <= quickMs ? 'good' : 'bad'
}

/** The number of `50%`; `undefined` for other texts. */
export function percentOf(progress: string): number | undefined {
  const [, digits] = /^(\d{1,3})%$/.exec(progress) ?? []
  return digits === undefined ? undefined : Math.min(100, Number(digits))
}
