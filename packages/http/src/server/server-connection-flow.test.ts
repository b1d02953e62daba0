import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import type { BodySink } from './reply.ts'
import { echo, ManualApplication, ManualBody, streamed } from './test-support/applications.ts'
import { Call, nextTurn, settled, textReply } from './test-support/call.ts'
import { get, message, post } from './test-support/messages.ts'

setDefaultTimeout(deadline(20_000))

const kilobyte = 1024
const everything = Number.POSITIVE_INFINITY
const patterned = (size: number) => Buffer.alloc(size, 'The quick brown fox. ').toString('latin1')

/** A connection whose caller takes only so many bytes each time, and then everything. */
function slowly(application: ConstructorParameters<typeof Call>[0], takes: readonly number[]): Call {
  const call = new Call(application)
  let turn = 0
  call.socket.takes = (offered) => takes[turn++] ?? offered
  return call
}

/** Responds to `GET` with a streamed body, which has begun. */
async function started(): Promise<{ call: Call; source: ManualBody }> {
  const source = new ManualBody()
  const call = new Call(async () => streamed((sink) => source.pipe(sink)))
  await call.send(get('/a'))
  return { call, source }
}

/** Writes each piece once the caller has taken those before it; `told` is how much was written by then. */
function sendInTurn(
  pieces: readonly (readonly string[])[],
  last: string,
  reported: (written: number) => void,
) {
  return (sink: BodySink): void => {
    let written = 0
    const sendFrom = (index: number): void => {
      const piece = pieces[index]
      if (piece === undefined) {
        sink.end(last)
        return
      }
      written += piece.join('').length
      if (sink.write(piece.map((text) => Buffer.from(text, 'latin1')))) {
        sendFrom(index + 1)
        return
      }
      sink.whenDrained(() => {
        reported(written)
        sendFrom(index + 1)
      })
    }
    sendFrom(0)
  }
}

const counting = (served: string[]) => async (request: { readonly target: string }) => {
  served.push(request.target)
  return textReply(request.target)
}

describe('a caller that takes its response slowly', () => {
  const takes = fc.array(fc.oneof(fc.nat(5), fc.nat(200), fc.nat(100 * kilobyte)), { maxLength: 30 })
  const size = fc.oneof(
    fc.nat(10),
    fc.nat(2 * kilobyte),
    fc.integer({ min: 60, max: 140 }).map((n) => n * kilobyte),
  )

  it('gets buffered responses without loss, whatever it takes at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 3 }), takes, async (sizes, taken) => {
        const call = slowly(async ({ target }) => textReply(patterned(Number(target.slice(1)))), taken)
        await call.send(sizes.map((size) => get(`/${size}`)).join(''))
        await call.take()
        expect(call.bodies.map((body) => body.length)).toEqual(sizes)
        expect(call.bodies.every((body, index) => body === patterned(sizes[index] ?? 0))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('gets streamed responses without loss, and they go on once everything was taken', async () => {
    const piece = fc.array(fc.oneof(fc.constant(''), size.map(patterned)), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), takes, async (pieces, taken) => {
        let isDoubtful = false
        const pipe = sendInTurn(pieces, 'end', (written) => {
          const sent = call.bodies.at(-1)?.length
          isDoubtful ||= sent !== written
        })
        const call: Call = slowly(async () => streamed(pipe), taken)
        await call.send(get() + get())
        await call.take()
        const buffered = `${pieces.flat().join('')}end`
        expect(isDoubtful).toBe(false)
        expect(call.responses().map(({ body, isComplete }) => isComplete && body === buffered)).toEqual([
          true,
          true,
        ])
      }),
      { numRuns: 60 },
    )
  })

  it('is waited for: a streamed response pauses, and resumes', async () => {
    const { call, source } = await started()
    let reported = 0
    call.socket.takes = () => 10
    expect(source.write('a'.repeat(100))).toBe(false)
    source.sink.whenDrained(() => (reported += 1))
    call.connection.writable()
    expect(reported).toBe(0)
    call.socket.takes = (offered) => offered
    call.connection.writable()
    expect(reported).toBe(1)
    expect(source.write('b')).toBe(true)
    call.connection.writable()
    expect(reported).toBe(1)
    source.sink.end('')
    expect(call.bodies).toEqual([`${'a'.repeat(100)}b`])
  })

  it('is waited for also where there is nothing to write', async () => {
    const { call, source } = await started()
    call.socket.takes = () => 10
    source.write('a'.repeat(100))
    expect(source.write('')).toBe(false)
    expect(source.write()).toBe(false)
  })

  it('is not waited for when it had already taken everything', async () => {
    const { call, source } = await started()
    let reported = 0
    call.socket.takes = () => 10
    source.write('a'.repeat(100))
    call.socket.takes = (offered) => offered
    await call.take()
    source.sink.whenDrained(() => (reported += 1))
    await settled()
    expect(reported).toBe(1)
  })

  it('gets what was written although it was not waited for', async () => {
    const { call, source } = await started()
    call.socket.takes = (offered) => Math.min(offered, 7)
    const texts = ['one', patterned(70 * kilobyte), '', 'two', patterned(3 * kilobyte)]
    for (const text of texts) source.write(text)
    source.sink.end('end')
    call.socket.takes = (offered) => Math.ceil(offered / 2)
    await call.take()
    expect(call.responses()).toMatchObject([{ body: `${texts.join('')}end`, isComplete: true }])
  })

  it('gets what was said, although it was said in memory that is used again', async () => {
    const { call, source } = await started()
    call.socket.takes = () => 0
    source.write('first')
    const other = new Call(echo)
    await other.send(post('/b', 'x'.repeat(kilobyte)))
    call.socket.takes = (offered) => offered
    await call.take()
    source.sink.end('')
    expect(call.bodies).toEqual(['first'])
  })

  it('gets the next response after this one only', async () => {
    const call = new Call(echo)
    call.socket.takes = () => 3
    await call.send(get('/a') + get('/b'))
    await call.send(get('/c'))
    expect(call.text).toBe('HTT')
    await call.take()
    expect(call.bodies).toEqual(['GET /a ', 'GET /b ', 'GET /c '])
  })
})

