import { messageDelta } from '../anthropic-messages/encode-stream.ts'
import { encodeStop } from '../anthropic-messages/stop.ts'
import type { TextFrame } from '../canonical/codec.ts'
import { listOf, objectOf, textOf } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import {
  type AnswerTexts,
  type MutableObject,
  ownTexts,
  type StreamEnding,
  spokenBelow,
  type TextSlot,
} from './answer-texts.ts'

const texts = ['text', 'thinking', 'partial_json'] as const
const filtered = encodeStop({ reason: 'content-filter' })

export const anthropicTexts: AnswerTexts = {
  pieces({ index, delta, content_block }): readonly TextSlot[] {
    return [...ownTexts(content_block, texts, 0, `${index} `), ...ownTexts(delta, texts, 0, `${index} `)]
  },
  wholes: () => [],
  body: ({ content }) => spokenBelow(content, 0),
  stop(answer, { holder }) {
    const blocks = listOf(answer.content)
    const at = blocks.findIndex((block) => block === holder || objectOf(block).input === holder)
    const whole = at < 0 ? blocks.length : at + 1
    // A call whose input is cut cannot be made.
    answer.content = blocks.slice(0, whole).filter((block) => objectOf(block).type !== 'tool_use')
    Object.assign(answer, filtered)
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
