import type { Json } from '../agents/agent.ts'
import { codex } from '../agents/codex.ts'
import { messageTurns } from '../agents/messages-turns.ts'
import { openCodeGemini } from '../agents/opencode.ts'
import { qwenCode } from '../agents/qwen-code.ts'
import type { Exchange } from './exchanges.ts'
import type { ChatFormat, RecordedFormat } from './vendors.ts'

/**
 * A recorded response as the turn of a conversation, with results for its calls. Includes signatures, and items that none
 * of our formats knows.
 */
export function turnsAfter({ vendor, isStream, status, replies, frames }: Exchange): readonly unknown[] {
  const { format } = vendor
  if (status !== 200 || !isOfChat(format)) return []
  return isStream ? streamed[format](frames.join('')) : buffered[format](replies[0] ?? {})
}

function isOfChat(format: RecordedFormat): format is ChatFormat {
  return format in buffered
}

type Turns<Reply> = Readonly<Record<ChatFormat, (reply: Reply) => readonly unknown[]>>

const streamed: Turns<string> = {
  chat: (reply) => withQuestion(qwenCode.turnsAfter(reply)),
  responses: codex.turnsAfter,
  messages: messageTurns({}),
  gemini: openCodeGemini.turnsAfter,
}

function withQuestion(turns: readonly unknown[]): readonly unknown[] {
  return turns.length > 1 ? turns : [...turns, { role: 'user', content: goOn }]
}

const result = 'Sunny, 21 °C'
const goOn = 'Go on.'

interface Item {
  readonly type?: string
  readonly id?: string
  readonly call_id?: string
  readonly functionCall?: { readonly name: string }
}

const buffered: Turns<Json> = {
  chat({ choices }) {
    const [{ message }] = choices as [{ message: { readonly tool_calls?: readonly Item[] } }]
    const results = (message.tool_calls ?? []).map(({ id }) => ({
      role: 'tool',
      tool_call_id: id,
      content: result,
    }))
    return [message, ...orGoOn(results, { role: 'user', content: goOn })]
  },
  responses({ output }) {
    const items = output as readonly Item[]
    const results = items.flatMap(({ type, call_id }) =>
      type === 'function_call' ? [{ type: 'function_call_output', call_id, output: result }] : [],
    )
    return [...items, ...orGoOn(results, { role: 'user', content: goOn })]
  },
  messages({ content }) {
    const blocks = content as readonly Item[]
    const results = blocks.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: result }] : [],
    )
    return [
      { role: 'assistant', content: blocks },
      { role: 'user', content: orGoOn(results, { type: 'text', text: goOn }) },
    ]
  },
  gemini({ candidates }) {
    const [{ content }] = candidates as [{ content: { readonly parts: readonly Item[] } }]
    const results = content.parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ functionResponse: { name: call.name, response: { output: result } } }],
    )
    return [content, { role: 'user', parts: orGoOn(results, { text: goOn }) }]
  },
}

function orGoOn(results: readonly object[], question: object): readonly object[] {
  return results.length > 0 ? results : [question]
}
