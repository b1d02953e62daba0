import type { Message, TextPart } from '../canonical/request.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeAssistantPart, encodeText, encodeUserPart } from './encode-content.ts'
import type { Encoding } from './encoding.ts'

export interface Conversation {
  /** Instructions that stand before everything else. */
  readonly system: readonly JsonObject[]
  readonly messages: readonly Turn[]
}

export interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: readonly JsonObject[]
}

/** Stands where the format wants a user's message and the caller has none. */
const placeholder: JsonObject = { type: 'text', text: '...' }

/**
 * Turns as the upstream wants them: the user begins, neighbours of one role are one turn, results of tools come first in
 * theirs, and an answer that is to be continued does not end with white space.
 */
export function encodeMessages(messages: readonly Message[], encoding: Encoding): Conversation {
  const leading = messages.findIndex(({ role }) => role !== 'system')
  const count = leading < 0 ? messages.length : leading
  const turns = messages.slice(count).map((message, place) => encodeTurn(message, count + place, encoding))
  const placed = placeSystem(merge(turns), encoding).map(resultsFirst)
  const startedTurns: readonly Turn[] =
    placed[0]?.role === 'user' ? placed : [{ role: 'user', content: [placeholder] }, ...placed]
  return { system: messages.slice(0, count).flatMap(encodeSystem), messages: withTrimmedEnd(startedTurns) }
}

function encodeSystem(message: Message): readonly JsonObject[] {
  return message.role === 'system' ? message.parts.flatMap(encodeText) : []
}

function encodeTurn(message: Message, place: number, encoding: Encoding): Turn {
  const param = (part: number) => `messages[${place}].content[${part}]`
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.parts.flatMap((part: TextPart) => encodeText(part)) }
    case 'user':
      if (message.name !== undefined) encoding.dropped.add('name')
      return {
        role: 'user',
        content: message.parts.flatMap((part, at) => encodeUserPart(part, param(at), encoding)),
      }
    case 'assistant':
      if (message.name !== undefined) encoding.dropped.add('name')
      return {
        role: 'assistant',
        content: message.parts.flatMap((part, at) => encodeAssistantPart(part, param(at), encoding)),
      }
  }
}

/** Neighbours of one role as one turn; a turn without content is none. */
function merge(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (turn.content.length === 0) continue
    if (last?.role === turn.role)
      merged[merged.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] }
    else merged.push(turn)
  }
  return merged
}

/**
 * A later system message stays one where the model takes it, which is behind a user's turn and before an answer; elsewhere
 * it is the user's text. https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
function placeSystem(turns: readonly Turn[], { traits, hosted }: Encoding): readonly Turn[] {
  if (turns.every(({ role }) => role !== 'system')) return turns
  const taken = traits.laterSystem && !hosted
  const placed = turns.map((turn, place): Turn => {
    if (turn.role !== 'system') return turn
    const stays = taken && turns[place - 1]?.role === 'user' && turns[place + 1]?.role !== 'user'
    return stays ? turn : { role: 'user', content: turn.content }
  })
  return merge(placed)
}

function resultsFirst(turn: Turn): Turn {
  if (turn.role !== 'user') return turn
  const isResult = ({ type }: JsonObject) => type === 'tool_result'
  const results = turn.content.filter(isResult)
  if (results.length === 0) return turn
  return { role: 'user', content: [...results, ...turn.content.filter((block) => !isResult(block))] }
}

function withTrimmedEnd(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || typeof block?.text !== 'string') return turns
  const trimmed = { ...block, text: block.text.trimEnd() }
  return [...turns.slice(0, -1), { role: 'assistant', content: [...last.content.slice(0, -1), trimmed] }]
}
