import type { ChatCodec, TextFrame } from '../../canonical/codec.ts'
import { parseExactJson } from '../../json/exact-json.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { openAiChat } from '../codec.ts'
import type { ChunkEncoding } from './encode-stream.ts'

/** Style in which an operator wants the responses of a channel written for callers of Chat Completions. */
export interface ResponseStyle {
  /** Only the fields of OpenAI itself, and the reasoning that other providers add. */
  readonly knownFieldsOnly: boolean
  /** Moves reasoning into the text, between think tags. */
  readonly reasoningInText: boolean
}

const reasoningOpen = '<think>\n'
const reasoningClose = '\n</think>\n'

/** The reasoning of a message or a delta; empty without any. */
function reasoningOf({ reasoning_content, reasoning }: JsonObject): string {
  return textOf(reasoning_content) || textOf(reasoning)
}

/** A buffered response in the wanted form. */
export function applyStyle(response: JsonObject, form: ResponseStyle): JsonObject {
  const choices = listOf(response.choices).map((choice) =>
    isObject(choice) && form.reasoningInText ? withReasoningInText(choice) : choice,
  )
  const formed = { ...response, choices }
  return form.knownFieldsOnly ? knownFields(formed) : formed
}

function withReasoningInText(choice: JsonObject): JsonObject {
  const message = objectOf(choice.message)
  const reasoningText = reasoningOf(message)
  if (reasoningText === '') return choice
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = message
  const content = typeof message.content === 'string' ? message.content : ''
  return {
    ...choice,
    message: { ...rest, content: `${reasoningOpen}${reasoningText}${reasoningClose}${content}` },
  }
}

const ofResponse = ['id', 'object', 'created', 'model', 'service_tier', 'system_fingerprint']
const ofChoice = ['index', 'logprobs', 'finish_reason']
const ofMessage = ['role', 'content', 'refusal', 'reasoning_content', 'function_call', 'audio', 'annotations']
const ofToolCall = ['index', 'id', 'type', 'function', 'custom']
const ofUsage = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
]

/** A buffered response or a chunk, without what OpenAI does not send. */
function knownFields(response: JsonObject): JsonObject {
  const { choices, usage } = response
  return {
    ...picked(response, ofResponse),
    choices: listOf(choices).map((choice) => knownChoice(objectOf(choice))),
    ...(usage !== undefined && { usage: isObject(usage) ? picked(usage, ofUsage) : usage }),
  }
}

function knownChoice(choice: JsonObject): JsonObject {
  const { delta, message } = choice
  return {
    ...picked(choice, ofChoice),
    ...(isObject(delta) && { delta: knownMessage(delta) }),
    ...(isObject(message) && { message: knownMessage(message) }),
  }
}

function knownMessage(message: JsonObject): JsonObject {
  const { tool_calls } = message
  const reasoningText = reasoningOf(message)
  return {
    ...picked(message, ofMessage),
    ...(reasoningText !== '' && { reasoning_content: reasoningText }),
    ...(Array.isArray(tool_calls) && {
      tool_calls: tool_calls.map((call) => picked(objectOf(call), ofToolCall)),
    }),
  }
}

function picked(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))
}

/** State of the think tag of one choice. */
type Reasoning = 'open' | 'closed'

/** Puts the chunks of one streamed response into the wanted form. */
export class ChunkStyler {
  readonly #form: ResponseStyle
  /** State by the choice's number; no entry before its first reasoning. */
  readonly #reasoningText = new Map<unknown, Reasoning>()
  #last: JsonObject = {}

  constructor(form: ResponseStyle) {
    this.#form = form
  }

  /** The chunks that replace this one, in their order. */
  chunks(chunk: JsonObject): readonly JsonObject[] {
    this.#last = chunk
    const formed = this.#form.reasoningInText ? this.#withReasoning(chunk) : [chunk]
    return this.#form.knownFieldsOnly ? formed.map(knownFields) : formed
  }

