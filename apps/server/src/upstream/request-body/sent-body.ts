/** An outgoing form: its bytes are made while it is sent, and anew for every attempt. */
export interface FormBody {
  readonly contentType: string
  /** Total bytes. */
  readonly length: number
  pieces(): AsyncIterable<Uint8Array>
}

/** JSON as text or as UTF-8, in pieces where concatenating them would copy megabytes; or a form. */
export type SentBody = string | Uint8Array | readonly (string | Uint8Array)[] | FormBody

export function isForm(body: SentBody): body is FormBody {
  return typeof body === 'object' && 'pieces' in body
}

/** The body as one text. @throws TypeError for a form, which has none */
export function sentText(body: SentBody): string {
  if (typeof body === 'string') return body
  if (isForm(body)) throw new TypeError('a form has no text')
  return sentBytes(body).toString()
}

/** Converts to bytes: texts would be concatenated first. */
function sentBytes(body: Exclude<SentBody, string | FormBody>): Buffer {
  return Buffer.concat(body instanceof Uint8Array ? [body] : bytesOfPieces(body))
}

/** Bytes are sent as they are. */
export function bytesOfPieces(pieces: readonly (string | Uint8Array)[]): readonly Uint8Array[] {
  return pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
}
