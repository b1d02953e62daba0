/** Receives the parts of a form, in their order. */
export interface FormSink {
  /** Begins a part. */
  part(head: PartHead): void
  /** More of the part that began last. The bytes are not written to again. */
  data(bytes: Uint8Array): void
}

/** The header of a part. Missing texts are empty. */
export interface PartHead {
  readonly name: string
  /** `undefined` for a part that is not a file. */
  readonly fileName: string | undefined
  readonly contentType: string
}

/** The form breaks RFC 7578. The message tells its sender what to change. */
export class FormFault extends Error {
  override readonly name = 'FormFault'
}

const maxHeadBytes = 16 * 1024
const maxParts = 128
const crlf = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** State of the scanner: before a part's head, in its head, in its content, or behind the last part. */
type State = 'boundary' | 'head' | 'content' | 'over'

/**
 * Splits `multipart/form-data` into its parts as the bytes arrive, however they are split: it buffers at most a boundary or a
 * part's head. https://www.rfc-editor.org/rfc/rfc7578
 */
export class FormScanner {
  readonly #sink: FormSink
  readonly #delimiter: Buffer
  #state: State = 'content'
  /** Bytes before the first boundary are ignored. */
  #isPreamble = true
  #parts = 0
  /** Undecided bytes. They start with a line break, because the first boundary may be at the very start. */
  #rest: Buffer = crlf

  constructor(boundary: string, sink: FormSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#sink = sink
  }

  /** @throws FormFault */
  push(bytes: Uint8Array): void {
    this.#rest =
      this.#rest.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        : Buffer.concat([this.#rest, bytes])
    while (this.#step());
  }

  /** @throws FormFault when the form is incomplete */
  end(): void {
    if (this.#state !== 'over')
      throw new FormFault('the form is not whole: its last boundary is missing, send the request again')
  }

  /** Takes a step where enough has come for one. */
  #step(): boolean {
    switch (this.#state) {
      case 'content':
        return this.#readContent()
      case 'boundary':
        return this.#readBoundary()
      case 'head':
        return this.#readHead()
      case 'over':
        this.#rest = Buffer.alloc(0)
        return false
    }
  }

  #readContent(): boolean {
    const position = this.#rest.indexOf(this.#delimiter)
    // A boundary may start at the end of the received bytes.
    const end = position < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : position
    if (end > 0 && !this.#isPreamble) this.#sink.data(this.#rest.subarray(0, end))
    this.#rest = this.#rest.subarray(position < 0 ? end : end + this.#delimiter.length)
    if (position < 0) return false
    this.#isPreamble = false
    this.#state = 'boundary'
    return true
  }

  /** Behind a boundary: the end of its line, or two dashes for the end of the form. */
  #readBoundary(): boolean {
    if (this.#rest.length < 2) return false
    if (this.#rest[0] === 0x2d && this.#rest[1] === 0x2d) {
      this.#state = 'over'
      return true
    }
    const line = this.#rest.indexOf(crlf)
    if (line < 0) return this.#wait('a boundary of the form is followed by something else')
    this.#rest = this.#rest.subarray(line + crlf.length)
    this.#state = 'head'
    return true
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(headEnd)
    if (end < 0) return this.#wait('the head of a part of the form is too long')
    const head = readHead(this.#rest.subarray(0, end).toString('utf8'))
    this.#parts += 1
    if (this.#parts > maxParts) throw new FormFault(`the form has more than ${maxParts} parts: send fewer`)
    this.#rest = this.#rest.subarray(end + headEnd.length)
    this.#sink.part(head)
    this.#state = 'content'
    return true
  }

  #wait(fault: string): boolean {
    if (this.#rest.length > maxHeadBytes) throw new FormFault(fault)
    return false
  }
}

function readHead(text: string): PartHead {
  const fields = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const disposition = fields.get('content-disposition') ?? ''
  const parameters = parametersOf(disposition)
  const name = parameters.get('name')
  if (!/^form-data\b/i.test(disposition) || name === undefined)
    throw new FormFault('a part of the form has no name: send Content-Disposition: form-data; name="…"')
  const fileName = parameters.get('filename') ?? extendedText(parameters.get('filename*'))
  return { name, fileName, contentType: fields.get('content-type') ?? '' }
}

/** A name and its value, which is read as a whole: quoted ones may hold what looks like another parameter. */
const parameter = /[;\s]([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/g

/** The parameters of a disposition by name, each as it stands first. Quotes are escaped by a backslash, or as `%22` by browsers. */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const found = [...disposition.matchAll(parameter)].reverse()
  return new Map(
    found.map(([, name = '', quoted, bare = '']) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1').replaceAll('%22', '"') ?? bare,
    ]),
  )
}

/** A text in the form of RFC 5987, which some libraries send alone for a name that is not ASCII: `utf-8''%C3%A4.mp3`. */
function extendedText(encoded: string | undefined): string | undefined {
  const text = encoded?.replace(/^[^']*'[^']*'/, '')
  try {
    return text && decodeURIComponent(text)
  } catch {
    return text
  }
}

const boundaryOf = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i

/**
 * The boundary that a form's content type names.
 * @throws FormFault
 */
export function formBoundary(contentType: string): string {
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new FormFault('the request body must be a form: send it as multipart/form-data')
  const found = boundaryOf.exec(contentType)
  const boundary = found?.[1] ?? found?.[2]
  if (boundary === undefined)
    throw new FormFault('the form names no boundary: let your HTTP library set the Content-Type')
  return boundary
}
