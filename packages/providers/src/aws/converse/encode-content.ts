import {
  type AssistantPart,
  type JsonObject,
  type ReasoningPart,
  type TextPart,
  type ToolResultPart,
  toolInput,
  type UserPart,
  unsupported,
} from '@tollgate/formats'
import { encodeMedia } from './encode-media.ts'
import { cachePoint, type Encoding } from './encoding.ts'

/** Blocks of one message; blank texts are refused by the upstream and left out. */
export function encodeUserPart(part: UserPart, param: string, encoding: Encoding): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part, encoding)
    case 'media':
      return [encodeMedia(part, param, encoding), ...cachePoint(part.cache, encoding)]
    case 'tool-result':
      return [{ toolResult: encodeToolResult(part, param, encoding) }, ...cachePoint(part.cache, encoding)]
  }
}

export function encodeAssistantPart(
  part: AssistantPart,
  param: string,
  encoding: Encoding,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part, encoding)
    case 'refusal':
      return encodeText({ type: 'text', text: part.text }, encoding)
    case 'reasoning':
      return ownReasoning(part)
    case 'tool-call': {
      const { name, cache } = part
      const toolUse = { toolUseId: encoding.callIds.ofCall(part), name, input: toolInput(part) }
      return [{ toolUse }, ...cachePoint(cache, encoding)]
    }
    case 'media':
      throw unsupported(param, 'an assistant message takes no images, sounds or files')
  }
}

export function encodeText({ text, cache }: TextPart, encoding: Encoding): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ text }, ...cachePoint(cache, encoding)]
}

/** Thoughts that a model here signed or encrypted go back to it; those of others are no input. */
function ownReasoning({ text, signature, encrypted }: ReasoningPart): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  if (signature?.vendor === 'bedrock')
    blocks.push({ reasoningContent: { reasoningText: { text, signature: signature.value } } })
  if (encrypted?.vendor === 'bedrock') blocks.push({ reasoningContent: { redactedContent: encrypted.value } })
  return blocks
}

function encodeToolResult(part: ToolResultPart, param: string, encoding: Encoding): JsonObject {
  const content = part.content.flatMap((item, place) =>
    item.type === 'text'
      ? encodeText({ type: 'text', text: item.text }, encoding)
      : [encodeMedia(item, `${param}.content[${place}]`, encoding)],
  )
  // The others take no status; the text says what went wrong.
  const tellsStatus = part.isError === true && encoding.traits.cachePoints
  return {
    toolUseId: encoding.callIds.ofResult(part, param),
    content,
    ...(tellsStatus && { status: 'error' }),
  }
}
