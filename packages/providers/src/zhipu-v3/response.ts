import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '@tollgate/formats'

/** Names of events; every other one adds text. */
const endings: Readonly<Record<string, string>> = { finish: 'stop', interrupted: 'content_filter' }

/** An event's name may have a space before it. */
function nameOf({ event }: JsonObject): string {
  return textOf(event).trim()
}

/** Whole answers say whether they are one; events that fail have a name for it. */
export function isFailure(event: JsonObject): boolean {
  return event.success === false || nameOf(event) === 'error' || (isBuffered(event) && !isObject(event.data))
}

function isBuffered(event: JsonObject): boolean {
  return typeof event.data !== 'string'
}

export function isLast(event: JsonObject): boolean {
  return isBuffered(event) || finishOf(event) !== undefined
}

/** Where the bytes end inside the last field, the end has not been told. */
function finishOf(event: JsonObject): string | undefined {
  const isCut = typeof event.meta === 'string' && parseJson(event.meta) === undefined
  return isCut ? undefined : endings[nameOf(event)]
}

export function chunkOf(event: JsonObject): JsonObject {
  return isBuffered(event) ? bufferedChunk(objectOf(event.data)) : eventChunk(event)
}

function bufferedChunk({ task_id: id, choices, usage }: JsonObject): JsonObject {
  const all = listOf(choices)
  return {
    id,
    choices: all.slice(-1).map((choice) => ({
      index: 0,
      delta: { content: unquoted(textOf(objectOf(choice).content)) },
      finish_reason: 'stop',
    })),
    usage,
  }
}

/** What follows the text stands beside it, in a field of the event. */
function eventChunk(event: JsonObject): JsonObject {
  const meta = parseJson(textOf(event.meta))
  return {
    id: textOf(event.id).trim(),
    choices: [{ index: 0, delta: { content: event.data }, finish_reason: finishOf(event) ?? null }],
    usage: objectOf(meta).usage,
  }
}

/** Texts of whole answers stand in quotes, as JSON or nearly so. */
function unquoted(content: string): string {
  const parsed = parseJson(content)
  if (typeof parsed === 'string') return parsed
  return /^\s*".*"\s*$/s.test(content) ? content.trim().slice(1, -1) : content
}
