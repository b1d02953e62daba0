/** The next bytes of a body, or its end. */
export type BodyPiece =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined }

/** Who is told of a body instead of waiting for it. None of these may throw. */
export interface BodyTaker {
  piece(bytes: Uint8Array): void
  /** The body is whole. */
  ended(): void
  /** @param error as `read` throws it */
  failed(error: unknown): void
}

/** An answer whose head has come. Its body is read once, piece by piece or whole. */
export interface HttpAnswer {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  headers(): Record<string, string>
  /** What has come since, in one piece. Throws `ConnectionLostError` or `MalformedAnswerError`. */
  read(): Promise<BodyPiece>
  /** As `read`, but tells `taker`, once, and at once when there is something to tell: no promise for each piece. */
  next(taker: BodyTaker): void
  /**
   * The whole body, at once when it has come; `undefined`, and the connection is cut, when it is longer than `limit`
   * bytes. Throws as `read`.
   */
  whole(limit: number): WholeBody | Promise<WholeBody>
}

export type WholeBody = Uint8Array | undefined

/** A request on its way. */
export interface HttpExchange {
  /** Rejects when no answer comes, whatever the reason. */
  readonly answer: Promise<HttpAnswer>
  /** Cuts the connection at once, unless the answer has come whole. What still waits for it throws. */
  abort(): void
}

/** What came back is not HTTP/1.1 as RFC 9112 has it, or goes past a limit. Nothing of it is to be believed. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'
}

/** No connection was made, or none that can be trusted. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
}

/** The connection ended, or was ended by us, before the answer was whole. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

/** Tells `taker` what was read. */
export function tell(reading: Promise<BodyPiece>, taker: BodyTaker): void {
  reading.then(
    ({ value }) => (value === undefined ? taker.ended() : taker.piece(value)),
    (error) => taker.failed(error),
  )
}

/** Pieces up to the end put together; `undefined`, after `cut`, when they are more than `limit` bytes. */
export async function gather(
  answer: Pick<HttpAnswer, 'read'>,
  limit: number,
  cut: () => void,
): Promise<WholeBody> {
  const gathered: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await answer.read()
    if (done) return Buffer.concat(gathered, size)
    size += value.length
    if (size > limit) {
      cut()
      return undefined
    }
    gathered.push(value)
  }
}
