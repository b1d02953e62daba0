import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { parseRequestHead, RefusedRequestError } from './request-head.ts'
import { echo } from './test-support/applications.ts'
import { Call } from './test-support/call.ts'
import { get, message, post, postChunks } from './test-support/messages.ts'
import { parseResponses } from './test-support/responses.ts'

const refusals = [400, 408, 431, 505]

const samples = [
  get('/a?b=c', 'X-A: b', 'Connection: keep-alive'),
  post('/b', 'hello', 'Expect: 100-continue'),
  postChunks('/c', 'wide ', 'world'),
  'GET / HTTP/1.0\r\n\r\n',
  message('HEAD', 'http://a/d', ['Content-Length: 0', 'Connection: close']),
]
const sample = fc
  .array(fc.constantFrom(...samples), { minLength: 1, maxLength: 3 })
  .map((texts) => texts.join(''))
const telling = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ':',
  ' ',
  '\t',
  ';',
  ',',
  '0',
  '-1',
  '\xff',
  '\x16',
  'close',
]
const fields = [
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: b\r\n',
  'HTTP/1.1',
  'HTTP/2.0',
]
const piece = fc.oneof(
  fc.constantFrom(...telling, ...fields),
  fc.string({ unit: 'binary-ascii', maxLength: 4 }),
)
const edit = fc.record({ position: fc.nat(), removed: fc.nat(6), piece })
const positions = fc.array(fc.nat(), { maxLength: 4 })

/** A request with some of it replaced by what it should not have there. */
const mutated = fc.tuple(sample, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
  edits.reduce((text, { position, removed, piece }) => {
    const at = position % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + removed)
  }, text),
)

const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

function split(bytes: Buffer, positions: readonly number[]): readonly Buffer[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

/** Returns whether the first head in `text` is one; `undefined` while there is none. */
function isFirstAccepted(text: string): boolean | undefined {
  const start = text.search(/[^\r\n]/)
  const end = start === -1 ? -1 : text.indexOf('\r\n\r\n', start)
  if (end === -1) return undefined
  try {
    parseRequestHead(text.slice(start, end))
    return true
  } catch (error) {
    if (error instanceof RefusedRequestError) return false
    throw error
  }
}

/** Sends `text` in pieces to a server of its own, and gives what came of it. */
async function exposed(text: string, positions: readonly number[]) {
  const methods: string[] = []
  const call = new Call((request) => {
    methods.push(request.method)
    return echo(request)
  })
  await call.send(...split(Buffer.from(text, 'latin1'), positions))
  return { call, methods, responses: parseResponses(call.socket.sent, methods) }
}

async function expectUnharmed(text: string, positions: readonly number[]): Promise<void> {
  const { call, methods, responses } = await exposed(text, positions)
  const finals = responses.map(({ status }) => status).filter((status) => status >= 200)
  const refused = finals.filter((status) => refusals.includes(status))
  if (isFirstAccepted(text) !== true) {
    expect(methods).toEqual([])
    expect(finals).toEqual(refused)
  }
  if (isFirstAccepted(text) === false) expect(refused).toHaveLength(1)
  // Nothing follows a refusal, and every response belongs to a request.
  expect(refused.length).toBeLessThanOrEqual(1)
  if (refused.length > 0) expect(refusals).toContain(finals.at(-1) ?? 0)
  expect(finals.length).toBeLessThanOrEqual(methods.length + refused.length)
  const { length } = call.text
  await call.send(get('/after'))
  if (refused.length > 0) expect(call.text).toHaveLength(length)
  call.connection.closed()
}

/** A body that has come with its head is not asked for: whether there is an interim response depends on the splitting. */
function finals(text: string): string {
  return text.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
}

describe('whatever callers send', () => {
  it('is refused or waited for when it is noise', async () => {
    await fc.assert(fc.asyncProperty(noise, positions, expectUnharmed), { numRuns: 300 })
  })

  it('is served, refused or waited for when it is almost a request', async () => {
    await fc.assert(fc.asyncProperty(mutated, positions, expectUnharmed), { numRuns: 700 })
  })

  it('is the same wherever it was split', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, positions, async (text, positions) => {
        const buffered = await exposed(text, [])
        const pieces = await exposed(text, positions)
        const isOver = ({ call }: typeof buffered) => call.socket.calls.length > 0
        // A fault that is seen early may be refused before the application has been asked.
        if (![buffered, pieces].some(isOver))
          expect(finals(pieces.call.text)).toBe(finals(buffered.call.text))
        expect(isOver(pieces)).toBe(isOver(buffered))
      }),
      { numRuns: 300 },
    )
  })

  it('does nothing to another caller', async () => {
    const other = new Call(echo)
    await fc.assert(
      fc.asyncProperty(fc.oneof(noise, mutated), async (text) => {
        const before = other.socket.sent.length
        const [first = '', second = ''] = [
          post('/other', 'hello').slice(0, 30),
          post('/other', 'hello').slice(30),
        ]
        await other.send(first)
        await exposed(text, [])
        await other.send(second)
        expect(parseResponses(other.socket.sent.subarray(before))).toMatchObject([
          { body: 'POST /other hello' },
        ])
      }),
      { numRuns: 100 },
    )
    expect(other.socket.calls).toEqual([])
  })
})
