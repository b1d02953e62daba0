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
  if (!messages.some(holdsMedia)) return messages
  const ordered: unknown[] = []
  let moved: JsonObject[] = []
  for (const message of messages) {
    if (!isResult(message)) moved = flushed(moved, ordered)
    const isHolder = holdsMedia(message)
    ordered.push(isHolder ? withoutMedia(message) : message)
    // One list that grows: copies of it would take a second for a body of ten thousand results.
    if (isHolder) for (const part of [labelOf(message), ...message.content.filter(isMedia)]) moved.push(part)
  }
  flushed(moved, ordered)
  return ordered
}

function flushed(moved: JsonObject[], ordered: unknown[]): JsonObject[] {
  if (moved.length === 0) return moved
  ordered.push({ role: 'user', content: moved })
  return []
}

function isResult(message: unknown): boolean {
  return isObject(message) && (message.role === 'tool' || message.role === 'function')
}

/** Decides that media are to leave a message. Those of instructions stay for the upstream to refuse: nobody said them. */
function holdsMedia(message: unknown): message is JsonObject & { readonly content: readonly unknown[] } {
  if (!isObject(message) || !Array.isArray(message.content)) return false
  return (message.role === 'assistant' || isResult(message)) && message.content.some(isMedia)
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
