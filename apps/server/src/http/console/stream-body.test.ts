import { afterAll, afterEach, describe, expect, it } from 'bun:test'
import type { Call } from '@tollgate/api'
import { monotonicClock } from '@tollgate/base'
import { RefusedRequestError, replyByFetch, serveHttp } from '@tollgate/http/server'
import { sendBytes, type Wire } from '../../../../../tests/support/network/raw-connection.ts'
import { until } from '../../../../../tests/support/until.ts'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import { refusedRequest } from '../error-response.ts'
import { route, type StreamResult } from './route.ts'
import { consoleFixture } from './test-support/console-fixture.ts'
import { streamBody } from './write-response.ts'

const call = {
  method: 'GET',
  path: '/api/sample/export',
  access: 'public',
  recentProof: 'reads',
  response: 'stream',
} as const satisfies Call

let stop = async () => {}
let wire: Wire | undefined
afterEach(async () => {
  wire?.socket.destroy()
  await stop()
})
afterAll(closeTestStores)

/** A console on a socket, whose one call streams this. */
async function serveStream(stream: StreamResult['stream']): Promise<string> {
  const response = { stream, contentType: 'text/csv', filename: 'logs.csv' }
  const { app } = await consoleFixture({ routes: [route(call, async () => response)] })
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    idleMs: 10_000,
    clock: monotonicClock,
    application: (sender) => replyByFetch(sender, (request) => app.fetch(request, { sender })),
    refusal: refusedRequest,
    fault: (error) => refusedRequest(new RefusedRequestError(400, String(error))),
  })
  stop = async () => {
    server.cut()
    await server.stop()
  }
  return `http://127.0.0.1:${server.port}`
}

const get = `GET ${call.path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a streamed response', () => {
  it('is sent while it is made, as a file', async () => {
    const gate = Promise.withResolvers<void>()
    const url = await serveStream(
      (async function* () {
        yield 'id,quota\n'
        await gate.promise
        yield '1,2\n'
      })(),
    )
    wire = sendBytes(url, get)
    const { heard } = wire
    await until(() => (heard().includes('id,quota\n') ? true : undefined))
    expect(heard()).toContain('transfer-encoding: chunked')
    expect(heard()).toContain('content-disposition: attachment; filename="logs.csv"')
    expect(heard()).not.toContain('1,2\n')
    gate.resolve()
    await until(() => (heard().endsWith('\r\n0\r\n\r\n') ? true : undefined))
    expect(heard()).toContain('1,2\n')
  })

  it('is made no faster than the caller takes it, and ended when the caller hangs up', async () => {
    let made = 0
    let ended = false
    const url = await serveStream(
      (async function* () {
        try {
          for (;;) {
            made += 1
            yield new Uint8Array(64 * 1024)
          }
        } finally {
          ended = true
        }
      })(),
    )
    wire = sendBytes(url, get, false)
    let before = -1
    await until(async () => {
      const isStill = made > 0 && made === before
      before = made
      await Bun.sleep(100)
      return isStill ? true : undefined
    })
    // What the sockets of both sides hold; an unbounded source would be at thousands.
    expect(made).toBeLessThan(200)
    expect(ended).toBe(false)
    wire.socket.destroy()
    await until(() => (ended ? true : undefined))
    expect(made).toBeLessThan(200)
  })

  it('ends a source that waits, when the caller hangs up', async () => {
    let cancelled = false
    const url = await serveStream(
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('first')),
        pull: () => new Promise(() => {}),
        cancel() {
          cancelled = true
        },
      }),
    )
    wire = sendBytes(url, get)
    const { heard, socket } = wire
    await until(() => (heard().includes('first') ? true : undefined))
    socket.destroy()
    await until(() => (cancelled ? true : undefined))
  })

  it('that fails in the middle is cut off, so that no client takes it for complete', async () => {
    const url = await serveStream(
      (async function* () {
        yield 'first'
        throw new Error('the database went away')
      })(),
    )
    wire = sendBytes(url, get)
    await wire.closed
    expect(wire.heard()).toContain('first')
    expect(wire.heard()).not.toEndWith('0\r\n\r\n')
  })
})

describe('answerStream', () => {
  it('takes a reader that goes while a piece is made for no fault', async () => {
    const errors: unknown[] = []
    const gate = Promise.withResolvers<void>()
    let ended = false
    const source = (async function* () {
      try {
        await gate.promise
        yield 'late'
      } finally {
        ended = true
      }
    })()
    const reader = streamBody({ contentType: 'text/csv', stream: source }, (error) =>
      errors.push(error),
    ).getReader()
    const reading = reader.read()
    await Bun.sleep(0)
    const cancelling = reader.cancel()
    gate.resolve()
    await Promise.all([reading, cancelling])
    await until(() => (ended ? true : undefined))
    expect(errors).toEqual([])
  })

  it('pulls nothing before a reader does, and reports a source that fails', async () => {
    let requested = 0
    const errors: unknown[] = []
    const fault = new Error('oh')
    const stream = streamBody(
      {
        contentType: 'text/csv',
        stream: (async function* () {
          requested += 1
          yield 'a'
          throw fault
        })(),
      },
      (error) => errors.push(error),
    )
    await Bun.sleep(1)
    expect(requested).toBe(0)
    await expect(new Response(stream).text()).rejects.toThrow('oh')
    expect(errors).toEqual([fault])
  })
})
