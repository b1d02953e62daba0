import { ambiguousKey } from '../json/ambiguous-key.ts'
import { type JsonEdits, type JsonScan, scanTopLevel, spliceMembers } from '../json/text.ts'
import { isObject, type JsonObject, parseJson, textOf } from '../json/value.ts'

/** A refusal in the protocol's own words: a code, and a message that clients show. */
export class SunoFault extends Error {
  readonly code: string
  /** HTTP status of the response. */
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    super(message)
    this.name = 'SunoFault'
    this.code = code
    this.status = status
  }
}

/** A refusal as clients of the protocol read it: the body of a response. */
export function encodeSunoFault({ code, message }: Pick<SunoFault, 'code' | 'message'>) {
  return { code, message, data: null }
}

export const sunoActions = ['MUSIC', 'LYRICS'] as const
/** One of `sunoActions`. */
export type SunoAction = (typeof sunoActions)[number]

/** A client's request for a song or its lyrics. */
export interface SunoSubmission {
  readonly action: SunoAction
  /** Name under which it is routed and priced. */
  readonly model: string
  /** Id of the task whose clip it continues, and whose channel it uses; empty for a new song. */
  readonly originId: string
  /** Prompt that lists show. */
  readonly prompt: string
  /** Words of the client's, for the filter of words. */
  readonly texts: readonly string[]
  /** Body for the upstream: the client's, with the members that the upstream requires. */
  readonly body: string
}

const textFields = [
  'prompt',
  'gpt_description_prompt',
  'mv',
  'title',
  'tags',
  'task_id',
  'continue_clip_id',
] as const
type TextField = (typeof textFields)[number]
const decisive: ReadonlySet<string> = new Set([...textFields, 'make_instrumental', 'continue_at'])

/** The version for requests that name none. */
const defaultVersion = 'chirp-v3-0'

/**
 * @param action as the path has it, in any case
 * @param maxDepth how deep the body may nest
 * @throws SunoFault
 */
export function readSunoSubmission(action: string, body: string, maxDepth: number): SunoSubmission {
  const wanted = sunoActions.find((known) => known === action.toUpperCase())
  if (wanted === undefined) throw invalid('invalid_action')
  const { scan, fields } = readFields(body, maxDepth)
  const text = (name: TextField) => (fields[name] as string | null | undefined) ?? '' // Checked where it is read.
  if (wanted === 'LYRICS' && text('prompt').trim() === '') throw invalid('prompt_empty')
  const originId = text('task_id').trim()
  if (text('continue_clip_id') !== '' && originId === '') throw invalid('task id is empty')
  const words = (['gpt_description_prompt', 'prompt', 'title', 'tags'] as const).map(text).filter(Boolean)
  return {
    action: wanted,
    model: `suno_${wanted.toLowerCase()}`,
    originId,
    prompt: words[0] ?? '',
    texts: words,
    body: wanted === 'MUSIC' ? spliceMembers(body, scan, defaultFields(fields)) : body,
  }
}

function readFields(body: string, maxDepth: number): { scan: JsonScan; fields: JsonObject } {
  const scan = scanTopLevel(body, maxDepth)
  if (!scan.ok) throw invalid('the body is not a JSON object, or nests too deep')
  const ambiguous = ambiguousKey(scan, decisive)
  if (ambiguous !== undefined) throw invalid(ambiguous.message)
  const fields = parseJson(body)
  if (!isObject(fields)) throw invalid('the body is not valid JSON')
  for (const name of textFields)
    if (typeof (fields[name] ?? '') !== 'string') throw invalid(`${name} must be a text`)
  if (typeof (fields['make_instrumental'] ?? false) !== 'boolean')
    throw invalid('make_instrumental must be true or false')
  if (typeof (fields['continue_at'] ?? 0) !== 'number')
    throw invalid('continue_at must be a number of seconds')
  return { scan, fields }
}

function defaultFields(fields: JsonObject): JsonEdits {
  const edits = new Map<string, string>()
  if (!fields['mv']) edits.set('mv', JSON.stringify(defaultVersion))
  if (typeof fields['make_instrumental'] !== 'boolean') edits.set('make_instrumental', 'false')
  return edits
}

function invalid(message: string): SunoFault {
  return new SunoFault('invalid_request', message)
}

const notTaken = 500
const ok = 200

/**
 * Id of the task that an upstream created. The response itself goes to the client unchanged.
 * @throws SunoFault for a response without a task, with the upstream's own code and message where it names them
 */
export function readSunoReply(status: number, body: string): string {
  const reply = parseJson(body)
  const stated = isObject(reply) ? reply : {}
  const { code, message, data } = stated
  if (status !== ok)
    throw new SunoFault(
      'fail_to_fetch_task',
      textOf(message) || `the upstream responded with ${status}`,
      status,
    )
  if (code === 'success' && typeof data === 'string' && data.trim() !== '') return data.trim()
  if (typeof code === 'string' && code !== '' && code !== 'success')
    throw new SunoFault(code, textOf(message), notTaken)
  throw new SunoFault('unmarshal_response_body_failed', 'the response of the upstream has no task', notTaken)
}

/** A song or its words as the gateway keeps them. Times are milliseconds, 0 until then. */
export interface SunoTask {
  readonly id: string
  readonly action: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly submittedMs: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly failReason: string
  /** Data of the task as the upstream reports it; null until it does. */
  readonly data: unknown
}

/** Writes a task as clients read it: times are seconds. */
export function encodeSunoTask(task: SunoTask) {
  return {
    task_id: task.id,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedMs),
    start_time: seconds(task.startedMs),
    finish_time: seconds(task.finishedMs),
    progress: `${task.progress}%`,
    data: task.data,
  }
}

/** A response that is not a refusal. */
export function encodeSunoResponse<Data>(data: Data) {
  return { code: 'success', message: '', data }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
