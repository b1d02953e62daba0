import type { AssistantPart, Message, TextPart, ToolResultPart, UserPart } from '../../canonical/request.ts'
import { camelCase } from '../../json/camel-case.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { invalid, missing, wrongType } from '../../requests/fields.ts'
import {
  collectUnknown,
  join,
  member,
  objectAt,
  objectsAt,
  textAt,
  type UnknownFields,
  unsupported,
} from '../fields.ts'
import { assistantPartOf, isTextAlone, mediaOf } from '../parts.ts'
import { CallRegister } from './call-register.ts'

/** The conversation of a request. @throws RequestFault that names the part */
export function decodeContents(
  contents: readonly JsonObject[],
  unknownFields: UnknownFields,
): readonly Message[] {
  const calls = new CallRegister(sentIds(contents))
  let previous: Message['role'] | undefined
  const messages = contents.map((content, index): Message => {
    const path = `contents[${index}]`
    collectUnknown(content, contentMembers, path, unknownFields)
    const role = roleOf(content, path)
    if (role === 'assistant' && previous !== 'assistant') calls.nextStep()
    previous = role
    const parts = objectsAt(content, 'parts', path)
    const message: Message =
      role === 'user'
        ? { role, parts: readParts(parts, path, unknownFields, (part, at) => userPart(part, at, calls)) }
        : { role, parts: readParts(parts, path, unknownFields, (part, at) => assistantPart(part, at, calls)) }
    return withSourcePath(message, path)
  })
  return messages.filter(({ parts }) => parts.length > 0)
}

const contentMembers: ReadonlySet<string> = new Set(['role', 'parts'])

/** The texts of `systemInstruction`: a content, or a bare text as some clients send it. */
export function decodeInstruction(value: unknown, unknownFields: UnknownFields): readonly TextPart[] {
  const path = 'systemInstruction'
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  if (!isObject(value)) throw wrongType(path, 'a content with parts')
  return readParts(objectsAt(value, 'parts', path), path, unknownFields, (part, at) => {
    const text = textAt(part, 'text', at)
    if (text === undefined) throw unsupported(at, 'a system instruction is made of texts')
    return textPart(text)
  })
}

const roles: Readonly<Record<string, 'user' | 'assistant'>> = {
  user: 'user',
  function: 'user',
  tool: 'user',
  model: 'assistant',
}

function roleOf(content: JsonObject, path: string): 'user' | 'assistant' {
  const role = textAt(content, 'role', path) || 'user'
  const known = Object.hasOwn(roles, role) ? roles[role] : undefined
  if (known === undefined) throw invalid(join(path, 'role'), 'it must be "user" or "model"')
  return known
}

function sentIds(contents: readonly JsonObject[]): ReadonlySet<string> {
  const parts = contents.flatMap(({ parts }) => (isObject(parts) ? [parts] : listOf(parts)))
  return new Set(parts.map((part) => textOf(objectOf(member(objectOf(part), 'functionCall')).id)))
}

function readParts<Part extends object>(
  parts: readonly JsonObject[],
  path: string,
  unknownFields: UnknownFields,
  read: (part: JsonObject, at: string) => Part | undefined,
): readonly Part[] {
  return parts.flatMap((part, index) => {
    const at = `${path}.parts[${index}]`
    if (!isTextAlone(part)) checkPart(part, at, unknownFields)
    const made = read(part, at)
    return made === undefined ? [] : [withSourcePath(made, at)]
  })
}

/** Looks at what a part holds. What the part says of itself is checked, so that readers may be lenient. */
type Check = (value: JsonObject, path: string, unknownFields: UnknownFields) => void

const payloads: Readonly<Record<string, Check>> = {
  inlineData: (data, path) => {
    if (textAt(data, 'mimeType', path) === undefined)
      throw missing(join(path, 'mimeType'), 'for example "image/png"')
    if (textAt(data, 'data', path) === undefined)
      throw missing(join(path, 'data'), 'send the bytes in base64')
  },
  fileData: (file, path) => {
    textAt(file, 'mimeType', path)
    if (!textAt(file, 'fileUri', path)) throw missing(join(path, 'fileUri'), 'name the file')
  },
  functionCall: (call, path, unknownFields) => {
    checkNamed(call, path)
    collectUnknown(call, callMembers, path, unknownFields)
    objectAt(call, 'args', path)
  },
  functionResponse: (response, path, unknownFields) => {
    checkNamed(response, path)
    collectUnknown(response, responseMembers, path, unknownFields)
    objectAt(response, 'response', path)
  },
  executableCode: (code, path) => void textAt(code, 'code', path),
  codeExecutionResult: (result, path) => void textAt(result, 'output', path),
}

