import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../../json/value.ts'

/** Returns whether a message holds parts of Responses or blocks of Anthropic's Messages. */
export function hasOtherParts(message: unknown): boolean {
  const { content } = objectOf(message)
  return Array.isArray(content) && content.some(isOtherPart)
}

function isOtherPart(part: unknown): boolean {
  if (!isObject(part) || typeof part.type !== 'string') return false
  if (part.type === 'image' || part.type === 'document') return isObject(part.source)
  return others.has(part.type)
}

const others: ReadonlySet<string> = new Set([
  ...['input_text', 'output_text', 'input_image', 'input_file'],
  ...['tool_use', 'tool_result'],
])

/** A message in this format's own words: results of tools become messages of their own, ahead of what else it holds. */
export function ownMessages(message: unknown): readonly unknown[] {
  if (!hasOtherParts(message)) return [message]
  const { content, ...more } = objectOf(message)
  const parts = listOf(content).map(objectOf)
  const results = parts.filter(({ type }) => type === 'tool_result')
  const calls = parts.filter(({ type }) => type === 'tool_use').map(ownCall)
  const rest = [
    ...results.flatMap(({ content: inner }) => listOf(inner).filter((part) => !isText(part))),
    ...parts.filter(({ type }) => type !== 'tool_result' && type !== 'tool_use'),
  ].map(ownPart)
  if (rest.length + calls.length === 0) return results.map(ownResult)
  return [
    ...results.map(ownResult),
    { ...more, content: rest.length === 0 ? null : rest, ...allCalls(more, calls) },
  ]
}

function allCalls({ tool_calls: own }: JsonObject, calls: readonly JsonObject[]): JsonObject {
  return calls.length === 0 ? {} : { tool_calls: [...listOf(own), ...calls] }
}

function ownCall({ id, name, input }: JsonObject): JsonObject {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }
}

/** Messages of tools hold texts alone. */
function ownResult({ tool_use_id, content, cache_control }: JsonObject): JsonObject {
  return {
    role: 'tool',
    tool_call_id: tool_use_id,
    content: Array.isArray(content) ? content.filter(isText).map(ownPart) : textOf(content),
    ...(cache_control !== undefined && { cache_control }),
  }
}

function isText(part: unknown): boolean {
  return typeof part === 'string' || /^((in|out)put_)?text$/.test(textOf(objectOf(part).type))
}

function ownPart(part: unknown): unknown {
  if (!isOtherPart(part)) return part
  const { cache_control, ...more } = objectOf(part)
  return { ...writtenPart(more), ...(cache_control !== undefined && { cache_control }) }
}

function writtenPart(part: JsonObject): JsonObject {
  switch (part.type) {
    case 'image':
      return { type: 'image_url', image_url: { url: addressOf(objectOf(part.source)) } }
    case 'document':
      return documentPart(part)
    case 'input_image': {
      const { image_url, file_id, detail } = part
      if (image_url === undefined) return { type: 'file', file: { file_id } }
      return { type: 'image_url', image_url: { url: image_url, ...(detail !== undefined && { detail }) } }
    }
    case 'input_file': {
      const { type: _, file_url, ...file } = part
      return { type: 'file', file: file_url === undefined ? file : { ...file, file_data: file_url } }
    }
    default:
      return { type: 'text', text: part.text }
  }
}

function documentPart({ source, title }: JsonObject): JsonObject {
  const document = objectOf(source)
  if (document.type === 'text') return { type: 'text', text: document.data }
  const named = textOf(title) === '' ? {} : { filename: title }
  return { type: 'file', file: { file_data: addressOf(document), ...named } }
}

/** The address of a source of Anthropic's: its own, or that of its bytes. */
function addressOf({ type, url, media_type, data }: JsonObject): unknown {
  return type === 'base64' ? `data:${textOf(media_type)};base64,${textOf(data)}` : url
}
