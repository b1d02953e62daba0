import {
  type EncodeTarget,
  type RequestFacts,
  RequestFault,
  type RequestPath,
} from '../../canonical/codec.ts'
import { type Instructions, withFirstText } from '../../canonical/instructions.ts'
import { numberOf } from '../../json/number-text.ts'
import { containsText, type RequestText } from '../../json/request-text.ts'
import { type JsonEdits, memberText } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { checkModel } from '../../openai-chat/request/inspect.ts'
import { compactedText } from '../../requests/compacted.ts'
import {
  type Checks,
  decimal,
  flag,
  integer,
  invalid,
  isAbsent,
  list,
  missing,
  object,
  optionalFlag,
  requireFields,
  text,
  textOrObject,
  unsupported,
  wrongType,
} from '../../requests/fields.ts'
import { mayHoldForeignSignatures } from '../../requests/foreign-signatures.ts'
import { isForeignReasoning, summaryIn } from '../response/item-content.ts'
import { agentMessage, asUserMessage } from './agent-message.ts'

/** Fields that their vendor documents, for what no upstream takes. https://platform.openai.com/docs/api-reference/responses/create */
const responsesChecks: Checks = {
  instructions: text,
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  top_logprobs: integer(0, 1000),
  tools: list,
  tool_choice: textOrObject,
  parallel_tool_calls: flag,
  max_tool_calls: integer(0, Number.MAX_SAFE_INTEGER),
  text: object,
  reasoning: object,
  include: list,
  metadata: object,
  user: text,
  safety_identifier: text,
  prompt_cache_key: text,
  service_tier: text,
  store: flag,
  stream_options: object,
  truncation: text,
}

/** No model writes a billion tokens; a larger limit is a mistake that would reserve a fortune. */
const maxTokens = 2 ** 30

/**
 * Everybody who shares an upstream's account shares what it stores: an id would read another caller's conversation, and
 * add input that the reservation does not cover.
 */
const storedUpstream = ['previous_response_id', 'conversation', 'prompt'] as const

/** @throws RequestFault for what the gateway cannot work with */
export function inspectRequest(received: JsonObject, path: RequestPath): RequestFacts {
  const model = received.model ?? path.model
  const problem = checkModel(model)
  if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
  for (const param of storedUpstream) if (!isAbsent(received[param])) throw notStored(param)
  checkInput(received)
  requireFields(received, responsesChecks)
  // The caller would fetch the response later, where the gateway does not count its usage.
  if (optionalFlag(received.background, 'background') === true)
    throw unsupported('background', 'answers are given while the caller waits')
  return {
    model: textOf(model),
    stream: optionalFlag(received.stream, 'stream') ?? false,
    includeUsage: true,
    maxOutputTokens: outputLimitIn(received),
    candidates: 1,
    reasoningEffort: textOf(objectOf(received.reasoning).effort),
  }
}

function outputLimitIn({ max_output_tokens: limit }: JsonObject): number | undefined {
  if (isAbsent(limit)) return undefined
  const tokens = numberOf(limit) ?? Number.NaN
  if (!Number.isSafeInteger(tokens)) throw wrongType('max_output_tokens', 'a whole number')
  if (tokens < 0 || tokens > maxTokens)
    throw invalid('max_output_tokens', `it must be between 0 and ${maxTokens}`)
  return tokens === 0 ? undefined : tokens
}

function checkInput(body: JsonObject): void {
  const { input } = body
  if (isAbsent(input)) throw missing('input')
  if (typeof input === 'string') return
  if (!Array.isArray(input)) throw wrongType('input', 'a text or a list of items')
  const fault = input.findIndex((item) => !isObject(item))
  if (fault >= 0) throw wrongType(`input[${fault}]`, 'an object')
  const reference = input.findIndex((item) => objectOf(item).type === 'item_reference')
  if (reference >= 0) throw notStored(`input[${reference}]`)
}

function notStored(param: string): RequestFault {
  return unsupported(param, 'send the conversation whole')
}

/** The edits of a body for an upstream of this format: set the model's name, remove what another vendor signed, make summaries readable. */
export function nativeEdits(request: RequestText, facts: RequestFacts, target: EncodeTarget): JsonEdits {
  const edits = new Map<string, string | undefined>()
  if (target.model !== request.body.model) edits.set('model', JSON.stringify(target.model))
  if (request.body.max_output_tokens === 0 && facts.maxOutputTokens === undefined)
    edits.set('max_output_tokens', undefined)
  const isPlain = target.plainItems === true && containsText(request, agentMessage)
  if (isPlain || mayHoldForeignSignatures(request)) {
    const items = listOf(request.body.input)
    const readable = items.filter((item) => !isForeignReasoning(item)).map(withReadableSummary)
    const own = isPlain ? readable.map(withReadableAgent) : readable
    if (own.length !== items.length || own.some((item, at) => item !== items[at]))
      edits.set('input', JSON.stringify(own))
  }
  return edits
}

function withReadableAgent(item: unknown): unknown {
  const { type } = objectOf(item)
  return type === agentMessage ? (asUserMessage(objectOf(item)) ?? item) : item
}

/** A summary of the gateway's as what the user says: the vendor cannot read its item. */
function withReadableSummary(item: unknown): unknown {
  const summary = summaryIn(objectOf(item))
  if (summary === undefined) return item
  const content = [{ type: 'input_text', text: compactedText(summary) }]
  return { type: 'message', role: 'user', content }
}

/** `instructions` precede the complete input. */
export function instructionEdits(
  { text: body, scan, body: { instructions, input } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('instructions')
  const hasOwn = typeof instructions === 'string' && instructions !== ''
  if (!always && (hasOwn || listOf(input).some(isInstruction))) return undefined
  const own = hasOwn && member !== undefined ? memberText(body, member) : undefined
  return new Map([['instructions', own === undefined ? JSON.stringify(text) : withFirstText(own, text)]])
}

function isInstruction(item: unknown): boolean {
  const { role } = objectOf(item)
  return role === 'system' || role === 'developer'
}
