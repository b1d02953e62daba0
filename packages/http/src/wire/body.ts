/** How the end of a body is known: by its length in bytes, by its chunks, or by the end of the connection. */
export type BodyFraming = number | 'chunked' | 'until-close'

/** The next bytes of a body, or its end. */
export type BodyPiece =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined }

export type WholeBody = Uint8Array | undefined

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
  /** As `read`, but tells `taker`, once, and at once when there is something to tell: no promise for each piece. */
  next(taker: BodyListener): void
  /** The whole body, at once when it has come; `undefined`, and no more is read, when it is longer than `limit` bytes. */
  whole(limit: number): WholeBody | Promise<WholeBody>
}

/** What came is not HTTP/1.1 as RFC 9112 has it, or goes past a limit. Nothing of it is to be believed. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError'
}

/** The connection ended, or was ended by us, before the message was whole. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

/** Tells `taker` what was read. */
export function tell(reading: Promise<BodyPiece>, taker: BodyListener): void {
  reading.then(
    ({ value }) => (value === undefined ? taker.ended() : taker.piece(value)),
    (error) => taker.failed(error),
  )
}

/** Pieces up to the end put together; `undefined`, after `cut`, when they are more than `limit` bytes. */
export async function gather(
  body: Pick<ReadableBody, 'read'>,
  limit: number,
  cut: () => void,
): Promise<WholeBody> {
  const gathered: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await body.read()
    if (done) return Buffer.concat(gathered, size)
    size += value.length
    if (size > limit) {
      cut()
      return undefined
    }
    gathered.push(value)
  }
}
