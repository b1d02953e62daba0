import { isObject, type JsonObject, type JsonScan, parseJson, type RequestText } from '@tollgate/formats'

/** Above this a parsed body may be collected while its call goes on: images in it are megabytes, and are there twice. */
const keptLength = 1024 * 1024

/** A JSON body with its members as parsed. Those of a large one are kept only until memory is wanted. */
export class ParsedText implements RequestText {
  readonly text: string
  readonly scan: JsonScan
  #body: JsonObject | WeakRef<JsonObject>

  constructor(text: string, scan: JsonScan, body: JsonObject) {
    this.text = text
    this.scan = scan
    this.#body = text.length > keptLength ? new WeakRef(body) : body
  }

  get isLarge(): boolean {
    return this.#body instanceof WeakRef
  }

  get body(): JsonObject {
    if (!(this.#body instanceof WeakRef)) return this.#body
    const kept = this.#body.deref()
    if (kept !== undefined) return kept
    const parsed = parseJson(this.text)
    // It was an object when it came.
    const body: JsonObject = isObject(parsed) ? parsed : {}
    this.#body = new WeakRef(body)
    return body
  }
}
