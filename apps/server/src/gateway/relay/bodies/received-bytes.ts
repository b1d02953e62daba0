import {
  type ByteScan,
  decodeUtf8,
  type JsonEdits,
  type JsonMember,
  type JsonObject,
  type JsonScan,
  type ReceivedJson,
  scanBytes,
} from '@tollgate/formats'
import { bufferOf, type CallText } from './call-text.ts'
import { beginsLikeFile, type NativeText, ParsedText, scanOwn } from './parsed-text.ts'

/** Values up to this length are parsed with the body: nearly every call looks at one of them. */
const smallBytes = 1024
/** Messages up to this length in sum are parsed at once: a longer text would be copied into new memory. */
const runBytes = 16 * 1024
/** Bytes around the beginning of a text that tell a file from any other text. */
const fileHeadBytes = 256

/**
 * Reads a body without making a text or a value of its long members. `undefined` for one that readers of texts judge: invalid,
 * over a limit, with repeated keys or long numbers, or with large files.
 */
export function readBytes(call: CallText, maxDepth: number): NativeText | undefined {
  const { bytes } = call
  const scan = bytes && scanBytes(bytes, maxDepth)
  if (bytes === undefined || scan === undefined || holdsFile(bytes, scan)) return undefined
  return new LazyText(call, new ReceivedBytes(bytes, scan))
}

function holdsFile(bytes: Uint8Array, { longTexts }: ByteScan): boolean {
  return longTexts.some(([open]) => {
    const from = Math.max(0, open - fileHeadBytes)
    return beginsLikeFile(
      decodeUtf8(bytes.subarray(from, open)),
      decodeUtf8(bytes.subarray(open + 1, open + fileHeadBytes)),
    )
  })
}

/** The text, the offsets in it and the members of a body that came as bytes, each made when it is first read. */
class LazyText implements NativeText {
  readonly received: ReceivedBytes
  readonly restore = undefined
  readonly #call: CallText
  #scan: JsonScan | undefined
  #body: JsonObject | undefined

  constructor(call: CallText, received: ReceivedBytes) {
    this.#call = call
    this.received = received
  }

  get text(): string {
    return this.#call.text
  }

  get scan(): JsonScan {
    const { bytes, scan } = this.received
    // Of ASCII, where bytes are characters.
    this.#scan ??= this.text.length === bytes.length ? scan : scanOwn(this.text)
    return this.#scan
  }

  get body(): JsonObject {
    this.#body ??= this.received.members((member) => this.received.parsed(member))
    return this.#body
  }

  edited(edits: JsonEdits, body: JsonObject): NativeText {
    return new ParsedText(this.text, this.scan, body, []).edited(edits, body)
  }

  withText(text: string, body: JsonObject): NativeText {
    return new ParsedText(text, scanOwn(text), body, [])
  }
}

/** A JSON body as it was received, of which no long text is made. */
class ReceivedBytes implements ReceivedJson {
  readonly bytes: Uint8Array
  readonly #buffer: Buffer
  readonly #byteScan: ByteScan
  readonly #long: readonly JsonMember[]
  #outline: JsonObject | undefined

  constructor(bytes: Uint8Array, scan: ByteScan) {
    this.bytes = bytes
    this.#buffer = bufferOf(bytes)
    this.#byteScan = scan
    this.#long = scan.json.list.filter(({ valueStart, end }) => end - valueStart > smallBytes)
  }

  get scan(): JsonScan {
    return this.#byteScan.json
  }

  get outline(): JsonObject {
    const { messages } = this.#byteScan
    this.#outline ??= this.members((member) =>
      member.key === 'messages' && messages !== undefined ? this.#messages(messages) : this.parsed(member),
    )
    return this.#outline
  }

  includes(ascii: string): boolean {
    return this.#buffer.includes(ascii, 0, 'latin1')
  }

  /** The members of the body; long ones are read when they are first looked at. */
  members(read: (member: JsonMember) => unknown): JsonObject {
    const body: Record<string, unknown> = JSON.parse(this.#withoutLong())
    for (const member of this.#long) defineLazily(body, member.key, () => read(member))
    return body
  }

  parsed({ valueStart, end }: Pick<JsonMember, 'valueStart' | 'end'>): unknown {
    return JSON.parse(this.#buffer.toString('utf8', valueStart, end))
  }

  #messages(messages: NonNullable<ByteScan['messages']>): readonly unknown[] {
    const items: unknown[] = []
    for (let at = 0; at < messages.length; at = items.length) {
      const plain = messages[at]?.plain
      if (plain === undefined) items.push(...this.#parsedRun(messages, at))
      else items.push(plain)
    }
    return items
  }

  /** Parses messages that follow each other at once: calls of tools and their results are nearly all of an agent's conversation. */
  #parsedRun(messages: NonNullable<ByteScan['messages']>, from: number): readonly unknown[] {
    const { start = 0 } = messages[from] ?? {}
    let end = start
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at]
      if (message === undefined || message.plain !== undefined) break
      if (at > from && message.end - start > runBytes) break
      end = message.end
    }
    return JSON.parse(`[${this.#buffer.toString('utf8', start, end)}]`)
  }

  /** The body with a number in the place of each long member. */
  #withoutLong(): string {
    let text = ''
    let copied = 0
    for (const { valueStart, end } of this.#long) {
      text += `${this.#buffer.toString('utf8', copied, valueStart)}0`
      copied = end
    }
    return text + this.#buffer.toString('utf8', copied)
  }
}

/** A member that is read once, and is like any other from then on. */
function defineLazily(object: object, key: string, read: () => unknown): void {
  const common = { enumerable: true, configurable: true }
  Object.defineProperty(object, key, {
    ...common,
    get() {
      const value = read()
      Object.defineProperty(object, key, { ...common, value, writable: true })
      return value
    },
  })
}
