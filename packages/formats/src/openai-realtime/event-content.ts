import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/** What an event holds that is counted as tokens. */
export interface EventContent {
  readonly texts: readonly string[]
  /** In base64. */
  readonly audio: string
}

const nothing: EventContent = { texts: [], audio: '' }
const text = (value: unknown): EventContent => ({ texts: [textOf(value)], audio: '' })
const audio = (value: unknown): EventContent => ({ texts: [], audio: textOf(value) })

type Readers = { readonly [type in string]?: (event: JsonObject) => EventContent }

const callerEvents: Readers = {
  'session.update': ({ session }) => settings(objectOf(session)),
  'response.create': ({ response }) => settings(objectOf(response)),
  'conversation.item.create': ({ item }) => itemContent(objectOf(item)),
  'input_audio_buffer.append': (event) => audio(event.audio),
}

/** Both the names of the beta and those that the API has now. */
const upstreamEvents: Readers = {
  'response.text.delta': ({ delta }) => text(delta),
  'response.output_text.delta': ({ delta }) => text(delta),
  'response.audio_transcript.delta': ({ delta }) => text(delta),
  'response.output_audio_transcript.delta': ({ delta }) => text(delta),
  'response.function_call_arguments.delta': ({ delta }) => text(delta),
  'response.audio.delta': ({ delta }) => audio(delta),
  'response.output_audio.delta': ({ delta }) => audio(delta),
}

/** What a caller says to the model. */
export function callerContent(event: JsonObject): EventContent {
  return contentBy(callerEvents, event)
}

/** What the model says. */
export function upstreamContent(event: JsonObject): EventContent {
  return contentBy(upstreamEvents, event)
}

function contentBy(readers: Readers, event: JsonObject): EventContent {
  const type = textOf(event.type)
  return Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? nothing) : nothing
}

function settings({ instructions, tools }: JsonObject): EventContent {
  const named = Array.isArray(tools) && tools.length > 0 ? [JSON.stringify(tools)] : []
  return { texts: [textOf(instructions), ...named], audio: '' }
}

function itemContent(item: JsonObject): EventContent {
  const parts = listOf(item.content).filter(isObject)
  const texts = parts.flatMap((part) => [textOf(part.text), textOf(part.transcript)])
  return {
    texts: [textOf(item.arguments), textOf(item.output), ...texts],
    audio: parts.map((part) => textOf(part.audio)).join(''),
  }
}
