import {
  attachedText,
  isObject,
  type JsonObject,
  listOf,
  responseLabel,
  resultLabel,
  textOf,
} from '@tollgate/formats'

/** Content parts of Chat Completions that are no texts. */
const media: ReadonlySet<unknown> = new Set(['image_url', 'video_url', 'input_audio', 'file'])

function isMedia(part: unknown): part is JsonObject {
  return isObject(part) && media.has(part.type)
}

/**
 * Moves images, sounds and files out of messages of tools and of the model into one of the user, behind a line that says whose they are:
 * a call's results follow it at once, so the message stands behind all of them. The same list where none are to move.
 */
export function mediaOfUser(messages: readonly unknown[]): readonly unknown[] {
  if (!messages.some((message) => isObject(message) && mediaToMove(message).length > 0)) return messages
  const ordered: unknown[] = []
  let moved: readonly JsonObject[] = []
  for (const message of messages) {
    if (!isResult(message)) moved = flushed(moved, ordered)
    const parts = isObject(message) ? mediaToMove(message) : []
    ordered.push(isObject(message) && parts.length > 0 ? withoutMedia(message) : message)
    if (isObject(message) && parts.length > 0) moved = [...moved, labelOf(message), ...parts]
  }
  flushed(moved, ordered)
  return ordered
}

function flushed(moved: readonly JsonObject[], ordered: unknown[]): readonly JsonObject[] {
  if (moved.length > 0) ordered.push({ role: 'user', content: moved })
  return []
}

function isResult(message: unknown): boolean {
  return isObject(message) && (message.role === 'tool' || message.role === 'function')
}

function mediaToMove({ role, content }: JsonObject): readonly JsonObject[] {
  return role === 'user' || !Array.isArray(content) ? [] : content.filter(isMedia)
}

/** A message of calls may be without content, and a result may not. */
function withoutMedia(message: JsonObject): JsonObject {
  const texts = listOf(message.content).filter((part) => !isMedia(part))
  if (texts.length > 0) return { ...message, content: texts }
  return { ...message, content: attachedText }
}

function labelOf(message: JsonObject): JsonObject {
  const call = textOf(message.tool_call_id) || textOf(message.name)
  return { type: 'text', text: isResult(message) ? resultLabel(call) : responseLabel }
}
