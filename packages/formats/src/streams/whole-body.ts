import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import type { ContentShape } from '../json/bytes/content-outline.ts'
import { describeExcess } from '../json/excess.ts'
import { closeBrace } from '../json/marks.ts'
import type { JsonOutline } from '../json/outline.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import type { Usage } from '../usage.ts'
import type { Delivered, StreamOutcome } from './stream-meter.ts'
import type { StreamReader, StreamStep } from './stream-reader.ts'

/** Facts that are read from a body's outline. */
type OutlineReading =
  | {
      readonly ok: true
      readonly usage: Usage | undefined
      readonly latestUsage?: Usage | undefined
      readonly made?: number | undefined
      delivered(): Delivered
    }
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

interface WholeBodyOptions {
  /** Has read what came before. */
  readonly outline: JsonOutline
  readonly maxBytes: number
  /** Reads the outline as the body itself would be read. */
  read(outline: Uint8Array): OutlineReading
}

const space = 0x20
const noBytes = new Uint8Array(0)
const nothing: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

/** The member of the top that holds what a response of a format delivers. */
const deliveringMembers: Readonly<Record<string, string | undefined>> = {
  'openai-chat': 'choices',
  'openai-completions': 'choices',
  'openai-responses': 'output',
  'openai-embeddings': 'data',
  'openai-images': 'data',
  'openai-image-edits': 'data',
  'openai-moderations': 'results',
  'jina-rerank': 'results',
  'anthropic-messages': 'content',
  gemini: 'candidates',
}

/** Content of chat responses by format. Anthropic and Responses have nothing long beside texts, or not in the items themselves. */
const contentShapes: Readonly<Record<string, ContentShape | undefined>> = {
  'openai-chat': { list: 'choices', unread: 'logprobs' },
  'openai-responses': { list: 'output' },
  'anthropic-messages': { list: 'content' },
  gemini: { list: 'candidates', unread: 'logprobsResult' },
}

/** Position of the content in the responses of a format of chat; `undefined` for any other. */
export function contentShape(format: string): ContentShape | undefined {
  return contentShapes[format]
}

/** The member of the top with which a body shows that it is a response; `undefined` for a format of which none passes as it comes. */
export function deliveringMember(format: string): string | undefined {
  return deliveringMembers[format]
}

/** One JSON body that passes as it comes, of any size. Its last brace waits for the settlement. */
export class WholeBodyReader implements StreamReader {
  readonly isWhole = true
  readonly phase = 'delivering'
  readonly deliveredSize = 0
  readonly #options: WholeBodyOptions
  #outcome: StreamOutcome = 'cut'
  #reading: OutlineReading | undefined
  #error: UpstreamErrorInfo | undefined
  #bytes = 0
  /** The end of what came. */
  #last: Uint8Array = noBytes

  constructor(options: WholeBodyOptions) {
    this.#options = options
  }

  get outcome(): StreamOutcome {
    return this.#outcome
  }

  /** Passes what the outline has read before. */
  begin(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return pieces.flatMap((piece) => this.#pass(piece))
  }

  push(chunk: Uint8Array): StreamStep {
    const { outline, maxBytes } = this.#options
    outline.push(chunk)
    const { excess } = outline
    if (excess !== undefined) return this.#fail(describeExcess(excess))
    const forward = this.#pass(chunk)
    if (this.#bytes > maxBytes) return this.#fail('The upstream sent a response that is too large.')
    return { forward, error: undefined, done: false }
  }

  end(): StreamStep {
    const { outline } = this.#options
    if (outline.isClosed && this.#error === undefined) {
      this.#reading = this.#read()
      if (this.#reading.ok) this.#outcome = 'complete'
      else this.#error = this.#reading.error
    }
    return { forward: [], error: this.#error, done: true }
  }

  get usage(): Usage | undefined {
    return this.#reading?.ok === true ? this.#reading.usage : undefined
  }

  get latestUsage(): Usage | undefined {
    return this.#reading?.ok === true ? (this.#reading.latestUsage ?? this.#reading.usage) : undefined
  }

  get made(): number | undefined {
    return this.#reading?.ok === true ? this.#reading.made : undefined
  }

  delivered(): Delivered {
    const reading = this.#reading ?? this.#read()
    return reading.ok ? reading.delivered() : nothing
  }

  trailer(): string {
    return decodeUtf8(this.#last)
  }

  #read(): OutlineReading {
    return this.#options.read(encodeUtf8(this.#options.outline.text()))
  }

  #pass(chunk: Uint8Array): Uint8Array[] {
    if (chunk.length === 0) return []
    this.#bytes += chunk.length
    const from = endStart(chunk)
    // White space alone continues the end that waits.
    if (from === 0 && this.#last.length + chunk.length <= maxWaiting) {
      this.#last = joined(this.#last, chunk)
      return []
    }
    const passing = [this.#last, chunk.subarray(0, from)].filter(({ length }) => length > 0)
    this.#last = chunk.slice(from)
    return passing
  }

  #fail(message: string): StreamStep {
    this.#error ??= {
      kind: 'upstream_bug',
      status: 502,
      message,
      type: 'upstream_error',
      code: 'malformed_response',
      param: null,
    }
    return { forward: [], error: this.#error, done: false }
  }
}

/** Longest end that waits. */
const maxWaiting = 1024

/** Returns where the last brace of a piece begins, when white space alone follows it; else its last byte, which may be anything. */
function endStart(chunk: Uint8Array): number {
  let at = chunk.length - 1
  while (at > 0 && (chunk[at] ?? 0) <= space && chunk.length - at < maxWaiting) at -= 1
  const isEnd = chunk[at] === closeBrace || (at === 0 && (chunk[0] ?? 0) <= space)
  return isEnd ? at : chunk.length - 1
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
