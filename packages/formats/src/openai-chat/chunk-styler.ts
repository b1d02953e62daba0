import { isObject, type JsonObject, listOf, objectOf } from '../json-value.ts'
import {
  knownFields,
  type ResponseStyle,
  reasoningClose,
  reasoningOf,
  reasoningOpen,
} from './response-style.ts'

/** Where the thoughts of one choice are: none yet, between their tags, or behind them. */
type Reasoning = 'open' | 'closed'

/** Puts the chunks of one streamed answer into the wanted form. */
export class ChunkStyler {
  readonly #form: ResponseStyle
  /** By the choice's number; none while there were no thoughts. */
  readonly #reasoningText = new Map<unknown, Reasoning>()
  #last: JsonObject = {}

  constructor(form: ResponseStyle) {
    this.#form = form
  }

  /** The chunks that say what this one says, in their order. */
  chunks(chunk: JsonObject): readonly JsonObject[] {
    this.#last = chunk
    const formed = this.#form.reasoningInText ? this.#withReasoning(chunk) : [chunk]
    return this.#form.knownFieldsOnly ? formed.map(knownFields) : formed
  }

  /** What closes the thoughts of choices that have said nothing else. */
  end(): readonly JsonObject[] {
    const open = [...this.#reasoningText].filter(([, state]) => state === 'open')
    const closing = open.map(([index]) => said(this.#last, index, reasoningClose))
    this.#reasoningText.clear()
    return this.#form.knownFieldsOnly ? closing.map(knownFields) : closing
  }

  #withReasoning(chunk: JsonObject): readonly JsonObject[] {
    const before: JsonObject[] = []
    const choices = listOf(chunk.choices)
      .filter(isObject)
      .flatMap((choice) => this.#choice(chunk, choice, before))
    const isSaid = choices.length === 0 && before.length > 0
    return isSaid ? before : [...before, { ...chunk, choices }]
  }

  /**
   * The choice without its thoughts; none when it said nothing else.
   * @param before takes the chunks with the thoughts
   */
  #choice(chunk: JsonObject, choice: JsonObject, before: JsonObject[]): readonly JsonObject[] {
    const { index } = choice
    const state = this.#reasoningText.get(index)
    // Thoughts behind the text stay where they came: there is one pair of tags.
    if (state === 'closed') return [choice]
    const delta = objectOf(choice.delta)
    const reasoningText = reasoningOf(delta)
    const rest = withoutReasoning(choice, delta)
    if (reasoningText !== '') {
      before.push(
        said(chunk, index, state === undefined ? reasoningOpen + reasoningText : reasoningText, delta.role),
      )
      this.#reasoningText.set(index, 'open')
    }
    const goesOn = saysMore(rest)
    if (goesOn && this.#reasoningText.get(index) === 'open') {
      before.push(said(chunk, index, reasoningClose))
      this.#reasoningText.set(index, 'closed')
    } else if (goesOn && state === undefined && saysText(rest)) this.#reasoningText.set(index, 'closed')
    return reasoningText !== '' && !goesOn && chunk.usage == null ? [] : [rest]
  }
}

function withoutReasoning(choice: JsonObject, delta: JsonObject): JsonObject {
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = delta
  return { ...choice, delta: rest }
}

/** Anything that stands behind thoughts. */
function saysMore(choice: JsonObject): boolean {
  const { tool_calls, refusal, audio, function_call } = objectOf(choice.delta)
  return (
    saysText(choice) ||
    choice.finish_reason != null ||
    [tool_calls, refusal, audio, function_call].some((value) => value != null)
  )
}

function saysText({ delta }: JsonObject): boolean {
  const { content } = objectOf(delta)
  return typeof content === 'string' && content !== ''
}

/** A chunk like another one that says a text of one choice and nothing else. */
function said(chunk: JsonObject, index: unknown, content: string, role?: unknown): JsonObject {
  const { usage: _usage, choices: _choices, ...head } = chunk
  const delta = role == null ? { content } : { role, content }
  return { ...head, choices: [{ index: index ?? 0, delta, logprobs: null, finish_reason: null }] }
}
