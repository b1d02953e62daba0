import type { Prompt } from '../canonical/prompt.ts'
import { costlyNames } from '../costs/costly-field.ts'
import { ambiguousKey } from '../json/ambiguous-key.ts'
import { parseScanned } from '../json/exact-json.ts'
import { numberOf } from '../json/number-text.ts'
import { type JsonEdits, type JsonScan, scanTopLevel, spliceMembers } from '../json/text.ts'
import { isObject, type JsonObject, parseJson, textOf } from '../json/value.ts'
import { type Checks, type RequestError, runChecks } from '../requests/fields.ts'
import {
  asksForUsage,
  chatChecks,
  chatTypes,
  checkInput,
  checkMessages,
  checkModel,
  choicesIn,
  completionChecks,
  effortIn,
  embeddingChecks,
  outputLimitIn,
} from './request/inspect.ts'
import { promptOfChat, promptOfInput } from './request/prompt.ts'

/** Limits of a body before it is parsed. */
export interface RequestLimits {
  /** Depth to which the body may nest; the body itself counts as 1. */
  readonly maxDepth: number
}

/** A request that passed the checks, or why it did not. */
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

/** Modes whose requests are a JSON object in OpenAI's own words, or in those that everybody uses for them (rerank). */
export type JsonMode =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'rerank'
  | 'images'
  | 'image-edits'
  | 'speech'

/** Properties of the requests of one mode. */
export interface RequestKind {
  readonly mode: JsonMode
  /** Model of a request that names none; without it the model must be named. */
  readonly defaultModel?: string
  /** True when `stream` asks for events. */
  readonly streams: boolean
  readonly checks: Checks
  /** Types of fields that decide nothing. */
  readonly types?: Checks
  /** Fields that decide how the call is priced and sent. */
  readonly fields: ReadonlySet<string>
  /** Checks the request's subject, and what one field alone does not show. */
  readonly checkSubject: (body: JsonObject) => RequestError | undefined
  readonly prompt: (body: JsonObject) => Prompt
}

const noChecks: Checks = {}

/** Fields of a chat request that decide how it is priced and sent. */
export const chatFields = fieldsOf(chatChecks, 'messages')

/** Names of the fields that decide something: each may be there once. */
export function fieldsOf(checks: Checks, ...subjects: readonly string[]): ReadonlySet<string> {
  return new Set(['model', ...subjects, ...Object.keys(checks), ...costlyNames['openai-chat']])
}

const chat: RequestKind = {
  mode: 'chat',
  checks: chatChecks,
  types: chatTypes,
  fields: chatFields,
  streams: true,
  checkSubject: ({ messages }) => checkMessages(messages),
  prompt: promptOfChat,
}

const completions: RequestKind = {
  mode: 'completions',
  checks: completionChecks,
  fields: fieldsOf(completionChecks, 'prompt'),
  streams: true,
  checkSubject: ({ prompt }) => checkInput(prompt, 'prompt'),
  prompt: (body) => promptOfInput(body.prompt),
}

const embeddings: RequestKind = {
  mode: 'embeddings',
  checks: embeddingChecks,
  fields: fieldsOf(embeddingChecks, 'input'),
  streams: false,
  checkSubject: ({ input }) => checkInput(input, 'input'),
  prompt: (body) => promptOfInput(body.input),
}

/** Reads a request of any kind. Never throws: what is wrong with the body is in the result. */
export function readRequest(text: string, limits: RequestLimits, kind: RequestKind): RequestReading {
  // Depth is judged before the parser sees the text: nesting is what an attacker would feed it.
  const scan = scanTopLevel(text, limits.maxDepth)
  if (!scan.ok && scan.reason !== 'not-object') return { ok: false, error: tooMuch(scan.reason, limits) }
  const body = scan.ok ? parseScanned(text, scan) : parseJson(text)
  if (!scan.ok || !isObject(body)) return { ok: false, error: body === undefined ? notJson : notObject }
  const problem =
    ambiguousKey(scan, kind.fields) ??
    checkModel(body.model ?? kind.defaultModel) ??
    kind.checkSubject(body) ??
    runChecks(body, kind.checks) ??
    runChecks(body, kind.types ?? noChecks)
  if (problem !== undefined) return { ok: false, error: problem }
  return { ok: true, request: new OpenAiRequest(text, scan, body, kind) }
}

/**
 * A request of a caller that has passed all checks, read as far as the gateway must know it. The body is forwarded as its
 * text, not as this.
 */
export class OpenAiRequest {
  readonly mode: JsonMode
  /** The body as received. */
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
  readonly model: string
  readonly stream: boolean
  /** The caller asked for usage in its stream. */
  readonly includeUsage: boolean
  /** The larger of the two limits; 0 counts as no limit. */
  readonly maxOutputTokens: number | undefined
  /** Number of candidates that may be charged: choices, for every prompt of a list. */
  readonly n: number
  /** Empty when the caller did not say. */
  readonly reasoningEffort: string
  readonly #kind: RequestKind

  constructor(text: string, scan: JsonScan, body: JsonObject, kind: RequestKind) {
    this.mode = kind.mode
    this.text = text
    this.scan = scan
    this.body = body
    this.model = textOf(body.model ?? kind.defaultModel)
    this.stream = kind.streams && body.stream === true
    this.includeUsage = this.stream && asksForUsage(body)
    this.maxOutputTokens = outputLimitIn(body, kind.checks)
    this.n = choicesIn(body, kind.checks) * promptsIn(kind, body)
    this.reasoningEffort = effortIn(body)
    this.#kind = kind
  }

  /** @param body its members after the edits */
  edited(edits: JsonEdits, body: JsonObject): OpenAiRequest {
    const text = spliceMembers(this.text, this.scan, edits)
    const scan = scanTopLevel(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    if (!scan.ok) throw new TypeError('a body that was edited is no object')
    return new OpenAiRequest(text, scan, body, this.#kind)
  }

  /** Returns what counts as the prompt. Walks the body, so ask only when tokens must be counted. */
  prompt(): Prompt {
    return this.#kind.prompt(this.body)
  }
}

/** Completions respond to each prompt of a list; a list of token numbers is one prompt. */
function promptsIn({ mode }: RequestKind, { prompt }: JsonObject): number {
  if (mode !== 'completions' || !Array.isArray(prompt)) return 1
  return prompt.filter((part) => numberOf(part) === undefined).length || 1
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
