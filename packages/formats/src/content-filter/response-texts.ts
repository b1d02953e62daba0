import { messageDelta } from '../anthropic-messages/response/encode-stream.ts'
import { encodeStop as encodeMessagesStop } from '../anthropic-messages/response/stop.ts'
import type { TextFrame } from '../canonical/codec.ts'
import { encodeUsage as encodeGeminiUsage } from '../gemini/response/usage.ts'
import { numberOf } from '../json/number-text.ts'
import { isObject, listOf, objectOf, textOf } from '../json/value.ts'
import { encodeUsage } from '../openai-chat/response/usage.ts'
import { encodeStop as encodeResponsesStop } from '../openai-responses/response/stop.ts'
import { encodeUsage as encodeResponsesUsage } from '../openai-responses/response/usage.ts'
import type { Usage } from '../usage.ts'
import {
  type EndReason,
  type MutableObject,
  numbered,
  ownTexts,
  type ResponseTexts,
  type StreamEnding,
  type TextSlot,
  textsBelow,
} from './text-slots.ts'

const texts = ['text', 'thinking', 'partial_json'] as const

const anthropicTexts: ResponseTexts = {
  pieces({ index, delta, content_block }): readonly TextSlot[] {
    return [...ownTexts(content_block, texts, 0, `${index} `), ...ownTexts(delta, texts, 0, `${index} `)]
  },
  completeTexts: () => [],
  body: ({ content }) => textsBelow(content, 0),
  stop(response, { holder }, reason) {
    const blocks = listOf(response.content)
    const at = blocks.findIndex((block) => block === holder || objectOf(block).input === holder)
    const complete = at < 0 ? blocks.length : at + 1
    // A call whose input is cut cannot be made.
    response.content = blocks.slice(0, complete).filter((block) => objectOf(block).type !== 'tool_use')
    Object.assign(response, encodeMessagesStop({ reason }))
  },
  startEnding: () => new MessageEnding(),
}

class MessageEnding implements StreamEnding {
  readonly #open = new Set<unknown>()

  /** A call that is cut keeps open: agents make one whose block has ended. */
  note({ type, index, content_block: block }: MutableObject): void {
    if (type === 'content_block_start' && objectOf(block).type !== 'tool_use') this.#open.add(index)
    else if (type === 'content_block_stop') this.#open.delete(index)
  }

  frames(usage: Usage, _includeUsage: boolean, reason: EndReason): readonly TextFrame[] {
    const closing = [...this.#open].map((index) => ({ type: 'content_block_stop', index }))
    return [...closing, messageDelta(encodeMessagesStop({ reason }), usage), { type: 'message_stop' }].map(
      (event) => ({
        event: textOf(event.type),
        data: JSON.stringify(event),
      }),
    )
  }
}

function partsOf(candidate: MutableObject): readonly MutableObject[] {
  return listOf(objectOf(candidate.content).parts).filter(isObject) as readonly MutableObject[]
}

function pieceOf(index: number, part: MutableObject): readonly TextSlot[] {
  if (typeof part.text !== 'string') return []
  return [{ candidate: index, kind: part.thought === true ? 'thought' : 'text', holder: part, key: 'text' }]
}

const geminiTexts: ResponseTexts = {
  pieces: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) =>
      partsOf(candidate).flatMap((part) => pieceOf(index, part)),
    ),
  /** Calls arrive complete. */
  completeTexts: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) =>
      partsOf(candidate).flatMap((part) => textsBelow(part.functionCall, index)),
    ),
  body: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) => textsBelow(candidate.content, index)),
  stop({ candidates }, { candidate: stopped }, reason) {
    for (const [index, candidate] of numbered(candidates)) {
      if (index !== stopped) continue
      candidate.finishReason = geminiReasons[reason]
      const content = objectOf(candidate.content) as MutableObject
      content.parts = partsOf(candidate).filter((part) => !('functionCall' in part))
    }
  },
  startEnding: () => new CandidateEnding(),
}

const geminiReasons = { 'content-filter': 'SAFETY', length: 'MAX_TOKENS' } as const satisfies Record<
  EndReason,
  string
>

class CandidateEnding implements StreamEnding {
  #head: MutableObject = {}
  readonly #open = new Set<number>()

  note({ candidates, modelVersion, responseId }: MutableObject): void {
    this.#head = { modelVersion, responseId }
    for (const [index, candidate] of numbered(candidates)) {
      if (typeof candidate.finishReason === 'string') this.#open.delete(index)
      else this.#open.add(index)
    }
  }

