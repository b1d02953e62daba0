import type { AssistantPart, ChatRequest, Message, ToolResultPart, UserPart } from '../canonical/request.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

/*
 * Responses let anything stand between a call and its result: a text of the model, an instruction, what the user says meanwhile. Codex
 * sends such conversations. Chat Completions and Anthropic refuse a call whose result does not follow at once ("must be followed by tool
 * messages", "`tool_use` ids were found without `tool_result` blocks immediately after"). https://github.com/openai/codex/issues/7275
 */

type Assistant = Extract<Message, { role: 'assistant' }>
type User = Extract<Message, { role: 'user' }>

/** The request with each result right behind the message that has its call; the same object where all of them are. */
export function withResultsBehindCalls(request: ChatRequest): ChatRequest {
  const order = new ResultOrder()
  for (const message of request.messages) order.add(message)
  return order.isChanged ? { ...request, messages: order.messages() } : request
}

class ResultOrder {
  isChanged = false
  readonly #messages: Message[] = []
  /** The position of the message with each call. */
  readonly #callers = new Map<string, number>()
  /** Results that came late, by the position of the message with their calls. */
  readonly #late = new Map<number, ToolResultPart[]>()
  /** The position of the latest message that holds anything but results. */
  #latest = -1

  add(message: Message): void {
    if (message.role === 'assistant') this.#addAssistant(message)
    else if (message.role === 'user') this.#addUser(message)
    else this.#push(message)
  }

  messages(): readonly Message[] {
    return this.#messages.flatMap((message, index) => {
      const late = this.#late.get(index)
      return late === undefined ? [message] : [message, withSourcePath(userOf(late), sourcePathOf(late[0]))]
    })
  }

  /** A message that follows the calls of another one of the model's is one with it. */
  #addAssistant(message: Assistant): void {
    const last = this.#messages.at(-1)
    if (last?.role === 'assistant' && last.parts.some(isCall)) {
      this.isChanged = true
      const merged = { ...last, parts: [...last.parts, ...message.parts] }
      this.#messages[this.#latest] = withSourcePath(merged, sourcePathOf(last))
    } else this.#push(message)
    for (const part of message.parts) if (isCall(part)) this.#callers.set(part.id, this.#latest)
  }

  #addUser(message: User): void {
    const late = message.parts.filter((part) => this.#isLate(part))
    if (late.length === 0) {
      this.#push(message)
      return
    }
    this.isChanged = true
    const parts = message.parts.filter((part) => !this.#isLate(part))
    for (const part of late) if (isResult(part)) this.#putBehindCall(part)
    if (parts.length > 0) this.#push(withSourcePath({ ...message, parts }, sourcePathOf(message)))
  }

  #push(message: Message): void {
    this.#messages.push(message)
    if (message.role !== 'user' || !message.parts.every(isResult)) this.#latest = this.#messages.length - 1
  }

  #putBehindCall(part: ToolResultPart): void {
    const caller = this.#callers.get(part.callId) ?? 0
    const late = this.#late.get(caller)
    if (late === undefined) this.#late.set(caller, [part])
    else late.push(part)
  }

  /** A result is late behind anything but other results. */
  #isLate(part: UserPart): boolean {
    const caller = isResult(part) ? this.#callers.get(part.callId) : undefined
    return caller !== undefined && caller < this.#latest
  }
}

function userOf(parts: readonly ToolResultPart[]): User {
  return { role: 'user', parts }
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { type: 'tool-call' }> {
  return part.type === 'tool-call'
}

function isResult(part: UserPart): part is ToolResultPart {
  return part.type === 'tool-result'
}
