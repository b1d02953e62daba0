import { type RequestFacts, RequestFault, type RequestPath } from '../../canonical/codec.ts'
import type { ChatRequest, FormatName } from '../../canonical/request.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import {
  type Checks,
  decimal,
  flag,
  integer,
  isAbsent,
  list,
  object,
  type RequestError,
  runChecks,
  text,
  textOrList,
  textOrObject,
  wrongType,
} from '../../requests/fields.ts'
import { effortOf } from './encode-request.ts'

/** No model writes a billion tokens; a larger limit is a mistake that would reserve a fortune. */
const maxTokens = 2 ** 30
const maxModelLength = 255

const sampling = {
  stream: flag,
  stream_options: object,
  max_tokens: integer(0, maxTokens),
  n: integer(1, 128),
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  presence_penalty: decimal(-2, 2),
  frequency_penalty: decimal(-2, 2),
} as const satisfies Checks

/** Fields that decide something here, beside the model and what the request is about. */
export const chatChecks: Checks = {
  ...sampling,
  max_completion_tokens: integer(0, maxTokens),
}
/** Fields that decide nothing here: of other types no upstream takes them. All others pass unseen. */
export const chatTypes: Checks = {
  stop: textOrList,
  // Beyond what a double holds, too: the digits go on as they came.
  seed: integer(-(2 ** 64), 2 ** 64),
  logit_bias: object,
  user: text,
  tools: list,
  tool_choice: textOrObject,
  functions: list,
  function_call: textOrObject,
  parallel_tool_calls: flag,
  response_format: object,
  reasoning_effort: text,
  logprobs: flag,
  top_logprobs: integer(0, 1000),
  metadata: object,
  modalities: list,
  audio: object,
  prediction: object,
  prompt_cache_key: text,
  safety_identifier: text,
  service_tier: text,
  store: flag,
  verbosity: text,
  web_search_options: object,
}
export const completionChecks: Checks = { ...sampling, best_of: integer(1, 128) }
export const embeddingChecks: Checks = { dimensions: integer(1, maxTokens) }

/** Returns why a body's model will not do; `undefined` when it will. */
export function checkModel(model: unknown): RequestError | undefined {
  if (isAbsent(model))
    return missingField('model', 'model is required: name the model to use, for example "gpt-4o"')
  if (typeof model !== 'string') return wrongType('model', 'a text')
  if (model.trim() === '') return invalidField('model', 'model is required: the name of the model is empty')
  if (model.length > maxModelLength)
    return invalidField('model', `model must have at most ${maxModelLength} characters`)
  return undefined
}