  /** Closes the think tag of choices that sent nothing but reasoning. */
  end(): readonly JsonObject[] {
    const open = [...this.#reasoningText].filter(([, state]) => state === 'open')
    const closing = open.map(([index]) => stated(this.#last, index, reasoningClose))
    this.#reasoningText.clear()
    return this.#form.knownFieldsOnly ? closing.map(knownFields) : closing
  }

  #withReasoning(chunk: JsonObject): readonly JsonObject[] {
    const before: JsonObject[] = []
    const choices = listOf(chunk.choices)
      .filter(isObject)
      .flatMap((choice) => this.#choice(chunk, choice, before))
    const isStated = choices.length === 0 && before.length > 0
    return isStated ? before : [...before, { ...chunk, choices }]
  }

  /**
   * The choice without its reasoning; nothing when it held only reasoning.
   * @param before receives the chunks with the reasoning
   */
  #choice(chunk: JsonObject, choice: JsonObject, before: JsonObject[]): readonly JsonObject[] {
    const { index } = choice
    const state = this.#reasoningText.get(index)
    // Reasoning after the text stays in its own field: a choice gets one pair of tags.
    if (state === 'closed') return [choice]
    const delta = objectOf(choice.delta)
    const reasoningText = reasoningOf(delta)
    const rest = withoutReasoning(choice, delta)
    if (reasoningText !== '') {
      before.push(
        stated(chunk, index, state === undefined ? reasoningOpen + reasoningText : reasoningText, delta.role),
      )
      this.#reasoningText.set(index, 'open')
    }
    const goesOn = saysMore(rest)
    if (goesOn && this.#reasoningText.get(index) === 'open') {
      before.push(stated(chunk, index, reasoningClose))
      this.#reasoningText.set(index, 'closed')
    } else if (goesOn && state === undefined && saysText(rest)) this.#reasoningText.set(index, 'closed')
    return reasoningText !== '' && !goesOn && chunk.usage == null ? [] : [rest]
  }
}

function withoutReasoning(choice: JsonObject, delta: JsonObject): JsonObject {
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = delta
  return { ...choice, delta: rest }
}

/** Returns whether a choice holds anything but reasoning. */
function saysMore(choice: JsonObject): boolean {
  const { tool_calls, refusal, audio, function_call } = objectOf(choice.delta)
  return (
    saysText(choice) ||
    choice.finish_reason != null ||
    [tool_calls, refusal, audio, function_call].some((value) => value != null)
  )
}

function saysText({ delta }: JsonObject): boolean {
  const { content } = objectOf(delta)
  return typeof content === 'string' && content !== ''
}

/** A chunk like another one that says a text of one choice and nothing else. */
function stated(chunk: JsonObject, index: unknown, content: string, role?: unknown): JsonObject {
  const { usage: _usage, choices: _choices, ...head } = chunk
  const delta = role == null ? { content } : { role, content }
  return { ...head, choices: [{ index: index ?? 0, delta, logprobs: null, finish_reason: null }] }
}

interface StyledEncoding {
  readonly plain: ChunkEncoding
  readonly form: ChunkStyler
}

/** Chat Completions for responses of other formats, in the wanted form. */
export function styledChat(form: ResponseStyle): ChatCodec<unknown, StyledEncoding> {
  const { encodeStream } = openAiChat
  return {
    ...(openAiChat as ChatCodec<unknown, ChunkEncoding>),
    encodeResponse: (response, call) => applyStyle(objectOf(openAiChat.encodeResponse(response, call)), form),
    encodeStream: {
      start: (call) => ({ plain: encodeStream.start(call), form: new ChunkStyler(form) }),
      step: ({ plain, form }, part) => formed(encodeStream.step(plain, part), form),
      finish: ({ plain, form }, usage) => formed(encodeStream.finish(plain, usage), form),
    },
  }
}

function formed(frames: readonly TextFrame[], form: ChunkStyler): readonly TextFrame[] {
  return frames.flatMap((frame) => {
    if (frame.data === '[DONE]') return [...form.end().map(frameOf), frame]
    return form.chunks(objectOf(parseExactJson(frame.data))).map(frameOf)
  })
}

function frameOf(chunk: object): TextFrame {
  return { data: JSON.stringify(chunk) }
}
