import {
  type AssistantPart,
  CallIds,
  dataUrl,
  type JsonObject,
  type MediaPart,
  type Message,
  type TextPart,
  type ToolResultPart,
  toolInput,
  type UserPart,
  unsupported,
} from '@tollgate/formats'

interface Encoding {
  readonly callIds: CallIds
  readonly dropped: Set<string>
}

/** The conversation, with results of tools as messages of their own, in front of what the user says with them. */
export function encodeMessages(messages: readonly Message[], dropped: Set<string>): readonly JsonObject[] {
  const encoding: Encoding = { callIds: new CallIds(), dropped }
  const encoded = messages.flatMap((message, index) => encodeMessage(message, `messages[${index}]`, encoding))
  if (encoded.length === 0) throw unsupported('messages', 'it needs at least one message that is not empty')
  return encoded
}

function encodeMessage(message: Message, path: string, encoding: Encoding): readonly JsonObject[] {
  if (message.parts.some(isMarked)) encoding.dropped.add('cache')
  if (message.role === 'system') return stated('system', joined(message.parts))
  if (message.name !== undefined && message.name !== '') encoding.dropped.add('name')
  return message.role === 'user'
    ? userMessages(message.parts, path, encoding)
    : responses(message.parts, path, encoding)
}

function stated(role: string, content: string): readonly JsonObject[] {
  return content === '' ? [] : [{ role, content }]
}

function userMessages(parts: readonly UserPart[], path: string, encoding: Encoding): readonly JsonObject[] {
  const results: JsonObject[] = []
  const content: JsonObject[] = []
  parts.forEach((part, at) => {
    const position = `${path}.content[${at}]`
    if (part.type === 'tool-result' && part.isError === true) encoding.dropped.add('is_error')
    if (part.type === 'tool-result') results.push(encodeResult(part, position, encoding))
    else if (part.type === 'media') content.push(encodeMedia(part, position))
    else if (part.text !== '') content.push({ type: 'text', text: part.text })
  })
  const plain = content.every(({ type }) => type === 'text')
  const spoken = plain
    ? stated('user', content.map(({ text }) => text).join('\n'))
    : [{ role: 'user', content }]
  return [...results, ...spoken]
}

/** Cohere refuses a text beside calls, so the text becomes their plan (`tool_plan`). */
function responses(
  parts: readonly AssistantPart[],
  path: string,
  { callIds }: Encoding,
): readonly JsonObject[] {
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: callIds.ofCall(part),
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(toolInput(part)) },
          },
        ]
      : [],
  )
  const at = parts.findIndex(({ type }) => type === 'media')
  if (at >= 0)
    throw unsupported(`${path}.content[${at}]`, 'an assistant message takes no images, sounds or files')
  const text = joined(parts.filter((part) => part.type === 'text' || part.type === 'refusal'))
  if (calls.length === 0) return stated('assistant', text)
  return [{ role: 'assistant', tool_calls: calls, ...(text !== '' && { tool_plan: text }) }]
}

function encodeResult(part: ToolResultPart, path: string, { callIds }: Encoding): JsonObject {
  const media = part.content.findIndex(({ type }) => type === 'media')
  if (media >= 0) throw unsupported(`${path}.content[${media}]`, 'results of tools are texts')
  const texts = part.content.filter((item) => item.type === 'text')
  return { role: 'tool', tool_call_id: callIds.ofResult(part, path), content: joined(texts) }
}

const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/webp',
])

function encodeMedia({ kind, source, detail }: MediaPart, path: string): JsonObject {
  if (kind === 'document' && source.type === 'text') return { type: 'text', text: source.text }
  if (kind !== 'image') throw unsupported(path, `it takes no ${kind}`)
  const image = { ...(detail === 'low' || detail === 'high' || detail === 'auto' ? { detail } : {}) }
  switch (source.type) {
    case 'base64': {
      if (!imageTypes.has(source.mediaType.toLowerCase()))
        throw unsupported(path, `it takes no image of type ${source.mediaType}`)
      const url = dataUrl({ ...source, mediaType: source.mediaType.toLowerCase() })
      return { type: 'image_url', image_url: { url, ...image } }
    }
    case 'url':
      return { type: 'image_url', image_url: { url: source.url, ...image } }
    case 'text':
      throw unsupported(path, 'an image cannot be a text')
    case 'file':
      throw unsupported(path, 'the file was uploaded to another provider')
  }
}

function joined(parts: readonly Pick<TextPart, 'text'>[]): string {
  return parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n')
}

function isMarked(part: Message['parts'][number]): boolean {
  return 'cache' in part && part.cache !== undefined
}
