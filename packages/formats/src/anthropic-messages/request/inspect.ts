import {
  type EncodeTarget,
  type RequestFacts,
  RequestFault,
  type RequestPath,
} from '../../canonical/codec.ts'
import { type Instructions, withFirstItem, withFirstText } from '../../canonical/instructions.ts'
import type { RequestText } from '../../json/request-text.ts'
import { type JsonEdits, memberText } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import {
  type Checks,
  decimal,
  flag,
  integer,
  invalid,
  list,
  nonEmptyText,
  object,
  optional,
  requireFields,
  text,
  textOrList,
  textOrObject,
} from '../../requests/fields.ts'
import { mayHoldForeignSignatures, unwrapSignature } from '../../requests/foreign-signatures.ts'

/** Fields that their vendor documents, for what no upstream takes. https://platform.claude.com/docs/en/api/messages */
const messagesChecks: Checks = {
  system: textOrList,
  stop_sequences: list,
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  top_k: integer(-1, Number.MAX_SAFE_INTEGER),
  tools: list,
  tool_choice: object,
  thinking: object,
  output_config: object,
  metadata: object,
  service_tier: text,
  container: textOrObject,
  context_management: object,
  mcp_servers: list,
}

/** No model writes a billion tokens; a larger limit is a mistake that would reserve a fortune. */
export const maxTokensLimit = 2 ** 30
const maxModelLength = 255

/** @throws RequestFault for what the gateway cannot work with */
export function inspectRequest(body: JsonObject, path: RequestPath): RequestFacts {
  const model = readModel(body, path)
  readMessages(body)
  requireFields(body, messagesChecks)
  // 0 requests no output (it warms a cache), so it does not limit the reservation.
  const limit = optional(body.max_tokens, 'max_tokens', integer(0, maxTokensLimit))
  return {
    model,
    stream: readStream(body, path),
    includeUsage: true,
    maxOutputTokens: limit === 0 ? undefined : limit,
    candidates: 1,
    reasoningEffort: textOf(objectOf(body.output_config).effort),
  }
}

/** @throws RequestFault when the body names no model */
export function readModel(body: JsonObject, path: RequestPath): string {
  const model = nonEmptyText(body.model ?? path.model, 'model')
  if (model.length > maxModelLength)
    throw invalid('model', `it must have at most ${maxModelLength} characters`)
  return model
}

/** Returns whether the caller wants a stream. */
export function readStream(body: JsonObject, path: RequestPath): boolean {
  return optional(body.stream, 'stream', flag) ?? path.stream ?? false
}

/** Reads messages, a list of objects with a role; others judge their content. */
export function readMessages(body: JsonObject): readonly JsonObject[] {
  const messages = list(body.messages, 'messages')
  if (messages.length === 0) throw invalid('messages', 'it must hold at least one message')
  return messages.map((item, index) => (isMessage(item) ? item : refuseMessage(item, `messages[${index}]`)))
}

/** Returns whether no check refuses a message: each of these makes the name of what it looks at, a long conversation's thousands. */
function isMessage(item: unknown): item is JsonObject {
  return isObject(item) && typeof item.role === 'string' && isContent(item.content)
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content)
}

/** @throws RequestFault that says what is wrong with a message */
function refuseMessage(item: unknown, param: string): never {
  text(object(item, param).role, `${param}.role`)
  throw new RequestFault(
    `${param}.content is invalid: it must be a text or a list of content blocks`,
    `${param}.content`,
    'invalid_type',
  )
}

/**
 * Recognises a message that only changes the effort from the next turn on: it says nothing.
 * https://platform.claude.com/docs/en/build-with-claude/effort-per-message (2026-11-30)
 */
export function isEffortAlone({ role, content }: JsonObject): boolean {
  return role === 'system' && Array.isArray(content) && content.length === 0
}

/**
 * The edits of a body for an upstream of this format. They set the model's name and a missing limit, and remove blocks with
 * another vendor's signatures.
 */
export function nativeEdits(request: RequestText, facts: RequestFacts, target: EncodeTarget): JsonEdits {
  const edits = new Map<string, string | undefined>()
  if (target.model !== facts.model) edits.set('model', JSON.stringify(target.model))
  if (request.body.max_tokens == null && target.defaultMaxTokens !== undefined)
    edits.set('max_tokens', String(target.defaultMaxTokens))
  if (mayHoldForeignSignatures(request)) {
    const messages = listOf(request.body.messages)
    const taken = messages.flatMap(takenMessage)
    if (taken.length !== messages.length || taken.some((message, index) => message !== messages[index]))
      edits.set('messages', JSON.stringify(taken))
  }
  return edits
}

/** The message itself when it holds nothing to remove, `undefined` when nothing is left. */
function takenMessage(message: unknown): readonly unknown[] {
  if (!isObject(message) || !Array.isArray(message.content)) return [message]
  const before = listOf(message.content)
  const content = before.filter((block) => !isMarked(objectOf(block))).map(withoutMarkedCitations)
  if (content.length === before.length && content.every((block, index) => block === before[index]))
    return [message]
  return content.length === 0 ? [] : [{ ...message, content }]
}

function isMarked({ type, signature, data }: JsonObject): boolean {
  if (type !== 'thinking' && type !== 'redacted_thinking') return false
  return unwrapSignature(textOf(type === 'thinking' ? signature : data)) !== undefined
}

function withoutMarkedCitations(block: unknown): unknown {
  if (!isObject(block) || !Array.isArray(block.citations)) return block
  const retained = block.citations.filter(
    (item) => unwrapSignature(textOf(objectOf(item).encrypted_index)) === undefined,
  )
  if (retained.length === block.citations.length) return block
  const { citations, ...rest } = block
  return retained.length === 0 ? rest : { ...rest, citations: retained }
}

/** `system` as it is written: a text, or a list of blocks. */
export function instructionEdits(
  { text: body, scan, body: { system } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('system')
  const hasText = typeof system === 'string' && system !== ''
  const hasOwn = member !== undefined && (hasText || listOf(system).length > 0)
  if (hasOwn && !always) return undefined
  if (!hasOwn) return new Map([['system', JSON.stringify(text)]])
  const own = memberText(body, member)
  return new Map([
    ['system', hasText ? withFirstText(own, text) : withFirstItem(own, { type: 'text', text })],
  ])
}
