import { ambiguousKey } from '../ambiguous-key.ts'
import { type Checks, type RequestError, runChecks } from '../field-checks.ts'
import { type JsonScan, scanTopLevel } from '../json-text.ts'
import { isObject, type JsonObject, parseJson, textOf } from '../json-value.ts'
import type { Prompt } from '../prompt.ts'
import { promptOfChat, promptOfInput } from './chat-prompt.ts'
import { asksForUsage, choicesIn, effortIn, outputLimitIn } from './facts.ts'
import {
  chatChecks,
  chatTypes,
  checkInput,
  checkMessages,
  checkModel,
  completionChecks,
  embeddingChecks,
} from './request-checks.ts'

export interface RequestLimits {
  /** How deep the body may nest; the body itself counts as 1. */
  readonly maxDepth: number
}

export type RequestReading =
  | { readonly ok: true; readonly request: OpenAiRequest }
  | { readonly ok: false; readonly error: RequestError }

/** `POST /v1/chat/completions`. Never throws: what is wrong with the body is in the result. */
export function readChatRequest(text: string, limits: RequestLimits): RequestReading {
  return readRequest(text, limits, chat)
}

/** `POST /v1/completions`. */
export function readCompletionRequest(text: string, limits: RequestLimits): RequestReading {
  return readRequest(text, limits, completions)
}

/** `POST /v1/embeddings`. */
export function readEmbeddingRequest(text: string, limits: RequestLimits): RequestReading {
  return readRequest(text, limits, embeddings)
}

interface Kind {
  readonly mode: OpenAiRequest['mode']
  readonly checks: Checks
  /** Of fields that decide nothing. */
  readonly types: Checks
  /** Fields that decide how the call is priced and sent. */
  readonly fields: ReadonlySet<string>
  /** The field the request is about. */
  readonly subject: 'messages' | 'prompt' | 'input'
  readonly checkSubject: (value: unknown) => RequestError | undefined
  readonly prompt: (body: JsonObject) => Prompt
}

/** Fields of a chat request that decide how it is priced and sent. */
export const chatFields = fieldsOf(chatChecks, 'messages')

function fieldsOf(checks: Checks, subject: string): ReadonlySet<string> {
  return new Set(['model', subject, ...Object.keys(checks)])
}

const chat: Kind = {
  mode: 'chat',
  checks: chatChecks,
  types: chatTypes,
  fields: chatFields,
  subject: 'messages',
  checkSubject: checkMessages,
  prompt: promptOfChat,
}

const completions: Kind = {
  mode: 'completions',
  checks: completionChecks,
  types: {},
  fields: fieldsOf(completionChecks, 'prompt'),
  subject: 'prompt',
  checkSubject: (prompt) => checkInput(prompt, 'prompt'),
  prompt: (body) => promptOfInput(body.prompt),
}

const embeddings: Kind = {
  mode: 'embeddings',
  checks: embeddingChecks,
  types: {},
  fields: fieldsOf(embeddingChecks, 'input'),
  subject: 'input',
  checkSubject: (input) => checkInput(input, 'input'),
  prompt: (body) => promptOfInput(body.input),
}

function readRequest(text: string, limits: RequestLimits, kind: Kind): RequestReading {
  // Depth is judged before the parser sees the text: nesting is what an attacker would feed it.
  const scan = scanTopLevel(text, limits.maxDepth)
  if (!scan.ok && scan.reason !== 'not-object') return { ok: false, error: tooMuch(scan.reason, limits) }
  const body = parseJson(text)
  if (!scan.ok || !isObject(body)) return { ok: false, error: body === undefined ? notJson : notObject }
  const problem =
    ambiguousKey(scan, kind.fields) ??
    checkModel(body.model) ??
    kind.checkSubject(body[kind.subject]) ??
    runChecks(body, kind.checks) ??
    runChecks(body, kind.types)
  if (problem !== undefined) return { ok: false, error: problem }
  return { ok: true, request: new OpenAiRequest(text, scan, body, kind) }
}

/**
 * A request of a caller that has passed all checks, read as far as the gateway must know it. The body is forwarded as its
 * text, not as this.
 */
export class OpenAiRequest {
  readonly mode: 'chat' | 'completions' | 'embeddings'
  /** The body as received. */
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
  readonly model: string
  readonly stream: boolean
  /** The caller asked for usage in its stream. */
  readonly includeUsage: boolean
  /** The larger of the two limits; 0 counts as none. */
  readonly maxOutputTokens: number | undefined
  /** How many answers may be charged: choices, for every prompt of a list. */
  readonly n: number
  /** Empty when the caller did not say. */
  readonly reasoningEffort: string
  readonly #kind: Kind

  constructor(text: string, scan: JsonScan, body: JsonObject, kind: Kind) {
    this.mode = kind.mode
    this.text = text
    this.scan = scan
    this.body = body
    this.model = textOf(body.model)
    this.stream = kind.mode !== 'embeddings' && body.stream === true
    this.includeUsage = this.stream && asksForUsage(body)
    this.maxOutputTokens = outputLimitIn(body, kind.checks)
    this.n = choicesIn(body, kind.checks) * promptsIn(kind, body)
    this.reasoningEffort = effortIn(body)
    this.#kind = kind
  }

  /** What counts as the prompt. Walks the body, so ask only when tokens must be counted. */
  prompt(): Prompt {
    return this.#kind.prompt(this.body)
  }
}

/** Completions answer each prompt of a list; a list of token numbers is one prompt. */
function promptsIn({ mode }: Kind, { prompt }: JsonObject): number {
  if (mode !== 'completions' || !Array.isArray(prompt)) return 1
  return prompt.filter((part) => typeof part !== 'number').length || 1
}

function tooMuch(reason: 'too-deep' | 'too-many-members', { maxDepth }: RequestLimits): RequestError {
  const message =
    reason === 'too-deep'
      ? `the request body nests deeper than ${maxDepth} levels: send a flatter one`
      : 'the request body has too many parts: send only the fields of the API, and fewer items in them'
  return { message, param: null, code: 'invalid_json' }
}

const notJson: RequestError = {
  message: 'the request body is not valid JSON: send a JSON object with Content-Type application/json',
  param: null,
  code: 'invalid_json',
}

const notObject: RequestError = {
  message: 'the request body must be a JSON object',
  param: null,
  code: 'invalid_json',
}