describe('a streamed response', () => {
  it('is sent in chunks, one for each write, its head with the first', async () => {
    const { call, source } = await started()
    expect(call.text).toBe('')
    source.write('hello ', 'world')
    expect(call.text.slice(call.text.indexOf('\r\n\r\n'))).toBe('\r\n\r\nb\r\nhello world\r\n')
    source.sink.end('日本')
    const last = Buffer.from('6\r\n日本\r\n0\r\n\r\n').toString('latin1')
    expect(call.text.endsWith(`\r\n${last}`)).toBe(true)
    expect(call.responses()[0]?.headers.get('transfer-encoding')).toBe('chunked')
  })

  it('is not ended by an empty piece', async () => {
    const { call, source } = await started()
    expect(source.write()).toBe(true)
    expect(source.write('', '')).toBe(true)
    source.write('a')
    source.write('')
    source.write('b')
    source.sink.end('')
    expect(call.responses()).toMatchObject([{ body: 'ab', isComplete: true }])
  })

  it('may be nothing but its end', async () => {
    const { call, source } = await started()
    source.sink.end('')
    expect(call.responses()).toMatchObject([{ body: '', isComplete: true }])
  })

  it('takes nothing once it is over, and the connection is free for the next', async () => {
    const { call, source } = await started()
    const sink = source.sink
    sink.end('first')
    await call.send(get('/b'))
    expect(sink.write([Buffer.from('late')])).toBe(false)
    sink.end('late')
    sink.abort()
    source.sink.end('second')
    expect(call.bodies).toEqual(['first', 'second'])
    expect(call.socket.calls).toEqual([])
  })

  it.each([1, 63, 64, 65, 1000])('may have a piece of %d KiB', async (size) => {
    const { call, source } = await started()
    const text = patterned(size * kilobyte)
    source.write(text)
    source.sink.end(text)
    expect(call.responses().map(({ body, isComplete }) => isComplete && body === text + text)).toEqual([true])
  })
})

describe('a buffered response', () => {
  it.each([0, 1, 63, 64, 65, 1000])('may have %d KiB, as text or as bytes', async (size) => {
    const text = patterned(size * kilobyte)
    for (const body of [text, new Uint8Array(Buffer.from(text))]) {
      const call = new Call(async () => ({ ...textReply(''), body }))
      await call.send(get() + get())
      expect(call.responses().map((response) => response.isComplete && response.body === text)).toEqual([
        true,
        true,
      ])
    }
  })

  it('has its length in bytes', async () => {
    const call = new Call(async () => textReply('日本😀é'))
    await call.send(get())
    expect(Buffer.from(call.bodies[0] ?? '', 'latin1').toString()).toBe('日本😀é')
    expect(call.responses()[0]?.headers.get('content-length')).toBe('12')
  })
})

