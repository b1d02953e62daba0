import type { TextFrame } from '../canonical/codec.ts'
import { listOf, objectOf } from '../json-value.ts'
import { encodeUsage } from '../openai-chat/usage.ts'
import type { Usage } from '../usage.ts'
import {
  type MutableObject,
  numbered,
  ownTexts,
  type ResponseTexts,
  type StreamEnding,
  type TextSlot,
  textsBelow,
} from './text-slots.ts'

const deltaTexts = ['reasoning', 'reasoning_content', 'content', 'refusal'] as const

function piecesOf(index: number, choice: MutableObject): readonly TextSlot[] {
  const delta = objectOf(choice.delta)
  const calls = listOf(delta.tool_calls).flatMap((call, place) => {
    const { index: number = place, function: called } = objectOf(call)
    return ownTexts(called, ['arguments'], index, `call ${number} `)
  })
  return [...ownTexts(choice, ['text'], index), ...ownTexts(delta, deltaTexts, index), ...calls]
}

/** Chat Completions, and text completions beside them: `delta` or `text` in a choice. */
export const openAiTexts: ResponseTexts = {
  pieces: ({ choices }) => numbered(choices).flatMap(([index, choice]) => piecesOf(index, choice)),
  completeTexts: () => [],
  body: ({ choices }) =>
    numbered(choices).flatMap(([index, choice]) => [
      ...ownTexts(choice, ['text'], index),
      ...textsBelow(choice.message, index),
    ]),
  stop({ choices }, { candidate }) {
    for (const [index, choice] of numbered(choices)) {
      if (index !== candidate) continue
      choice.finish_reason = 'content_filter'
      // A call whose arguments are cut cannot be made.
      delete (objectOf(choice.message) as MutableObject).tool_calls
    }
  },
  startEnding: () => new ChunkEnding(),
}

class ChunkEnding implements StreamEnding {
  #head: MutableObject = {}
  #isText = false
  readonly #open = new Set<number>()

  note({ id, object, created, model, choices }: MutableObject): void {
    this.#head = { id, object, created, model }
    for (const [index, choice] of numbered(choices)) {
      this.#isText = 'text' in choice
      if (typeof choice.finish_reason === 'string') this.#open.delete(index)
      else this.#open.add(index)
    }
  }

  frames(usage: Usage, includeUsage: boolean): readonly TextFrame[] {
    const rest = this.#isText ? { text: '' } : { delta: {} }
    const open = this.#open.size === 0 ? [0] : [...this.#open]
    const chunks: object[] = open.map((index) => ({
      ...this.#head,
      choices: [{ index, ...rest, logprobs: null, finish_reason: 'content_filter' }],
    }))
    if (includeUsage) chunks.push({ ...this.#head, choices: [], usage: encodeUsage(usage) })
    return [...chunks.map((chunk) => ({ data: JSON.stringify(chunk) })), { data: '[DONE]' }]
  }
}
