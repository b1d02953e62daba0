import type {
  AssistantPart,
  ChatRequest,
  MediaPart,
  Message,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import { parseExactJson } from '../../json/exact-json.ts'
import { isObject } from '../../json/value.ts'
import { bypassSignature } from '../../requests/foreign-signatures.ts'
import { argumentsOf, encodeMedia, encodeResponsePart, type WirePart } from '../encode-part.ts'
import { unsupported } from '../fields.ts'
import { signatureMember } from '../parts.ts'
import { CallRegister } from './call-register.ts'
import { isGemini3, type ModelTraits } from './model.ts'

/** One content under construction. Tool results precede the user's other parts. */
interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: WirePart[]
  readonly results: Result[]
}

interface Result {
  readonly ordinal: number
  readonly part: WirePart
  /** Its media that the model does not accept inside. */
  readonly attached: readonly WirePart[]
}

interface Conversation {
  readonly traits: ModelTraits
  readonly dropped: Set<string>
  readonly calls: CallRegister
  readonly turns: Turn[]
}

interface EncodedContents {
  readonly contents: readonly WirePart[]
  readonly systemInstruction?: WirePart
}

/**
 * The conversation as contents: instructions, wherever they stand, become the system instruction; neighbours of one
 * role become one content, which the service asks for. Calls go without ids, which not every service takes, so
 * results are put in the order of their calls, which is how the service matches them then.
 * @throws RequestFault for a part that the format cannot say
 */
export function encodeContents(
  { messages }: ChatRequest,
  traits: ModelTraits,
  dropped: Set<string>,
): EncodedContents {
  const conversation: Conversation = { traits, dropped, calls: new CallRegister(new Set()), turns: [] }
  messages.forEach((message, index) => {
    addMessage(message, `messages[${index}]`, conversation)
  })
  const instructions = messages.filter((message) => message.role === 'system').flatMap(({ parts }) => parts)
  noteCacheMarks(instructions, dropped)
  const system = instructions
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n')
  const contents = conversation.turns
    .map((turn) => contentOf(turn, traits))
    .filter(({ parts }) => parts.length > 0)
  if (system === '') return { contents: atLeastOne(contents) }
  // Gemini requires one content: instructions alone become the user's.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: [{ text: system }] }] }
  if (traits.isGemma) return { contents: withInstruction(contents, system) }
  return { contents, systemInstruction: { parts: [{ text: system }] } }
}

/** A type, not an interface: it is written as it is. */
type Content = {
  readonly role: 'user' | 'model'
  readonly parts: readonly WirePart[]
}

function atLeastOne(contents: readonly Content[]): readonly WirePart[] {
  if (contents.length === 0)
    throw unsupported('messages', 'Gemini needs at least one message that is not empty')
  return contents
}

/** Puts the instruction in front of the first thing the user says. */
function withInstruction(contents: readonly Content[], system: string): readonly WirePart[] {
  const instruction = { text: system }
  const first = contents.findIndex(({ role }) => role === 'user')
  if (first < 0)
    return [{ role: 'user', parts: [instruction] }, ...contents.map((content) => ({ ...content }))]
  return contents.map(({ role, parts }, index) => ({
    role,
    parts: index === first ? [instruction, ...parts] : parts,
  }))
}

function contentOf({ role, parts, results }: Turn, traits: ModelTraits): Content {
  const inOrder = results.toSorted((a, b) => a.ordinal - b.ordinal)
  // Media between two results make Gemini count them wrong: https://github.com/google-gemini/gemini-cli/pull/16137 (2026-01-08)
  const attached = inOrder.flatMap((result) => result.attached)
  const all = [...inOrder.map(({ part }) => part), ...attached, ...parts]
  return { role, parts: role === 'model' && isGemini3(traits) ? signed(all) : all }
}

/** Gemini 3 refuses a step whose first call has no signature. */
function signed(parts: readonly WirePart[]): readonly WirePart[] {
  const first = parts.findIndex((part) => part.functionCall !== undefined)
  return parts.map((part, index) =>
    index === first && part.thoughtSignature === undefined
      ? { ...part, thoughtSignature: bypassSignature }
      : part,
  )
}