  frames(usage: Usage, _includeUsage: boolean, reason: EndReason): readonly TextFrame[] {
    const open = this.#open.size === 0 ? [0] : [...this.#open]
    const candidates = open.map((index) => ({
      content: { parts: [], role: 'model' },
      finishReason: geminiReasons[reason],
      index,
    }))
    return [{ data: JSON.stringify({ candidates, usageMetadata: encodeGeminiUsage(usage), ...this.#head }) }]
  }
}

const deltaTexts = ['reasoning', 'reasoning_content', 'content', 'refusal'] as const

function piecesOf(index: number, choice: MutableObject): readonly TextSlot[] {
  const delta = objectOf(choice.delta)
  const calls = listOf(delta.tool_calls).flatMap((call, position) => {
    const { index: number = position, function: called } = objectOf(call)
    return ownTexts(called, ['arguments'], index, `call ${number} `)
  })
  return [...ownTexts(choice, ['text'], index), ...ownTexts(delta, deltaTexts, index), ...calls]
}

/** Chat Completions, and text completions beside them: `delta` or `text` in a choice. */
const openAiTexts: ResponseTexts = {
  pieces: ({ choices }) => numbered(choices).flatMap(([index, choice]) => piecesOf(index, choice)),
  completeTexts: () => [],
  body: ({ choices }) =>
    numbered(choices).flatMap(([index, choice]) => [
      ...ownTexts(choice, ['text'], index),
      ...textsBelow(choice.message, index),
    ]),
  stop({ choices }, { candidate }, reason) {
    for (const [index, choice] of numbered(choices)) {
      if (index !== candidate) continue
      choice.finish_reason = choiceReasons[reason]
      // A call whose arguments are cut cannot be made.
      delete (objectOf(choice.message) as MutableObject).tool_calls
    }
  },
  startEnding: () => new ChunkEnding(),
}

const choiceReasons = { 'content-filter': 'content_filter', length: 'length' } as const satisfies Record<
  EndReason,
  string
>

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

  frames(usage: Usage, includeUsage: boolean, reason: EndReason): readonly TextFrame[] {
    const rest = this.#isText ? { text: '' } : { delta: {} }
    const open = this.#open.size === 0 ? [0] : [...this.#open]
    const chunks: object[] = open.map((index) => ({
      ...this.#head,
      choices: [{ index, ...rest, logprobs: null, finish_reason: choiceReasons[reason] }],
    }))
    if (includeUsage) chunks.push({ ...this.#head, choices: [], usage: encodeUsage(usage) })
    return [...chunks.map((chunk) => ({ data: JSON.stringify(chunk) })), { data: '[DONE]' }]
  }
}

/** Deltas of these types hold no text: audio and images. */
const bytes = /\.(audio|image_generation)/
const incomplete = (reason: EndReason) => ({ ...encodeResponsesStop({ reason }, false), completed_at: null })

const responsesTexts: ResponseTexts = {
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
  stop(response, { holder }, reason) {
    const items = listOf(response.output)
    const at = items.findIndex((item) => textsBelow([item], 0).some((slot) => slot.holder === holder))
    const retained = items.slice(0, at < 0 ? items.length : at + 1).filter(isObject) as MutableObject[]
    const last = retained.at(-1)
    // A call whose arguments are cut cannot be made.
    if (last !== undefined && isCall(last)) retained.pop()
    else if (last !== undefined && 'status' in last) last.status = 'incomplete'
    Object.assign(response, incomplete(reason), { output: retained })
  },
  startEnding: () => new ResponseEnding(),
}

function isCall({ type }: MutableObject): boolean {
  return /_call$/.test(textOf(type))
}

/** Puts the items together again, as far as they have come: the last event of a response holds them. */
class ResponseEnding implements StreamEnding {
  #response: MutableObject = {}
  #sequence = 0
  readonly #items = new Map<unknown, MutableObject>()
  readonly #open = new Set<unknown>()

  note(event: MutableObject): void {
    const { type, sequence_number, output_index, item, response } = event
    this.#sequence = numberOf(sequence_number) ?? this.#sequence
    if (isObject(response)) this.#response = { ...response }
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.#items.set(output_index, { ...objectOf(item) })
      if (type.endsWith('added')) this.#open.add(output_index)
      else this.#open.delete(output_index)
    }
    if (type === 'response.content_part.added') this.#addPart(event)
    if (type === 'response.output_text.delta') this.#addText(event)
  }

  frames(usage: Usage, _includeUsage: boolean, reason: EndReason): readonly TextFrame[] {
    const events: MutableObject[] = []
    for (const index of this.#open) {
      const item: MutableObject = { ...this.#items.get(index), status: 'incomplete' }
      // A call that is cut has no end: agents make one that has, whatever its status.
      if (isCall(item)) continue
      this.#items.set(index, item)
      events.push({ type: 'response.output_item.done', output_index: index, item })
    }
    const output = [...this.#items.values()].filter((item) => !isCall(item))
    const response = { ...this.#response, ...incomplete(reason), output, usage: encodeResponsesUsage(usage) }
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

/** Formats of responses that contain a model's text. */
const textsByFormat: Readonly<Record<string, ResponseTexts>> = {
  'openai-chat': openAiTexts,
  'openai-completions': openAiTexts,
  'anthropic-messages': anthropicTexts,
  gemini: geminiTexts,
  'openai-responses': responsesTexts,
  'openai-compaction': responsesTexts,
}

/** `undefined` for responses without text: vectors, images, audio. */
export function textsOf(format: string): ResponseTexts | undefined {
  return Object.hasOwn(textsByFormat, format) ? textsByFormat[format] : undefined
}
