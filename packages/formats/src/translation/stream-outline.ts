import type { Frame, TextFrame } from '../canonical/codec.ts'
import type { FormatName } from '../canonical/request.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { textsOf } from '../content-filter/response-texts.ts'
import type { MutableObject } from '../content-filter/text-slots.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { isObject, textOf } from '../json/value.ts'
import { type Usage, usageOf } from '../usage.ts'

/** Events of one stream that are kept to end it, in characters. */
const maxCharacters = 256 * 1024

interface Note {
  readonly data: string
  /** Characters that were delivered when it came. */
  readonly delivered: number
}

/** Parts that only go on with what earlier events began. */
const continuing: ReadonlySet<ChatPart['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'refusal-delta',
  'tool-call-delta',
])

/**
 * The events of a stream that passes as received, without its texts: as much as its caller's format needs to end it before its
 * upstream does. Events that go on with a text cost a comparison.
 */
export class StreamOutline {
  readonly #format: FormatName
  readonly #notes: Note[] = []
  #characters = 0
  #latest: Frame | undefined

  constructor(format: FormatName) {
    this.#format = format
  }

  note(event: Frame | undefined, parts: readonly ChatPart[], delivered: number): void {
    this.#latest = event ?? this.#latest
    const part = parts[0]
    if (event === undefined || (part !== undefined && continuing.has(part.type))) return
    if (this.#characters + event.data.length > maxCharacters) return
    this.#characters += event.data.length
    this.#notes.push({ data: event.data, delivered })
  }

  /**
   * The events that end the response at its caller's limit.
   * @param text all that was delivered
   */
  ending(charged: Usage | undefined, text: string): readonly TextFrame[] {
    const ending = textsOf(this.#format)?.startEnding()
    if (ending === undefined) return []
    const latest = this.#latest === undefined ? undefined : objectIn(this.#latest.data)
    for (const [index, note] of this.#notes.entries()) {
      const event = objectIn(note.data)
      if (event === undefined) continue
      ending.note(event)
      if (event.type === 'response.content_part.added')
        ending.note(textIn(event, text.slice(note.delivered, this.#endOfText(index, text))))
    }
    if (latest !== undefined)
      ending.note(latest.type === 'response.output_text.delta' ? { ...latest, delta: '' } : latest)
    return ending.frames(charged ?? usageOf({}), true, 'length')
  }

  /** Returns where the text of the part ends that this note began. */
  #endOfText(index: number, text: string): number {
    const next = this.#notes
      .slice(index + 1)
      .find(({ data }) => /"response\.[a-z_.]+\.(?:added|done)"/.test(data))
    return next?.delivered ?? text.length
  }
}

function objectIn(data: string): MutableObject | undefined {
  const event = parseExactJson(data)
  return isObject(event) ? (event as MutableObject) : undefined
}

/** The text of a part of OpenAI's Responses, as one delta. */
function textIn({ output_index, content_index, part }: MutableObject, delta: string): MutableObject {
  const type = isObject(part) && textOf(part.type) === 'output_text' ? 'response.output_text.delta' : ''
  return { type, output_index, content_index, delta }
}