describe('a caller that sends more than is read', () => {
  it('is not read any further when it sends 64 KiB of requests ahead, until they are due', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    const ahead = Array.from({ length: 9 }, (_, index) => post(`/${index}`, 'x'.repeat(8 * kilobyte)))
    await call.send(get('/first'))
    await call.send(...ahead.slice(0, 7))
    expect(call.socket.isPaused).toBe(false)
    await call.send(...ahead.slice(7))
    expect(call.socket.isPaused).toBe(true)
    for (let index = 0; index < 10; index += 1) {
      manual.response(textReply('ok'), index)
      await call.send()
    }
    expect(call.socket.isPaused).toBe(false)
    expect(manual.targets).toEqual(['/first', ...ahead.map((_, index) => `/${index}`)])
    expect(call.statuses).toEqual(Array(10).fill(200))
    await call.send(get('/last'))
    expect(manual.targets.at(-1)).toBe('/last')
  })

  it('is answered all of it when it comes at once', async () => {
    const call = new Call(echo)
    const requests = Array.from({ length: 3000 }, (_, index) => get(`/${index}`))
    await call.send(requests.join(''))
    expect(call.bodies).toHaveLength(3000)
    expect(call.bodies.at(-1)).toBe('GET /2999 ')
    expect(call.socket.isPaused).toBe(false)
  })

  it('stops being read while the application does not read its body', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    const part = 'x'.repeat(64 * kilobyte)
    await call.send(message('POST', '/', [`Content-Length: ${6 * part.length}`]), part, part, part, part)
    expect(call.socket.isPaused).toBe(false)
    await call.send(part)
    expect(call.socket.isPaused).toBe(true)
    const body = manual.request().buffered(everything)
    expect(call.socket.isPaused).toBe(false)
    await call.send(part)
    expect((await body)?.length).toBe(6 * part.length)
  })

  it('is read on while the application does not read its body, once the body is complete', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(post('/a', 'x'.repeat(300 * kilobyte)))
    expect(call.socket.isPaused).toBe(false)
    manual.response(textReply('ok'))
    await call.send(get('/b'))
    expect(manual.targets).toEqual(['/a', '/b'])
  })
})

describe('requests that are sent ahead', () => {
  it('are served one in a turn of the event loop', async () => {
    const served: string[] = []
    const call = new Call(counting(served))
    call.connection.received(Buffer.from(Array.from({ length: 5 }, (_, index) => get(`/${index}`)).join('')))
    for (let turn = 1; turn <= 5; turn += 1) {
      await nextTurn()
      expect(served.length).toBeLessThanOrEqual(turn + 1)
    }
    await settled()
    expect(served).toEqual(['/0', '/1', '/2', '/3', '/4'])
  })

  it('do not let those that come meanwhile overtake them', async () => {
    const served: string[] = []
    const call = new Call(counting(served))
    call.connection.received(Buffer.from(get('/a') + get('/b')))
    await Promise.resolve()
    await Promise.resolve()
    call.connection.received(Buffer.from(get('/c')))
    await settled()
    expect(served).toEqual(['/a', '/b', '/c'])
  })

  it('leave a turn to every other connection', async () => {
    const order: string[] = []
    const flood = new Call(async () => {
      order.push('flood')
      return textReply('')
    })
    const other = new Call(async () => {
      order.push('other')
      return textReply('')
    })
    flood.connection.received(Buffer.from(get().repeat(500)))
    await nextTurn()
    other.connection.received(Buffer.from(get()))
    await nextTurn()
    expect(order.indexOf('other')).toBeLessThan(4)
    await settled()
    expect(order.length).toBe(501)
  })

  it('are not read while a response is not taken', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    call.socket.takes = () => 10
    await call.send(get('/a'))
    manual.response(textReply('an answer that is not taken'))
    await settled()
    await call.send(get('/b'))
    expect(call.socket.isPaused).toBe(true)
    expect(manual.targets).toEqual(['/a'])
    call.socket.takes = (offered) => offered
    await call.take()
    expect(call.socket.isPaused).toBe(false)
    expect(manual.targets).toEqual(['/a', '/b'])
  })

  it('are not read while a streamed response is not taken, and read again when it is', async () => {
    const manual = new ManualApplication()
    const source = new ManualBody()
    const call = new Call(manual.application)
    await call.send(get('/a'))
    manual.response(streamed((sink) => source.pipe(sink)))
    await settled()
    call.socket.takes = () => 10
    source.write('a piece that is not taken at once')
    await call.send(get('/b'))
    expect(call.socket.isPaused).toBe(true)
    call.socket.takes = (offered) => offered
    await call.take()
    expect(call.socket.isPaused).toBe(false)
  })

  it('end with their connection when it breaks, although it is not read', async () => {
    const call = new Call(async () => textReply('x'))
    call.connection.received(Buffer.from(get().repeat(5000)))
    expect(call.socket.isPaused).toBe(true)
    call.socket.isBroken = true
    await settled()
    expect(call.socket.calls).toContain('terminate')
    expect(call.connection.isServing).toBe(true)
    call.connection.closed()
    expect(call.connection.isServing).toBe(false)
  })

  it('are not read without end while they wait to be served', async () => {
    const call = new Call(async () => textReply(''))
    const flood = Buffer.from(get().repeat(20_000))
    call.connection.received(flood)
    expect(call.socket.isPaused).toBe(true)
    await settled()
    expect(call.socket.isPaused).toBe(false)
    expect(call.statuses.length).toBe(20_000)
  })
})
