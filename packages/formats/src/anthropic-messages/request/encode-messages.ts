import type {
  AssistantPart,
  MediaPart,
  Message,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import { parseExactJson } from '../../json/exact-json.ts'
import { isObject, type JsonObject } from '../../json/value.ts'
import { unsupportedByProvider } from '../../requests/fields.ts'
import { redactedBlock } from '../blocks.ts'
import { cacheControl, type Encoding } from './encoding.ts'

/** Blocks of one message; blank texts are refused by the upstream and left out. */
function encodeUserPart(part: UserPart, param: string, encoding: Encoding): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return encodeText(part)
    case 'media':
      return [encodeMedia(part, param, encoding)]
    case 'tool-result':
      return [encodeToolResult(part, param, encoding)]
  }
}

function encodeAssistantPart(
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
      throw unsupportedByProvider(param, 'an assistant message takes no images, sounds or files')
  }
}

function encodeText({ text, cache }: TextPart): readonly JsonObject[] {
  if (!hasInk.test(text)) return noBlocks
  // Nearly no text has a mark, and each of a long conversation would be copied for it.
  return [cache === undefined ? { type: 'text', text } : { type: 'text', text, ...cacheControl(cache) }]
}

const noBlocks: readonly JsonObject[] = []
/** Some character that is not white space. */
const hasInk = /\S/

/** Sends reasoning back to the vendor that signed or encrypted it, and leaves out that of other vendors. */
export function ownReasoning({ text, signature, encrypted }: ReasoningPart): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  if (signature?.vendor === 'anthropic')
    blocks.push({ type: 'thinking', thinking: text, signature: signature.value })
  if (encrypted?.vendor === 'anthropic') blocks.push(redactedBlock(encrypted.value))
  return blocks
}

/** The arguments as the object that this format requires; text that is not a JSON object becomes one member of it. */
export function toolInput({ arguments: text }: Pick<ToolCallPart, 'arguments'>): JsonObject {
  if (text.trim() === '') return {}
  const input = parseExactJson(text)
  return isObject(input) ? input : { arguments: text }
}

function encodeToolResult(part: ToolResultPart, param: string, encoding: Encoding): JsonObject {
  const blocks = part.content.flatMap((item, index) =>
    item.type === 'text' ? encodeText(item) : [encodeMedia(item, `${param}.content[${index}]`, encoding)],
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
  if (part.kind !== 'image' && part.kind !== 'document')
    throw unsupportedByProvider(param, `it takes no ${part.kind}`)
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
      if (!taken) throw unsupportedByProvider(param, `it takes no ${kind} of type ${source.mediaType}`)
      return { type: 'base64', media_type: mediaType, data: source.data }
    }
    case 'url':
      if (hosted) throw unsupportedByProvider(param, 'it takes no addresses, only the bytes as base64')
      return { type: 'url', url: source.url }
    case 'text':
      if (kind === 'image') throw unsupportedByProvider(param, 'an image cannot be a text')
      return { type: 'text', media_type: 'text/plain', data: source.text }
    case 'file':
      if (source.format !== 'anthropic-messages')
        throw unsupportedByProvider(param, 'the file was uploaded to another provider')
      return { type: 'file', file_id: source.id }
  }
}

interface Conversation {
  /** Instructions that precede everything else. */
  readonly system: readonly JsonObject[]
  readonly messages: readonly Turn[]
}

interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: readonly JsonObject[]
}

/** Fills the place where the format requires a user's message and the caller has none. */
const placeholder: JsonObject = { type: 'text', text: '...' }

/**
 * Turns as the upstream requires them: the user begins, consecutive messages of one role form one turn, tool results come
 * first in their turn, and a response that the model should continue does not end with white space.
 */
export function encodeMessages(messages: readonly Message[], encoding: Encoding): Conversation {
  const leading = messages.findIndex(({ role }) => role !== 'system')
  const count = leading < 0 ? messages.length : leading
  const turns = messages.slice(count).map((message, index) => encodeTurn(message, count + index, encoding))
  const placed = insertSystem(merge(turns), encoding).map(resultsFirst)
  const startedTurns: readonly Turn[] =
    placed[0]?.role === 'user' ? placed : [{ role: 'user', content: [placeholder] }, ...placed]
  return { system: messages.slice(0, count).flatMap(encodeSystem), messages: withTrimmedEnd(startedTurns) }
}

function encodeSystem(message: Message): readonly JsonObject[] {
  return message.role === 'system' ? message.parts.flatMap(encodeText) : []
}

function encodeTurn(message: Message, position: number, encoding: Encoding): Turn {
  const param = (part: number) => `messages[${position}].content[${part}]`
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.parts.flatMap((part: TextPart) => encodeText(part)) }
    case 'user':
      if (message.name !== undefined) encoding.dropped.add('name')
      return {
        role: 'user',
        content: message.parts.flatMap((part, at) => encodeUserPart(part, param(at), encoding)),
      }
    case 'assistant':
      if (message.name !== undefined) encoding.dropped.add('name')
      return {
        role: 'assistant',
        content: message.parts.flatMap((part, at) => encodeAssistantPart(part, param(at), encoding)),
      }
  }
}

/** Merges consecutive messages of one role into one turn and leaves out empty turns. */
function merge(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (turn.content.length === 0) continue
    if (last?.role === turn.role)
      merged[merged.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] }
    else merged.push(turn)
  }
  return merged
}

/**
 * Inserts later system messages. One stays where the model takes it, which is behind a user's turn and before a response; elsewhere it
 * is the user's text. https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
function insertSystem(turns: readonly Turn[], { traits, hosted }: Encoding): readonly Turn[] {
  if (turns.every(({ role }) => role !== 'system')) return turns
  const taken = traits.laterSystem && !hosted
  const placed = turns.map((turn, index): Turn => {
    if (turn.role !== 'system') return turn
    const stays = taken && turns[index - 1]?.role === 'user' && turns[index + 1]?.role !== 'user'
    return stays ? turn : { role: 'user', content: turn.content }
  })
  return merge(placed)
}

function resultsFirst(turn: Turn): Turn {
  if (turn.role !== 'user') return turn
  const isResult = ({ type }: JsonObject) => type === 'tool_result'
  if (!turn.content.some(isResult)) return turn
  return {
    role: 'user',
    content: [...turn.content.filter(isResult), ...turn.content.filter((block) => !isResult(block))],
  }
}

function withTrimmedEnd(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || typeof block?.text !== 'string') return turns
  const trimmed = { ...block, text: block.text.trimEnd() }
  return [...turns.slice(0, -1), { role: 'assistant', content: [...last.content.slice(0, -1), trimmed] }]
}
