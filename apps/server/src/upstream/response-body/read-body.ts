import {
  type BodyFindings,
  type ContentShape,
  contentOutline,
  describeExcess,
  type JsonExcess,
  JsonOutline,
  structureOf,
} from '@tollgate/formats'
import type { BodyPiece } from '@tollgate/http'
import type { HttpResponse } from '@tollgate/http/client'
import { EventBody } from './event-body.ts'
import { type RefusedRoom, type ResponseHold, smallResponseBytes } from './response-memory.ts'

/** The part of a response by which its body is read. */
export type ResponseBody = Pick<HttpResponse, 'header' | 'read' | 'buffered'>

/** Result of reading a response that is not a stream. */
export type ReadBody =
  | {
      readonly kind: 'complete'
      readonly bytes: Uint8Array
      readonly findings?: BodyFindings
    }
  /** The beginning of a body that may pass as it comes. */
  | { readonly kind: 'passing'; readonly pieces: readonly Uint8Array[]; readonly outline: JsonOutline }
  | { readonly kind: 'unusable'; readonly message: string }
  /** The memory for responses has no room for it. */
  | { readonly kind: 'refused'; readonly room: RefusedRoom }

interface BodyBounds {
  readonly limitBytes: number
  /** Makes what the body holds in memory countable, once it is not small. */
  enter(): ResponseHold
  /** The member of the top that shows a response, where it may pass before it is whole; asked of large bodies alone. */
  passesFrom?(): string | undefined
  /** Position of the content of a response of which its outline is read; asked of complete bodies that are not small. */
  outlined?(): ContentShape | undefined
}

/** A body of this size passes as it comes where it can; a smaller one is looked at once, when all of it is there. */
const passingBytes = 1024 * 1024
const tooLarge = { kind: 'unusable', message: 'The upstream sent a response that is too large.' } as const

/**
 * Reads a body within the memory for responses, and no further than its structure can be that of a response. A small body costs
 * nothing more. Where the body is not complete, the caller ends the exchange, or reads on.
 */
export function readBody(response: ResponseBody, bounds: BodyBounds): ReadBody | Promise<ReadBody> {
  const length = announcedLength(response)
  if (length !== undefined && length > bounds.limitBytes) return tooLarge
  if (length === undefined || length > passingBytes) return new BodyReading(bounds, length).read(response)
  if (length > smallResponseBytes) return readAnnounced(response, bounds, length)
  const body = response.buffered(bounds.limitBytes)
  return body instanceof Promise ? body.then(complete) : complete(body)
}

function unusable(excess: JsonExcess): ReadBody {
  return { kind: 'unusable', message: describeExcess(excess) }
}

/** Reads a body of known length into one buffer, once there is room for all of it. */
async function readAnnounced(response: ResponseBody, bounds: BodyBounds, length: number): Promise<ReadBody> {
  const hold = bounds.enter()
  const refused = await hold.take(length)
  if (refused !== undefined) return { kind: 'refused', room: refused }
  const bytes = await response.buffered(bounds.limitBytes)
  if (bytes === undefined) return tooLarge
  // The runtime's `fetch` may decode a body whose length it announces as it was sent.
  const more = bytes.length > length ? await hold.take(bytes.length - length) : undefined
  return more === undefined ? judged(bytes, bounds) : { kind: 'refused', room: more }
}

/** Looks once at a body that is neither small nor large. */
function judged(bytes: Uint8Array, bounds: BodyBounds): ReadBody {
  const shape = bounds.outlined?.()
  const outline = shape === undefined ? undefined : contentOutline(bytes, shape)
  if (outline !== undefined) return { kind: 'complete', bytes, findings: { isBounded: true, outline } }
  const { excess, isBounded } = structureOf(bytes)
  const found = new EventBody().exceedsWith(bytes) ? 'too-wide' : excess
  return found === undefined ? { kind: 'complete', bytes, findings: { isBounded } } : unusable(found)
}

function complete(bytes: Uint8Array | undefined): ReadBody {
  return bytes === undefined ? tooLarge : { kind: 'complete', bytes }
}

/** The length of the body as it is read; `undefined` where only its end shows it. */
function announcedLength(response: ResponseBody): number | undefined {
  const length = response.header('content-length')
  const isEncoded = response.header('content-encoding') !== null
  return length === null || isEncoded || !/^\d+$/.test(length) ? undefined : Number(length)
}

class BodyReading {
  readonly #bounds: BodyBounds
  #outline: JsonOutline | undefined
  readonly #events = new EventBody()
  #length: number | undefined
  #hold: ResponseHold | undefined
  #pieces: Uint8Array[] = []
  /** Bytes of a body with a known length, so that its pieces can be released. */
  #whole: Uint8Array | undefined
  #size = 0
  #taken = 0
  #scanned = 0

