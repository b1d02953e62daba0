import { parseRequestHead, RefusedRequestError, type RequestHead } from './request-head.ts'

/** A head, and the bytes behind it. */
export interface ReadRequest {
  readonly head: RequestHead
  readonly rest: Buffer | undefined
}

const headEnd = Buffer.from('\r\n\r\n')
const bareHeadEnd = Buffer.from('\n\n')
const maxHeadBytes = 32 * 1024
const returnByte = 0x0d
const feedByte = 0x0a

/** Finds request heads in the bytes of a connection. */
export class RequestReader {
  /** Bytes of a head that has not come whole. */
  #partial: Buffer | undefined

  /** A head has begun to come. */
  get isPartial(): boolean {
    return this.#partial !== undefined
  }

  /** `undefined` while the head has not come whole. Throws `RefusedRequestError`. */
  read(bytes: Buffer): ReadRequest | undefined {
    const all = this.#partial === undefined ? bytes : Buffer.concat([this.#partial, bytes])
    this.#partial = undefined
    const start = lineBreaksBefore(all)
    const end = all.indexOf(headEnd, start)
    if (end - start > maxHeadBytes) throw tooLongHead()
    if (end !== -1) {
      const head = parseRequestHead(all.toString('latin1', start, end))
      const bodyStart = end + headEnd.length
      return { head, rest: bodyStart < all.length ? all.subarray(bodyStart) : undefined }
    }
    refuseBeginning(all, start)
    if (start < all.length) this.#partial = all.subarray(start)
    return undefined
  }

  forget(): void {
    this.#partial = undefined
  }
}

/** Some programs send a line break behind a body (RFC 9112 §2.2). */
function lineBreaksBefore(bytes: Buffer): number {
  let start = 0
  while (bytes[start] === returnByte || bytes[start] === feedByte) start += 1
  return start
}

function tooLongHead(): RefusedRequestError {
  return new RefusedRequestError(431, 'The request has too long a head')
}

const methodUnit = /[\w!#$%&'*+.^`|~-]/

/** Refuses bytes that can be seen not to become a head, instead of waiting for its end. */
function refuseBeginning(bytes: Buffer, start: number): void {
  if (bytes.length - start > maxHeadBytes) throw tooLongHead()
  const first = bytes[start]
  const isNoMethod = first !== undefined && !methodUnit.test(String.fromCharCode(first))
  if (isNoMethod || bytes.includes(bareHeadEnd, start))
    throw new RefusedRequestError(400, 'The request is not HTTP/1.1')
}