function addMessage(message: Message, path: string, conversation: Conversation): void {
  if (message.role === 'system') return
  if (message.name !== undefined && message.name !== '') conversation.dropped.add('name')
  noteCacheMarks(message.parts, conversation.dropped)
  if (message.role === 'assistant') {
    const { parts } = turnOf('model', conversation)
    message.parts.forEach((part, index) => {
      parts.push(...modelParts(part, `${path}.content[${index}]`, conversation))
    })
    return
  }
  const turn = turnOf('user', conversation)
  message.parts.forEach((part, index) => {
    addUserPart(part, `${path}.content[${index}]`, turn, conversation)
  })
}

function turnOf(role: Turn['role'], { turns, calls }: Conversation): Turn {
  const last = turns.at(-1)
  if (last?.role === role) return last
  if (role === 'model') calls.nextStep()
  const turn: Turn = { role, parts: [], results: [] }
  turns.push(turn)
  return turn
}

/** Sends signed reasoning back; leaves out unsigned reasoning and that of other vendors. */
function modelParts(
  part: AssistantPart,
  path: string,
  { calls, dropped }: Conversation,
): readonly WirePart[] {
  if (part.type === 'reasoning' && part.signature?.vendor !== 'gemini') return []
  if (part.type === 'media') return [mediaPart(part, path, dropped)]
  if (part.type === 'tool-call') {
    calls.call(part.id, part.name)
    // What a model once wrote stays in the conversation, broken or not: a result refers to it.
    const args = argumentsOf(part.arguments) ?? { arguments: part.arguments }
    return [{ functionCall: { name: part.name, args }, ...signatureMember(part.signature) }]
  }
  const encoded = encodeResponsePart(part)
  return encoded === undefined ? [] : [encoded]
}

function addUserPart(part: UserPart, path: string, turn: Turn, conversation: Conversation): void {
  switch (part.type) {
    case 'text':
      if (part.text !== '') turn.parts.push({ text: part.text })
      return
    case 'media':
      turn.parts.push(mediaPart(part, path, conversation.dropped))
      return
    case 'tool-result':
      turn.results.push(resultOf(part, path, conversation))
  }
}

function mediaPart(part: MediaPart, path: string, dropped: Set<string>): WirePart {
  const encoded = encodeMedia(part)
  if (encoded === undefined)
    throw unsupported(path, 'the file was uploaded to another vendor: send its bytes')
  if (part.filename !== undefined) dropped.add('filename')
  if (part.detail === 'low' || part.detail === 'high') dropped.add('detail')
  return encoded
}

/** Gemini 3 accepts some media inside a result; all others follow the results. */
function resultOf(part: ToolResultPart, path: string, { calls, traits, dropped }: Conversation): Result {
  const call = calls.result(part.callId, part.name ?? '')
  const name = call?.name ?? part.name ?? ''
  if (name === '') throw unsupported(path, 'the result belongs to no tool call of this conversation')
  noteCacheMarks(part.content, dropped)
  const texts = part.content.flatMap((item) => (item.type === 'text' ? [item.text] : []))
  const media = part.content.flatMap((item, index) =>
    item.type === 'media' ? [mediaPart(item, `${path}.content[${index}]`, dropped)] : [],
  )
  const response = responseOf(texts.join('\n'), part.isError === true)
  const parts = isGemini3(traits) ? media.filter(goesInside) : []
  const functionResponse = { name, response, ...(parts.length > 0 && { parts }) }
  return {
    ordinal: call?.ordinal ?? Number.MAX_SAFE_INTEGER,
    part: { functionResponse },
    attached: media.filter((each) => !parts.includes(each)),
  }
}

/** Bytes of these types alone, and no addresses. https://ai.google.dev/gemini-api/docs/function-calling#multimodal (2026-11-30) */
const typesInside: ReadonlySet<unknown> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'text/plain',
])

function goesInside({ inlineData }: WirePart): boolean {
  return isObject(inlineData) && typesInside.has(inlineData.mimeType)
}

function responseOf(text: string, isError: boolean): WirePart {
  if (isError) return { error: text }
  const value = reference.test(text) ? undefined : parseExactJson(text)
  return isObject(value) ? value : { content: text }
}

/**
 * Gemini reads a `$ref` in a result as the name of a medium beside it, and refuses one that names none. JSON Schemas, which tools often
 * return, are full of them: such a result goes as text. https://github.com/vercel/ai/issues/14369 (2026-04-12)
 */
const reference = /"\$ref"\s*:/

function noteCacheMarks(parts: readonly (AssistantPart | UserPart | TextPart)[], dropped: Set<string>): void {
  if (parts.some((part) => 'cache' in part && part.cache !== undefined)) dropped.add('cache')
}
