import type { TextFrame } from '../canonical/codec.ts'
import { isObject, listOf, objectOf, textOf } from '../json-value.ts'
import { encodeStop } from '../openai-responses/stop.ts'
import { encodeUsage } from '../openai-responses/usage.ts'
import type { Usage } from '../usage.ts'
import {
  type MutableObject,
  ownTexts,
  type ResponseTexts,
  type StreamEnding,
  type TextSlot,
  textsBelow,
} from './text-slots.ts'

/** Deltas of these are no text: sounds and pictures. */
const bytes = /\.(audio|image_generation)/
const incomplete = {
  ...encodeStop({ reason: 'content-filter' }, false),
  completed_at: null,
} as const

export const responsesTexts: ResponseTexts = {
  pieces(event): readonly TextSlot[] {
    const type = textOf(event.type)
    if (!type.endsWith('.delta') || bytes.test(type)) return []
    const { output_index, content_index = 0, summary_index = 0 } = event
    return ownTexts(event, ['delta'], 0, `${type} ${output_index} ${content_index} ${summary_index} `)
  },
  completeTexts(event) {
    const type = textOf(event.type)
    if (type.endsWith('.done')) return textsBelow(event, 0)
    return isObject(event.response) ? textsBelow(event.response.output, 0) : []
  },
  body: ({ output }) => textsBelow(output, 0),
  stop(response, { holder }) {
    const items = listOf(response.output)
    const at = items.findIndex((item) => textsBelow([item], 0).some((slot) => slot.holder === holder))
    const kept = items.slice(0, at < 0 ? items.length : at + 1).filter(isObject) as MutableObject[]
    const last = kept.at(-1)
    // A call whose arguments are cut cannot be made.
    if (last !== undefined && /_call$/.test(textOf(last.type))) kept.pop()
    else if (last !== undefined && 'status' in last) last.status = 'incomplete'
    Object.assign(response, incomplete, { output: kept })
  },
  startEnding: () => new ResponseEnding(),
}

/** Puts the items together again, as far as they have come: the last event of a response holds them. */
class ResponseEnding implements StreamEnding {
  #response: MutableObject = {}
  #sequence = 0
  readonly #items = new Map<unknown, MutableObject>()
  readonly #open = new Set<unknown>()

  note(event: MutableObject): void {
    const { type, sequence_number, output_index, item, response } = event
    if (typeof sequence_number === 'number') this.#sequence = sequence_number
    if (isObject(response)) this.#response = { ...response }
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.#items.set(output_index, { ...objectOf(item) })
      if (type.endsWith('added')) this.#open.add(output_index)
      else this.#open.delete(output_index)
    }
    if (type === 'response.content_part.added') this.#addPart(event)
    if (type === 'response.output_text.delta') this.#addText(event)
  }

  frames(usage: Usage): readonly TextFrame[] {
    const events: MutableObject[] = []
    for (const index of this.#open) {
      const item = { ...this.#items.get(index), status: 'incomplete' }
      this.#items.set(index, item)
      events.push({ type: 'response.output_item.done', output_index: index, item })
    }
    const output = [...this.#items.values()].filter(({ type }) => !/_call$/.test(textOf(type)))
    const response = { ...this.#response, ...incomplete, output, usage: encodeUsage(usage) }
    events.push({ type: 'response.incomplete', response })
    return events.map(({ type, ...rest }) => {
      this.#sequence += 1
      const event = { type, sequence_number: this.#sequence, ...rest }
      return { event: textOf(type), data: JSON.stringify(event) }
    })
  }

  #addPart({ output_index, part }: MutableObject): void {
    const item = this.#items.get(output_index)
    if (item !== undefined) item.content = [...listOf(item.content), { ...objectOf(part) }]
  }

  #addText({ output_index, content_index, delta }: MutableObject): void {
    const parts = listOf(this.#items.get(output_index)?.content)
    const part = parts[Number(content_index)] as MutableObject | undefined
    if (part !== undefined) part.text = textOf(part.text) + textOf(delta)
  }
}
