import type {
  AssistantPart,
  MediaPart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/request.ts'
import { isObject, type JsonObject, parseJson } from '../json-value.ts'
import { cacheControl, type Encoding } from './encoding.ts'
import { unsupported } from './fields.ts'
import { redactedBlock } from './reasoning-block.ts'

/** Blocks of one message; blank texts are refused by the upstream and left out. */
export function encodeUserPart(part: UserPart, param: string, encoding: Encoding): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part)
    case 'media':
      return [encodeMedia(part, param, encoding)]
    case 'tool-result':
      return [encodeToolResult(part, param, encoding)]
  }
}

export function encodeAssistantPart(
  part: AssistantPart,
  param: string,
  { callIds }: Encoding,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part)
    case 'refusal':
      return encodeText({ type: 'text', text: part.text })
    case 'reasoning':
      return ownReasoning(part)
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: callIds.ofCall(part),
          name: part.name,
          input: toolInput(part),
          ...cacheControl(part.cache),
        },
      ]
    case 'media':
      throw unsupported(param, 'an assistant message takes no images, sounds or files')
  }
}

export function encodeText({ text, cache }: TextPart): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(cache) }]
}

/** Thoughts go back to the vendor that signed or encrypted them; those of others are no input. */
export function ownReasoning({ text, signature, encrypted }: ReasoningPart): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  if (signature?.vendor === 'anthropic')
    blocks.push({ type: 'thinking', thinking: text, signature: signature.value })
  if (encrypted?.vendor === 'anthropic') blocks.push(redactedBlock(encrypted.value))
  return blocks
}

/** The arguments as the object that this format wants; what a model wrote that is none is kept as one text in it. */
export function toolInput({ arguments: text }: Pick<ToolCallPart, 'arguments'>): JsonObject {
  if (text.trim() === '') return {}
  const input = parseJson(text)
  return isObject(input) ? input : { arguments: text }
}

function encodeToolResult(part: ToolResultPart, param: string, encoding: Encoding): JsonObject {
  const blocks = part.content.flatMap((item, place) =>
    item.type === 'text' ? encodeText(item) : [encodeMedia(item, `${param}.content[${place}]`, encoding)],
  )
  const [first] = part.content
  const plain = part.content.length === 1 && first?.type === 'text' && first.cache === undefined
  return {
    type: 'tool_result',
    tool_use_id: encoding.callIds.ofResult(part, param),
    content: plain ? first.text : blocks,
    ...(part.isError === true && { is_error: true }),
    ...cacheControl(part.cache),
  }
}

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function encodeMedia(part: MediaPart, param: string, encoding: Encoding): JsonObject {
  if (part.kind !== 'image' && part.kind !== 'document') throw unsupported(param, `it takes no ${part.kind}`)
  if (part.detail !== undefined && part.detail !== '' && part.detail !== 'auto')
    encoding.dropped.add('detail')
  return {
    type: part.kind,
    source: encodeSource(part, param, encoding),
    ...(part.kind === 'document' && part.filename !== undefined && { title: part.filename }),
    ...cacheControl(part.cache),
  }
}

function encodeSource({ kind, source }: MediaPart, param: string, { hosted }: Encoding): JsonObject {
  switch (source.type) {
    case 'base64': {
      const mediaType = source.mediaType.toLowerCase()
      const taken = kind === 'image' ? imageTypes.has(mediaType) : mediaType === 'application/pdf'
      if (!taken) throw unsupported(param, `it takes no ${kind} of type ${source.mediaType}`)
      return { type: 'base64', media_type: mediaType, data: source.data }
    }
    case 'url':
      if (hosted) throw unsupported(param, 'it takes no addresses, only the bytes as base64')
      return { type: 'url', url: source.url }
    case 'text':
      if (kind === 'image') throw unsupported(param, 'an image cannot be a text')
      return { type: 'text', media_type: 'text/plain', data: source.text }
    case 'file':
      if (source.format !== 'anthropic-messages')
        throw unsupported(param, 'the file was uploaded to another provider')
      return { type: 'file', file_id: source.id }
  }
}
