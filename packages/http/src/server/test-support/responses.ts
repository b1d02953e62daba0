import { headersOf, parseResponseHead } from '../../client/response-head.ts'
import { createBodyDecoder } from '../../wire/body-decoder.ts'

/** A response as a caller sees it. */
export interface ParsedResponse {
  readonly status: number
  readonly headers: Headers
  /** Text in Latin-1. */
  readonly body: string
  readonly isComplete: boolean
}

/**
 * Parses responses out of `bytes` with the client's own parser. Throws when they hold anything else.
 * @param methods of the requests: a response to `HEAD` has no body
 */
export function parseResponses(bytes: Buffer, methods: readonly string[] = []): readonly ParsedResponse[] {
  const responses: ParsedResponse[] = []
  let rest = bytes
  let finals = 0
  while (rest.length > 0) {
    const [response, size] = parseResponse(rest, methods[finals] === 'HEAD')
    responses.push(response)
    rest = rest.subarray(size)
    if (response.status >= 200) finals += 1
  }
  return responses
}

function parseResponse(bytes: Buffer, isSilent: boolean): readonly [ParsedResponse, number] {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) throw new Error(`no head of an answer: ${bytes.toString('latin1', 0, 200)}`)
  const head = parseResponseHead(bytes.toString('latin1', 0, headEnd))
  const decoder = createBodyDecoder(isSilent ? 0 : head.framing)
  const body: Buffer[] = []
  const taken = decoder.done ? 0 : decoder.push(bytes.subarray(headEnd + 4), body)
  const response = {
    status: head.status,
    headers: new Headers([...headersOf(head)]),
    body: Buffer.concat(body).toString('latin1'),
    isComplete: decoder.done,
  }
  return [response, headEnd + 4 + taken]
}
