import type { DeliveredText } from '../delivered-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import { findUsage } from './usage.ts'

/** What one event of a stream says, as far as the gateway must know. */
export interface StreamEvent {
  readonly choices: readonly ChoiceEvent[]
  readonly usage: Usage | undefined
  /** Usage and no choices: the chunk that only callers get who asked for it. */
  readonly usageOnly: boolean
  /** The upstream reports a failure inside the stream. */
  readonly failed: boolean
  /** A whole answer once more, where a stream should have ended (MiniMax): its text must not count twice. */
  readonly repeats: boolean
}

export interface ChoiceEvent {
  readonly index: number
  /** Text, a tool call or anything else of the answer itself. */
  readonly delivers: boolean
  /** The answer has begun, if only with its role. */
  readonly opens: boolean
  readonly finishes: boolean
  /** It ended, but not by its own terms. */
  readonly fails: boolean
}

/** Ends that are failures of the upstream, not of the answer: DeepSeek, Zhipu, OpenRouter. */
const failedFinish = new Set(['insufficient_system_resource', 'network_error', 'error'])

/** Reads one parsed event and adds its text to `delivered`, unless it repeats what was delivered already. */
export function readEvent(event: JsonObject, delivered: DeliveredText): StreamEvent {
  const choices = listOf(event.choices).filter(isObject)
  const whole = choices.length > 0 && choices.every(isWhole)
  const repeats = whole && delivered.size > 0
  const read = choices.map((choice) => readChoice(choice, whole && !repeats, delivered))
  return {
    choices: read,
    usage: findUsage(event),
    usageOnly: choices.length === 0 && isObject(event.usage),
    failed: isFailure(event) || read.some((choice) => choice.fails),
    repeats,
  }
}

function readChoice(choice: JsonObject, whole: boolean, delivered: DeliveredText): ChoiceEvent {
  const { index, text, finish_reason } = choice
  const finish = textOf(finish_reason)
  const fails = failedFinish.has(finish)
  const delta = objectOf(whole ? choice.message : choice.delta)
  const before = delivered.size
  delivered.append(textOf(text))
  readMessage(delta, delivered)
  return {
    index: typeof index === 'number' ? index : 0,
    delivers: delivered.size > before || isObject(delta.audio) || listOf(delta.tool_calls).length > 0,
    opens: typeof text === 'string' || Object.keys(delta).length > 0,
    finishes: finish !== '' && !fails,
    fails,
  }
}

function isWhole(choice: JsonObject): boolean {
  return isObject(choice.message) && !isObject(choice.delta)
}

/** Adds the texts and tool calls of a message, or of a delta, to what is delivered. */
export function readMessage(message: JsonObject, delivered: DeliveredText): void {
  readContent(message.content, delivered)
  // Some send the same thoughts under both names.
  delivered.append(textOf(message.reasoning_content) || textOf(message.reasoning))
  delivered.append(textOf(message.refusal))
  delivered.append(textOf(objectOf(message.audio).transcript))
  for (const call of listOf(message.tool_calls)) readCall(objectOf(call).function, delivered)
  readCall(message.function_call, delivered)
}

function readCall(call: unknown, delivered: DeliveredText): void {
  if (isObject(call)) delivered.appendCall(textOf(call.name), textOf(call.arguments))
}

/** Content is text, or parts; Mistral's thinking parts hold parts again. */
function readContent(content: unknown, delivered: DeliveredText, levels = 2): void {
  if (typeof content === 'string') delivered.append(content)
  if (!Array.isArray(content) || levels === 0) return
  for (const part of content) {
    const { text, thinking } = objectOf(part)
    delivered.append(textOf(text))
    readContent(thinking, delivered, levels - 1)
  }
}

/** Failures as upstreams put them into a 200: an error member, MiniMax's status, or a bare code and message. */
export function isFailure(body: JsonObject): boolean {
  const error = body.error
  if (typeof error === 'string' ? error !== '' : isObject(error)) return true
  const status = objectOf(body.base_resp).status_code
  if (typeof status === 'number' && status !== 0) return true
  if (body.success === false) return true
  return !Array.isArray(body.choices) && !Array.isArray(body.data) && typeof body.message === 'string'
}
