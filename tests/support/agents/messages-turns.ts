import { type Agent, eventsIn, type Json, toolResult } from './agent.ts'

interface MessageEvent {
  readonly type: string
  readonly index?: number
  readonly content_block?: Block
  readonly delta?: Json
}

interface Block extends Json {
  readonly type: string
  readonly id?: string
}

/** Blocks of a streamed message put together, and a result for every call. */
export function messageTurns(more: Json): Agent['turnsAfter'] {
  return (reply) => {
    const events = eventsIn<MessageEvent>(reply)
    const blocks = events.flatMap(({ content_block: block, index }) =>
      block === undefined ? [] : [mergedBlock(block, deltasOf(events, index), more)],
    )
    const results = blocks.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: toolResult }] : [],
    )
    return [
      { role: 'assistant', content: blocks },
      { role: 'user', content: results },
    ]
  }
}

function deltasOf(events: readonly MessageEvent[], index: number | undefined): readonly Json[] {
  return events.flatMap((event) => (event.index === index && event.delta !== undefined ? [event.delta] : []))
}

function mergedBlock(block: Block, deltas: readonly Json[], more: Json): Block {
  const joined = (name: string) => deltas.map((delta) => delta[name] ?? '').join('')
  if (block.type === 'tool_use')
    return { ...block, input: JSON.parse(joined('partial_json') || '{}'), ...more }
  if (block.type !== 'thinking') return { ...block, ...(block.type === 'text' && { text: joined('text') }) }
  return { ...block, thinking: joined('thinking'), signature: joined('signature') }
}
