import { type JsonScan, scanTopLevel } from '../json-text.ts'
import { isObject, type JsonObject, parseJson, textOf } from '../json-value.ts'
import type { Prompt } from '../prompt.ts'
import { promptOfChat, promptOfInput } from './chat-prompt.ts'
import { asksForUsage, choicesIn, effortIn, outputLimitIn } from './facts.ts'
import {
  type Checks,
  chatChecks,
  checkInput,
  checkMessages,
  checkModel,
  completionChecks,
  embeddingChecks,
  type RequestError,
  runChecks,
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
  /** The field the request is about. */
  readonly subject: 'messages' | 'prompt' | 'input'
  readonly checkSubject: (value: unknown) => RequestError | undefined
  readonly prompt: (body: JsonObject) => Prompt
}

const chat: Kind = {
  mode: 'chat',
  checks: chatChecks,
  subject: 'messages',
  checkSubject: checkMessages,
  prompt: promptOfChat,
}

const completions: Kind = {
  mode: 'completions',
  checks: completionChecks,
  subject: 'prompt',
  checkSubject: (prompt) => checkInput(prompt, 'prompt'),
  prompt: (body) => promptOfInput(body.prompt),
}

const embeddings: Kind = {
  mode: 'embeddings',
  checks: embeddingChecks,
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
    checkKeys(scan, kind) ??
    checkModel(body.model) ??
    kind.checkSubject(body[kind.subject]) ??
    runChecks(body, kind.checks)
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

/**
 * Readers differ in which of two equal keys they believe, so a key that decides anything must be there once. Upstreams
 * written in Go take keys in any case (`Model` for `model`), so such a key counts as the same one.
 */
function checkKeys(scan: JsonScan, kind: Kind): RequestError | undefined {
  for (const { key } of scan.list) {
    if (isLowerCase(key) && !scan.duplicates.has(key)) continue
    const plain = foldedCase(key)
    if (plain === key && !scan.duplicates.has(key)) continue
    if (plain !== 'model' && plain !== kind.subject && !Object.hasOwn(kind.checks, plain)) continue
    return plain === key
      ? {
          message: `${key} appears more than once in the request body: send it once`,
          param: key,
          code: 'duplicate_key',
        }
      : { message: `${key} is not a field: write it ${plain}`, param: key, code: 'unknown_parameter' }
  }
  return undefined
}

/** As the dialect's own keys are: what nearly every key is, told without making another text of it. */
function isLowerCase(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code !== underscore && (code < lowerA || code > lowerZ)) return false
  }
  return true
}

const underscore = 0x5f
const lowerA = 0x61
const lowerZ = 0x7a

/** Upper case first: the long s and the Kelvin sign are letters of the alphabet to those who ignore case. */
function foldedCase(key: string): string {
  return key.toUpperCase().toLowerCase()
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