/** Checks messages, a list of objects with a role; the upstream judges their content. */
export function checkMessages(messages: unknown): RequestError | undefined {
  if (isAbsent(messages))
    return missingField('messages', 'field messages is required: send the conversation as a list of messages')
  if (!Array.isArray(messages)) return wrongType('messages', 'a list of messages')
  if (messages.length === 0)
    return invalidField('messages', 'field messages is required: the list of messages is empty')
  for (let position = 0; position < messages.length; position++) {
    const problem = checkMessage(messages[position], position)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Prompts and inputs: a text, or a list that is not empty of texts, token numbers, or lists of them. */
export function checkInput(input: unknown, param: 'prompt' | 'input'): RequestError | undefined {
  if (isAbsent(input))
    return missingField(param, `field ${param} is required: send a text or a list of texts`)
  if (typeof input === 'string') return undefined
  if (!Array.isArray(input)) return wrongType(param, 'a text or a list of texts')
  if (input.length === 0) return invalidField(param, `field ${param} is required: the list is empty`)
  return input.every(isInputPart)
    ? undefined
    : wrongType(param, 'a text, a list of texts, or lists of token numbers')
}

function checkMessage(message: unknown, position: number): RequestError | undefined {
  if (!isObject(message)) return wrongType(`messages[${position}]`, 'an object with role and content')
  const { role, content } = message
  if (typeof role !== 'string' || role === '') return wrongRole(role, `messages[${position}].role`)
  if (isAbsent(content) || typeof content === 'string') return undefined
  if (!Array.isArray(content))
    return wrongType(`messages[${position}].content`, 'a text or a list of content parts')
  const wrong = content.findIndex((part) => !isObject(part) && typeof part !== 'string')
  return wrong < 0 ? undefined : wrongType(`messages[${position}].content[${wrong}]`, 'a content part')
}

function wrongRole(role: unknown, param: string): RequestError {
  return isAbsent(role)
    ? missingField(param, `${param} is required: for example "user"`)
    : wrongType(param, 'a text such as "user"')
}

function isInputPart(part: unknown): boolean {
  return (
    typeof part === 'string' ||
    isToken(part) ||
    isObject(part) ||
    (Array.isArray(part) && part.every(isToken))
  )
}

function isToken(value: unknown): boolean {
  const number = numberOf(value)
  return Number.isInteger(number) && Number(number) >= 0
}

/** The refusal of a request without a required field. */
export function missingField(param: string, message: string): RequestError {
  return { message, param, code: 'missing_required_parameter' }
}

/** The refusal of a request whose field has a value that will not do. */
export function invalidField(param: string, message: string): RequestError {
  return { message, param, code: 'invalid_value' }
}

/**
 * Checks a chat call as every chat call is checked, and returns the facts that the gateway needs of it.
 * @throws RequestFault for what the gateway cannot work with
 */
export function inspectRequest(received: JsonObject, path: RequestPath): RequestFacts {
  const body = withPathModel(received, path)
  const problem =
    checkModel(body.model) ??
    checkMessages(body.messages) ??
    runChecks(body, chatChecks) ??
    runChecks(body, chatTypes)
  if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
  const candidates = choicesIn(body, chatChecks)
  const limit = outputLimitIn(body, chatChecks)
  const stream = body.stream === true
  return {
    model: textOf(body.model),
    stream,
    includeUsage: stream && asksForUsage(body),
    maxOutputTokens: limit === undefined ? undefined : limit * candidates,
    candidates,
    reasoningEffort: effortIn(body),
  }
}

/** The body with the model of its path, where the body names none itself. */
function withPathModel(body: JsonObject, { model }: RequestPath): JsonObject {
  return model === undefined || typeof body.model === 'string' ? body : { ...body, model }
}

/** Returns whether the caller wants usage in its stream. */
export function asksForUsage(body: JsonObject): boolean {
  return objectOf(body.stream_options).include_usage === true
}

/** The larger of the two limits for one response; 0 counts as no limit. */
export function outputLimitIn(body: JsonObject, checks: Checks): number | undefined {
  const limit = Math.max(
    numberIn(body, 'max_tokens', checks),
    numberIn(body, 'max_completion_tokens', checks),
  )
  return limit === 0 ? undefined : limit
}

/** Returns how many choices the upstream generates for one prompt, and may charge. */
export function choicesIn(body: JsonObject, checks: Checks): number {
  return Math.max(1, numberIn(body, 'n', checks), numberIn(body, 'best_of', checks))
}

/** Empty when the caller did not say. */
export function effortIn(body: JsonObject): string {
  return textOf(body.reasoning_effort) || textOf(objectOf(body.reasoning).effort)
}

/** Freedom that a call leaves its model, for upstreams with an API that cannot serve all of it. */
export interface ModelTurn {
  /** The call offers functions that the caller runs. */
  readonly offersFunctions: boolean
  /** Effort in the words of OpenAI's formats; empty when the caller does not say how much to think. */
  readonly effort: string
}

/**
 * Reads the turn of a call. Chat Completions are read as they stand, because most of them pass as received.
 * @param canonical for every other format
 */
export function modelTurnOf(format: FormatName, body: JsonObject, canonical: () => ChatRequest): ModelTurn {
  if (format !== 'openai-chat') {
    const { tools, reasoning } = canonical()
    const offersFunctions = tools.some(({ type }) => type === 'function')
    return { offersFunctions, effort: effortOf(reasoning) ?? '' }
  }
  const isFunction = (tool: unknown) => objectOf(tool).type === 'function'
  const offersFunctions = listOf(body.tools).some(isFunction) || listOf(body.functions).length > 0
  return { offersFunctions, effort: effortIn(body) }
}

/** 0 for a field that the format does not check. */
function numberIn(body: JsonObject, key: string, checks: Checks): number {
  return Object.hasOwn(checks, key) ? (numberOf(body[key]) ?? 0) : 0
}