const callMembers: ReadonlySet<string> = new Set(['id', 'name', 'args'])
const responseMembers: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts'])

function checkNamed(value: JsonObject, path: string): void {
  textAt(value, 'id', path)
  if (!textAt(value, 'name', path)) throw missing(join(path, 'name'), 'name the function')
}

const annotations: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature', 'mediaResolution'])
const partMembers: ReadonlySet<string> = new Set([...annotations, ...Object.keys(payloads)])
/** Parts that other formats have no words for, and without which the response would be another one. */
const carriedNowhere: ReadonlySet<string> = new Set(['videoMetadata', 'toolCall', 'toolResponse'])

function checkPart(part: JsonObject, path: string, unknownFields: UnknownFields): void {
  textAt(part, 'text', path)
  textAt(part, 'thoughtSignature', path)
  for (const [key, value] of Object.entries(part)) {
    const name = camelCase(key)
    if (value === null) continue
    if (carriedNowhere.has(name)) throw unsupported(join(path, name), 'only Gemini itself understands it')
    if (!Object.hasOwn(payloads, name)) continue
    if (!isObject(value)) throw wrongType(join(path, name), 'an object')
    payloads[name]?.(value, join(path, name), unknownFields)
  }
  collectUnknown(part, partMembers, path, unknownFields)
}

function assistantPart(part: JsonObject, path: string, calls: CallRegister): AssistantPart | undefined {
  if (isTextAlone(part)) return textPart(part.text)
  if (member(part, 'functionResponse') !== undefined)
    throw invalid(join(path, 'functionResponse'), 'it must stand in a content of role "user"')
  const read = assistantPartOf(part)
  return read?.type === 'tool-call' ? { ...read, id: calls.call(read.id, read.name).id } : read
}

function textPart(text: string): TextPart | undefined {
  return text === '' ? undefined : { type: 'text', text }
}

function userPart(part: JsonObject, path: string, calls: CallRegister): UserPart | undefined {
  if (isTextAlone(part)) return textPart(part.text)
  const response = member(part, 'functionResponse')
  if (isObject(response)) return resultOf(response, join(path, 'functionResponse'), calls)
  if (member(part, 'functionCall') !== undefined)
    throw invalid(join(path, 'functionCall'), 'it must stand in a content of role "model"')
  // Signatures and reasoning belong to the model; clients that copy parts leave them on the user's parts, too.
  const read = assistantPartOf({ ...part, thought: false, thoughtSignature: null, thought_signature: null })
  return read?.type === 'text' || read?.type === 'media' ? read : undefined
}

function resultOf(response: JsonObject, path: string, calls: CallRegister): ToolResultPart {
  const id = textOf(response.id)
  const name = textOf(response.name)
  const call = calls.result(id, name)
  // An id of its own may belong to a call that was cut from the conversation: the upstream will say.
  if (call === undefined && id === '') throw invalid(path, 'it answers no functionCall of the turn before it')
  const { text, isError } = resultText(objectOf(response.response), name)
  const media = objectsAt(response, 'parts', path).flatMap((part, index) => {
    const made = mediaOf(part)
    return made === undefined ? [] : [withSourcePath(made, `${path}.parts[${index}]`)]
  })
  return {
    type: 'tool-result',
    callId: call?.id ?? id,
    name,
    content: [...(text === '' && media.length > 0 ? [] : [{ type: 'text', text } as const]), ...media],
    ...(isError && { isError }),
  }
}

/**
 * Returns the text of a result. A lone `output`, `error` or `content` holds it as text; otherwise the complete object is the result.
 * Some clients put the function's name beside the content (Vercel's SDK).
 */
function resultText(
  response: JsonObject,
  functionName: string,
): { readonly text: string; readonly isError: boolean } {
  const stated = Object.entries(response).filter(([key, value]) => key !== 'name' || value !== functionName)
  const [only, ...others] = stated
  if (only === undefined) return { text: JSON.stringify(response), isError: false }
  const [key, value] = only
  const isError = others.length === 0 && key === 'error'
  const isText =
    others.length === 0 && typeof value === 'string' && /^(output|error|content|result)$/.test(key)
  return { text: isText ? String(value) : JSON.stringify(response), isError }
}
