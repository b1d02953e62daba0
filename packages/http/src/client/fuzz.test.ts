import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import { Connection, type WaitingRequest } from './connection.ts'
import { httpTarget } from './http-message.ts'
import type { IncomingResponse } from './response-head.ts'

const target = httpTarget('http://a.example/', new Headers())

const samples = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhello',
]
const broken = ['\r', '\n', '\r\n', '\r\n\r\n', '\0', ':', ' ', ';', '0', '-1', '\xff', 'HTTP/1.1 200 OK']
const edit = fc.record({ position: fc.nat(), removed: fc.nat(6), piece: fc.constantFrom(...broken) })
const positions = fc.array(fc.nat(), { maxLength: 4 })

/** A response with some of it replaced by what it should not have there. */
const mutated = fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 })).map(([text, edits]) =>
  edits.reduce((text, { position, removed, piece }) => {
    const at = position % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + removed)
  }, text),
)

/** Returns the outcome of one request whose response comes in these pieces, before its server closes. */
async function outcomeOf(pieces: readonly Buffer[]): Promise<string> {
  let isReleased = false
  const connection = new Connection({
    released: () => {
      isReleased = true
    },
    closed: () => {},
  })
  connection.opened({ write: (data) => (data as Buffer).length, pause() {}, resume() {}, terminate() {} })
  let response: IncomingResponse | undefined
  let error: Error | undefined
  const waiting: WaitingRequest = {
    request: { target, method: 'POST', body: '' },
    responded: (started) => {
      response = started
    },
    failed: (failure) => {
      error = failure
    },
    foundStale: (failure) => {
      error = failure
    },
  }
  connection.send(waiting)
  for (const piece of pieces) connection.received(piece)
  connection.closed(undefined)
  const failure = error ?? (await Promise.resolve(response?.buffered(1000)).catch((thrown: Error) => thrown))
  if (failure instanceof Error) {
    expect([ConnectionLostError, MalformedMessageError].some((known) => failure instanceof known)).toBe(true)
    return failure.name
  }
  return `${response?.status} ${Buffer.from(failure ?? []).toString('latin1')} ${isReleased}`
}

function cut(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const ends = [...at.map((position) => position % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

describe('a response', () => {
  it('that is broken at random is read the same however it is split, or fails as promised', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, positions, async (text, at) => {
        const bytes = Buffer.from(text, 'latin1')
        const buffered = await outcomeOf([bytes])
        const split = await outcomeOf(cut(bytes, at))
        // Bytes behind a buffered response end the connection when they come with it, and later otherwise.
        expect(split.replace(/ (?:true|false)$/, '')).toBe(buffered.replace(/ (?:true|false)$/, ''))
      }),
      { numRuns: 500 },
    )
  })
})
