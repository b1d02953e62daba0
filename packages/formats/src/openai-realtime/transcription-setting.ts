import { isObject, type JsonObject, objectOf, parseJson, textOf } from '../json-value.ts'

/** The model that is to write down what a caller says, as an event of the caller names it. */
export interface TranscriptionSetting {
  readonly model: string
  /** Where in the event it is named. */
  readonly param: string
  /** The event, naming another one. */
  withModel(model: string): string
}

const settingEvents: readonly unknown[] = ['session.update', 'transcription_session.update']

/**
 * In the words of the API as it is now, or of its beta; `undefined` for an event that sets no such model.
 * https://developers.openai.com/api/docs/guides/realtime-transcription
 */
export function transcriptionSetting(message: string): TranscriptionSetting | undefined {
  // Most messages are audio, which holds no quotation marks.
  if (!message.includes('transcription"')) return undefined
  const event = parseJson(message)
  if (!isObject(event) || !settingEvents.includes(event.type)) return undefined
  return named(event, ['session', 'audio', 'input', 'transcription', 'model']) ?? named(event, betaPath)
}

const betaPath = ['session', 'input_audio_transcription', 'model']

function named(event: JsonObject, path: readonly string[]): TranscriptionSetting | undefined {
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