  constructor(bounds: BodyBounds, length: number | undefined) {
    this.#bounds = bounds
    this.#length = length
  }

  async read(response: ResponseBody): Promise<ReadBody> {
    for (;;) {
      const { done, value } = await response.read()
      if (done) return this.#complete()
      this.#add(value)
      if (this.#size <= smallResponseBytes) continue
      const ending = await this.#judge()
      if (ending !== undefined) return ending
    }
  }

  #add(piece: Uint8Array): void {
    if (this.#whole !== undefined && this.#size + piece.length > this.#whole.length) this.#spread(this.#whole)
    if (this.#whole === undefined) this.#pieces.push(piece)
    else this.#whole.set(piece, this.#size)
    this.#size += piece.length
  }

  #complete(): ReadBody {
    const bytes = this.#bytes()
    const isJudged = this.#size <= smallResponseBytes || this.#outline !== undefined
    return isJudged ? { kind: 'complete', bytes } : judged(bytes, this.#bounds)
  }

  /** Decides about what has come so far; `undefined` to go on. */
  async #judge(): Promise<ReadBody | undefined> {
    if (this.#size > this.#bounds.limitBytes) return tooLarge
    const refused = await this.#take()
    if (refused !== undefined) return { kind: 'refused', room: refused }
    if (this.#size <= passingBytes) return undefined
    this.#outline ??= new JsonOutline()
    const excess = this.#scan(this.#outline)
    if (excess !== undefined) return unusable(excess)
    if (this.#mayPass(this.#outline))
      return { kind: 'passing', pieces: this.#takePieces(), outline: this.#outline }
    this.#gather()
    return undefined
  }

  #mayPass({ topKeys }: JsonOutline): boolean {
    const member = this.#bounds.passesFrom?.()
    return member !== undefined && topKeys.has(member)
  }

  async #take(): Promise<RefusedRoom | undefined> {
    this.#hold ??= this.#bounds.enter()
    const bytes = this.#size - this.#taken
    this.#taken = this.#size
    return this.#hold.take(bytes)
  }

  /** Reads what has come since, in the order of the text. */
  #scan(outline: JsonOutline): JsonExcess | undefined {
    let hasTooManyEvents = false
    for (const piece of this.#unscanned()) {
      outline.push(piece)
      hasTooManyEvents ||= this.#events.exceedsWith(piece)
    }
    this.#scanned = this.#size
    return hasTooManyEvents ? 'too-wide' : outline.excess
  }

  #unscanned(): readonly Uint8Array[] {
    if (this.#whole !== undefined) return [this.#whole.subarray(this.#scanned, this.#size)]
    const pieces: Uint8Array[] = []
    for (let at = this.#pieces.length - 1, from = this.#size; at >= 0 && from > this.#scanned; at -= 1) {
      const piece = this.#pieces[at]
      if (piece === undefined) break
      from -= piece.length
      pieces.unshift(piece)
    }
    return pieces
  }

  /** Puts the pieces of a long body of known length where they stay, once it will not pass. */
  #gather(): void {
    if (this.#whole !== undefined || this.#length === undefined) return
    const whole = Buffer.allocUnsafeSlow(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.#whole = whole
    this.#pieces = []
  }

  /** Takes the size from the pieces: the runtime's `fetch` may decode a body whose length it announces as it was sent. */
  #spread(whole: Uint8Array): void {
    this.#pieces = [whole.subarray(0, this.#size)]
    this.#whole = undefined
    this.#length = undefined
  }

  #takePieces(): readonly Uint8Array[] {
    return this.#whole === undefined ? this.#pieces : [this.#whole.subarray(0, this.#size)]
  }

  #bytes(): Uint8Array {
    if (this.#whole !== undefined) return this.#whole
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#size)
  }
}

/** The body of a response whose first piece has been read: that piece comes once more, before what follows it. */
export function openedBody(response: ResponseBody, opening: BodyPiece): ResponseBody {
  let first: BodyPiece | undefined = opening
  const takeFirst = () => {
    const piece = first
    first = undefined
    return piece
  }
  return {
    header: (name) => response.header(name),
    read: async () => takeFirst() ?? (await response.read()),
    async buffered(limit) {
      const piece = takeFirst()
      if (piece === undefined) return response.buffered(limit)
      const { value = nothing } = piece
      const rest = piece.done ? nothing : await response.buffered(Math.max(limit - value.length, 0))
      const size = value.length + (rest?.length ?? 0)
      return rest === undefined || size > limit ? undefined : Buffer.concat([value, rest], size)
    },
  }
}

const nothing = new Uint8Array()
