/** Mark of the end of a body: by its length in bytes, by its chunks, or by the end of the connection. */
export type BodyFraming = number | 'chunked' | 'until-close'

/** The next bytes of a body, or its end. */
export type BodyPiece =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined }

/** A body as one piece; `undefined` when it is longer than its limit. */
export type BufferedBody = Uint8Array | undefined

/** Receives the pieces of a body without a promise for each. None of these may throw. */
export interface BodyListener {
  piece(bytes: Uint8Array): void
  /** The body is complete. */
  ended(): void
  /** @param error as `read` throws it */
  failed(error: unknown): void
}

/** A body on its way. The application reads it once, piece by piece or buffered. */
export interface ReadableBody {
  /** The bytes received since the last read, in one piece. Throws `ConnectionLostError` or `MalformedMessageError`. */
  read(): Promise<BodyPiece>
  /** Like `read`, but calls `listener` once, without a promise: at once when bytes or the end have already arrived. */
  next(listener: BodyListener): void
  /** The complete body, without a promise when it has arrived; `undefined`, and no further read, above `limit` bytes. */
  buffered(limit: number): BufferedBody | Promise<BufferedBody>
}

/** The message violates HTTP/1.1 (RFC 9112) or exceeds a limit. None of it can be trusted. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError'
}

/** The connection ended, from either side, before the message was complete. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

/** Passes the result of a read to `listener`. */
export function notify(reading: Promise<BodyPiece>, listener: BodyListener): void {
  reading.then(
    ({ value }) => (value === undefined ? listener.ended() : listener.piece(value)),
    (error) => listener.failed(error),
  )
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
