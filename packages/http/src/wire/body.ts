/** How the end of a body is known: by its length in bytes, by its chunks, or by the end of the connection. */
export type BodyFraming = number | 'chunked' | 'until-close'

/** The next bytes of a body, or its end. */
export type BodyPiece =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined }

/** A body as one piece; `undefined` when it is longer than its limit. */
export type BufferedBody = Uint8Array | undefined

/** Who is told of a body instead of waiting for it. None of these may throw. */
export interface BodyListener {
  piece(bytes: Uint8Array): void
  /** The body is whole. */
  ended(): void
  /** @param error as `read` throws it */
  failed(error: unknown): void
}

/** A body on its way. It is read once, piece by piece or whole. */
export interface ReadableBody {
  /** What has come since, in one piece. Throws `ConnectionLostError` or `MalformedMessageError`. */
  read(): Promise<BodyPiece>
  /** As `read`, but tells `listener`, once, and at once when there is something to tell: no promise for each piece. */
  next(listener: BodyListener): void
  /** The whole body, at once when it has come; `undefined`, and no more is read, when it is longer than `limit` bytes. */
  buffered(limit: number): BufferedBody | Promise<BufferedBody>
}

/** What came is not HTTP/1.1 as RFC 9112 has it, or goes past a limit. Nothing of it is to be believed. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError'
}

/** The connection ended, or was ended by us, before the message was whole. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

/** Tells `listener` what was read. */
export function notify(reading: Promise<BodyPiece>, listener: BodyListener): void {
  reading.then(
    ({ value }) => (value === undefined ? listener.ended() : listener.piece(value)),
    (error) => listener.failed(error),
  )
}

/** Reads a body whose length was told into one buffer of this size: its pieces need not be kept until its end. */
export async function readSized(body: Pick<ReadableBody, 'read'>, length: number): Promise<Uint8Array> {
  // Memory that is not written to is none: a sender who promises much and sends nothing costs nothing.
  const buffered = Buffer.allocUnsafeSlow(length)
  let size = 0
  for (;;) {
    const { done, value } = await body.read()
    if (done) return buffered
    buffered.set(value, size)
    size += value.length
  }
}

/** Reads to the end; `undefined`, after `abort`, when there are more than `limit` bytes. */
export async function readBuffered(
  body: Pick<ReadableBody, 'read'>,
  limit: number,
  abort: () => void,
): Promise<BufferedBody> {
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await body.read()
    if (done) return Buffer.concat(pieces, size)
    size += value.length
    if (size > limit) {
      abort()
      return undefined
    }
    pieces.push(value)
  }
}
