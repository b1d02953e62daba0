import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { type JsonPath, type NestedEdit, textWithEdits } from '../json/nested-edits.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { bypassSignature } from './foreign-signatures.ts'

/**
 * Words of vendors about reasoning in a conversation that they cannot verify: another account or model made it, or a client cut it. Hosts
 * of their models repeat them.
 *
 * - OpenAI and xAI: "The encrypted content gAAA… could not be verified", "Could not decrypt the provided encrypted_content",
 *   "Item with id 'rs_…' not found", "Item 'rs_…' of type 'reasoning' was provided without its required following item", "Item 'fc_…' of
 *   type 'function_call' was provided without its required 'reasoning' item"
 * - Anthropic: "Invalid `signature` in `thinking` block", "thinking.signature: Field required", "`thinking` blocks … cannot be modified"
 * - Google: "Corrupted thought signature.", "Invalid thought signature.", "Function call is missing a thought_signature"
 */
const refusals: readonly RegExp[] = [
  /encrypted[ _]content.*\b(verified|decrypted|parsed)\b|\b(verify|decrypt|parse)\b.*encrypted[ _]content/is,
  /\bthinking\b.*\b(signature\b|cannot be modified)|\bsignature\b.*\bthinking\b|`data` in `redacted_thinking`/is,
  /thought[ _]?signature/i,
  /\bitem\b.*\brs_\w*'?.*\b(not found|without its required)|without its required 'reasoning' item/is,
]

/** Returns whether an upstream refuses the signed or encrypted reasoning of earlier turns, and so has carried nothing out. */
export function refusesSignedReasoning({ kind, code, message }: UpstreamErrorInfo): boolean {
  if (kind !== 'bad_request') return false
  return code === 'invalid_encrypted_content' || refusals.some((refusal) => refusal.test(message))
}

/**
 * Takes the signed and encrypted reasoning of earlier turns out of a body, for an upstream that refuses it (`refusesSignedReasoning`): only
 * the account or the model that made it can verify it. Texts, calls and their results stay. Every other character stays as it is.
 * @param format of the body
 * @returns `undefined` for a body that holds none
 */
export function withoutSignedReasoning(format: string, text: string): string | undefined {
  const editsOf = Object.hasOwn(formats, format) ? formats[format] : undefined
  const edits = editsOf?.(objectOf(parseExactJson(text))) ?? []
  return edits.length === 0 ? undefined : textWithEdits(text, edits)
}

type EditsOf = (body: JsonObject) => readonly NestedEdit[]

const formats: Readonly<Record<string, EditsOf>> = {
  'anthropic-messages': withoutThinking,
  'bedrock-converse': ({ messages }) => listOf(messages).flatMap(withoutBlocks(isReasoningContent)),
  'openai-responses': withoutReasoningItems,
  'openai-compaction': withoutReasoningItems,
  'openai-chat': withoutAddedMembers,
  gemini: withoutThoughtSignatures,
}

const removed = (path: JsonPath): NestedEdit => ({ path, text: undefined })

/** Removes the blocks of a message that fit, or the message where it holds nothing else: one without content is refused. */
function withoutBlocks(fits: (block: JsonObject) => boolean) {
  return (message: unknown, index: number): readonly NestedEdit[] => {
    const { role, content } = objectOf(message)
    const blocks = role === 'assistant' ? listOf(content) : []
    const positions = blocks.flatMap((block, at) => (fits(objectOf(block)) ? [at] : []))
    const isAll = positions.length > 0 && positions.length === blocks.length
    return isAll
      ? [removed(['messages', index])]
      : positions.map((at) => removed(['messages', index, 'content', at]))
  }
}

function isReasoningContent({ reasoningContent }: JsonObject): boolean {
  return reasoningContent !== undefined
}

function withoutThinking(body: JsonObject): readonly NestedEdit[] {
  const messages = listOf(body.messages)
  const blocks = messages.flatMap(withoutBlocks(isThinking))
  return blocks.length === 0 ? blocks : [...blocks, ...thinkingOff(body, messages)]
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/**
 * Claude models that think by a budget refuse results of calls that no thinking precedes, unless it is off; with it goes what only
 * bodies that think may say. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
function thinkingOff(body: JsonObject, messages: readonly unknown[]): readonly NestedEdit[] {
  if (objectOf(body.thinking).type !== 'enabled' || !endsInResult(messages)) return []
  const clearing = listOf(objectOf(body.context_management).edits).flatMap((edit, at) =>
    textOf(objectOf(edit).type).startsWith('clear_thinking')
      ? [removed(['context_management', 'edits', at])]
      : [],
  )
  return [{ path: ['thinking'], text: '{"type":"disabled"}' }, ...clearing]
}

function endsInResult(messages: readonly unknown[]): boolean {
  return listOf(objectOf(messages.at(-1)).content).some((block) => objectOf(block).type === 'tool_result')
}

/**
 * A compacted conversation stays: it is all that is left of its turns. With the reasoning go the ids of what it led to, because the
 * vendor wants both or neither.
 */
function withoutReasoningItems({ input }: JsonObject): readonly NestedEdit[] {
  return listOf(input).flatMap((value, at) => {
    const item = objectOf(value)
    if (item.type === 'reasoning') return [removed(['input', at])]
    return item.id !== undefined && hasOptionalId(item) ? [removed(['input', at, 'id'])] : []
  })
}

function hasOptionalId({ type, role }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call' || role === 'assistant'
}

/** Members of Chat Completions in which vendors and gateways carry what proves reasoning. As text it stays: some vendors want it back. */
const addedMembers = ['thinking_blocks', 'reasoning_details', 'extra_content']

function withoutAddedMembers({ messages }: JsonObject): readonly NestedEdit[] {
  return listOf(messages).flatMap((message, index) => {
    const holder = objectOf(message)
    if (holder.role !== 'assistant') return []
    const path = ['messages', index]
    const calls = listOf(holder.tool_calls).flatMap((call, at) =>
      withoutMembers(objectOf(call), [...path, 'tool_calls', at]),
    )
    return [...withoutMembers(holder, path), ...calls]
  })
}

function withoutMembers(holder: JsonObject, path: JsonPath): readonly NestedEdit[] {
  return addedMembers.filter((name) => holder[name] !== undefined).map((name) => removed([...path, name]))
}

/** The first call of a turn gets the text that the service takes in place of a signature. */
function withoutThoughtSignatures({ contents }: JsonObject): readonly NestedEdit[] {
  return listOf(contents).flatMap((content, index) => {
    const { role, parts } = objectOf(content)
    const all = role === 'model' ? listOf(parts).map(objectOf) : []
    const firstCall = all.findIndex((part) => (part.functionCall ?? part.function_call) !== undefined)
    return all.flatMap((part, at) => signed(part, ['contents', index, 'parts', at], at === firstCall))
  })
}

function signed(part: JsonObject, path: JsonPath, isFirstCall: boolean): readonly NestedEdit[] {
  const wanted = isFirstCall ? bypassSignature : undefined
  const { thoughtSignature, thought_signature, ...unsigned } = part
  if ((thoughtSignature ?? thought_signature) === wanted) return []
  return [{ path, text: JSON.stringify({ ...unsigned, thoughtSignature: wanted }) }]
}
