import { messageDelta } from '../anthropic-messages/encode-stream.ts'
import { encodeStop } from '../anthropic-messages/stop.ts'
import type { TextFrame } from '../canonical/codec.ts'
import { listOf, objectOf, textOf } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import {
  type MutableObject,
  ownTexts,
  type ResponseTexts,
  type StreamEnding,
  type TextSlot,
  textsBelow,
} from './text-slots.ts'

const texts = ['text', 'thinking', 'partial_json'] as const
const filtered = encodeStop({ reason: 'content-filter' })

export const anthropicTexts: ResponseTexts = {
  pieces({ index, delta, content_block }): readonly TextSlot[] {
    return [...ownTexts(content_block, texts, 0, `${index} `), ...ownTexts(delta, texts, 0, `${index} `)]
  },
  completeTexts: () => [],
  body: ({ content }) => textsBelow(content, 0),
  stop(response, { holder }) {
    const blocks = listOf(response.content)
    const at = blocks.findIndex((block) => block === holder || objectOf(block).input === holder)
    const complete = at < 0 ? blocks.length : at + 1
    // A call whose input is cut cannot be made.
    response.content = blocks.slice(0, complete).filter((block) => objectOf(block).type !== 'tool_use')
    Object.assign(response, filtered)
  },
  startEnding: () => new MessageEnding(),
}

class MessageEnding implements StreamEnding {
  readonly #open = new Set<unknown>()

  note({ type, index }: MutableObject): void {
    if (type === 'content_block_start') this.#open.add(index)
    else if (type === 'content_block_stop') this.#open.delete(index)
  }

  frames(usage: Usage): readonly TextFrame[] {
    const closing = [...this.#open].map((index) => ({ type: 'content_block_stop', index }))
    return [...closing, messageDelta(filtered, usage), { type: 'message_stop' }].map((event) => ({
      event: textOf(event.type),
      data: JSON.stringify(event),
    }))
  }
}
