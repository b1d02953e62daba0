import { type CostlyField, noCostlyFields } from '../costs/costly-field.ts'
import { toolFieldsIn } from '../costs/find-costly-fields.ts'
import { inWordsOf, openAiNamesOf } from '../errors/dialect-words.ts'
import type { ApiError } from '../errors/upstream-error.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json/value.ts'

/** An error as an event of the Realtime API. */
export function encodeRealtimeError(failure: ApiError, eventId: string): string {
  return JSON.stringify({ type: 'error', event_id: eventId, error: realtimeError(failure) })
}

/** The error inside an event. */
export function realtimeError(failure: ApiError): JsonObject {
  const { message } = inWordsOf('openai-chat', failure)
  const { type, param, code } = openAiNamesOf(failure)
  return { type, code, message, param }
}

/** The error that an upstream's event carries: its own, or that of a response that failed. */
export function realtimeErrorIn(event: JsonObject): JsonObject | undefined {
  const { type, error, response } = event
  if (type === 'response.done') {
    const { error: reason } = objectOf(objectOf(response).status_details)
    return isObject(reason) ? reason : undefined
  }
  return type === 'error' || textOf(type).endsWith('.failed') ? objectOf(error) : undefined
}

/** An upstream's event with the error that its caller reads in the place of its own. */
export function withRealtimeError(message: string, write: (error: JsonObject) => JsonObject): string {
  const event = objectOf(parseExactJson(message))
  const error = realtimeErrorIn(event)
  if (error === undefined) return message
  const reported = write(error)
  if (reported === error) return message
  if (event.type !== 'response.done') return JSON.stringify({ ...event, error: reported })
  const response = objectOf(event.response)
  const details = { ...objectOf(response.status_details), error: reported }
  return JSON.stringify({ ...event, response: { ...response, status_details: details } })
}

/** An event of a caller, and the fields in it that change what the vendor charges. */
interface SessionFields {
  readonly event: JsonObject
  readonly fields: readonly CostlyField[]
}

/**
 * Decides whether a message may have a member whose name ends like this, which one with escapes may. Most messages are audio, in which
 * nothing is escaped: they need no parsing.
 */
function mayName(message: string, end: string): boolean {
  return message.includes(`${end}"`) || message.includes('\\u')
}

/** The member of an event that may hold tools. */
const holders: Readonly<Record<string, string>> = {
  'session.update': 'session',
  'response.create': 'response',
}

/** `undefined` for an event that sets no tools, as nearly all of them. */
export function sessionFields(message: string): SessionFields | undefined {
  if (!mayName(message, 'tools')) return undefined
  const event = parseExactJson(message)
  if (!isObject(event) || typeof event.type !== 'string' || !Object.hasOwn(holders, event.type))
    return undefined
  const holder = holders[event.type] ?? ''
  const { tools, tool_choice: choice } = objectOf(event[holder])
  const fields = tools === undefined ? noCostlyFields : toolFieldsIn(tools, [holder, 'tools'], choice)
  return fields.length === 0 ? undefined : { event, fields }
}

/** A model, as an event of the caller names it. */
export interface NamedModel {
  readonly model: string
  /** Path in the event at which it is named. */
  readonly param: string
  /** The event, naming another one. */
  withModel(model: string): string
}

/** The session's own model in an event that sets it up: SDKs repeat there what they connected with. */
export function sessionModel(message: string): NamedModel | undefined {
  if (!mayName(message, 'model')) return undefined
  const event = parseExactJson(message)
  return isObject(event) && event.type === 'session.update' ? named(event, ['session', 'model']) : undefined
}

const settingEvents: readonly unknown[] = ['session.update', 'transcription_session.update']

/**
 * Reads the model that is to write down what a caller says, in the words of the API as it is now, or of its beta; `undefined` for an
 * event that sets none.
 * https://developers.openai.com/api/docs/guides/realtime-transcription
 */
export function transcriptionSetting(message: string): NamedModel | undefined {
  if (!mayName(message, 'transcription')) return undefined
  const event = parseExactJson(message)
  if (!isObject(event) || !settingEvents.includes(event.type)) return undefined
  return named(event, ['session', 'audio', 'input', 'transcription', 'model']) ?? named(event, betaPath)
}

const betaPath = ['session', 'input_audio_transcription', 'model']

function named(event: JsonObject, path: readonly string[]): NamedModel | undefined {
  const model = textOf(path.reduce<unknown>((value, key) => objectOf(value)[key], event))
  if (model === '') return undefined
  const withModel = (other: string) => JSON.stringify(replaced(event, path, other))
  return { model, param: path.join('.'), withModel }
}

function replaced(value: unknown, [key, ...rest]: readonly string[], leaf: string): unknown {
  if (key === undefined) return leaf
  const known = objectOf(value)
  return { ...known, [key]: replaced(known[key], rest, leaf) }
}
