import type { Message, ToolCallPart, ToolResultPart, UserPart } from '../canonical/request.ts'

/** Calls that wait for their results. */
type Waiting = { readonly id: string; readonly name: string }[]

/**
 * Gives ids to calls that have none (Gemini's callers need not send any), and their results the same ones: by the name of
 * the tool, in the order of the calls.
 */
export function withCallIds(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(needsIds)) return messages
  const waiting: Waiting = []
  let count = 0
  return messages.map((message) => {
    if (message.role === 'assistant') {
      const parts = message.parts.map((part) => (part.type === 'tool-call' ? named(part) : part))
      return { ...message, parts }
    }
    if (message.role === 'user')
      return { ...message, parts: message.parts.map((part) => withCallId(part, waiting)) }
    return message
  })

  function named(call: ToolCallPart): ToolCallPart {
    const id = call.id === '' ? `call_${++count}` : call.id
    waiting.push({ id, name: call.name })
    return { ...call, id }
  }
}

function needsIds({ parts }: Message): boolean {
  return parts.some((part) =>
    part.type === 'tool-call' ? part.id === '' : part.type === 'tool-result' && part.callId === '',
  )
}

function withCallId(part: UserPart, waiting: Waiting): UserPart {
  if (part.type !== 'tool-result') return part
  const place = waiting.findIndex((call) => isResultOf(part, call))
  const [call] = place < 0 ? [] : waiting.splice(place, 1)
  return call === undefined ? part : { ...part, callId: call.id }
}

function isResultOf({ callId, name }: ToolResultPart, call: Waiting[number]): boolean {
  return callId === '' ? name === undefined || name === call.name : callId === call.id
}
