import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { connect } from 'node:net'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { type Echo, type EchoServer, startEchoServer } from '../../support/network/echo-server.ts'
import { readFields } from '../../support/network/read-fields.ts'
import { type ShippedProxy, shippedProxies } from '../../support/network/shipped-proxies.ts'

setDefaultTimeout(deadline(10_000))

const proxies = Object.entries(shippedProxies) as [
  keyof typeof shippedProxies,
  (target: string) => Promise<ShippedProxy>,
][]

describe.each(proxies)('%s with the settings that are shipped', (tool, start) => {
  let server: EchoServer
  let proxy: ShippedProxy

  beforeAll(async () => {
    if (findTool(tool) === undefined) return
    server = await startEchoServer()
    proxy = await start(server.url)
  })
  afterAll(async () => {
    await proxy?.stop()
    server?.stop()
  })
  const test = it.skipIf(findTool(tool) === undefined)

  /** Sends bytes as they are, and returns what comes back until `isDone`. */
  function raw(
    bytes: string,
    isDone: (text: string) => boolean,
    then?: (send: (more: string) => void, text: string) => void,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const { hostname, port } = new URL(proxy.url)
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      then?.((more) => socket.write(more), text)
      if (!isDone(text)) return
      socket.destroy()
      resolve(text)
    })
    socket.on('error', reject).on('close', () => resolve(text))
    return promise
  }

  const head = (path: string, lines: readonly string[], method = 'POST') =>
    `${[`${method} ${path} HTTP/1.1`, `Host: ${new URL(proxy.url).host}`, ...lines].join('\r\n')}\r\n\r\n`
  const hasEnded = (text: string) => /\}\s*(0\r\n\r\n)?$/.test(text)
  const echoed = (text: string): Echo => JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const valuesOf = ({ fields }: Echo, wanted: string) =>
    fields.filter(([name]) => name === wanted).map(([, value]) => value)

  test('passes every header that the gateway reads, as it was sent', async () => {
    const names = await readFields()
    expect(names).toContain('session_id')
    expect(names.length).toBeGreaterThan(20)
    const lines = names.map((name, index) => `${name}: value-${index}`)
    const echo = echoed(await raw(`${head('/', [...lines, 'Content-Length: 2'])}ab`, hasEnded))
    for (const [position, name] of names.entries())
      expect([name, valuesOf(echo, name)]).toEqual([name, [`value-${position}`]])
    expect(echo.body).toBe('ab')
  })

  test('passes long headers, and those that come twice', async () => {
    const long = 'x'.repeat(10_000)
    const lines = [`session_id: ${long}`, 'anthropic-beta: one', 'anthropic-beta: two', 'Content-Length: 0']
    const echo = echoed(await raw(head('/', lines), hasEnded))
    expect(valuesOf(echo, 'session_id')).toEqual([long])
    expect(valuesOf(echo, 'anthropic-beta').flatMap((value) => value.split(/, ?/))).toEqual(['one', 'two'])
  })

  test('passes a body without a length as it comes, with a trailer behind it', async () => {
    const lines = ['Transfer-Encoding: chunked', 'Trailer: x-sum']
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const socketText = new Promise<string>((done, fail) => {
      const { hostname, port } = new URL(proxy.url)
      let text = ''
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head('/pieces', lines)}5\r\nfirst\r\n`)
        void server.firstBytes.then((bytes) => {
          expect(bytes).toBe('first')
          socket.write('6\r\nsecond\r\n0\r\nx-sum: 1\r\n\r\n')
          resolve()
        })
      })
      socket.on('data', (piece) => {
        text += piece
        if (!hasEnded(text)) return
        socket.destroy()
        done(text)
      })
      socket.on('error', fail)
    })
    await sent
    expect(echoed(await socketText).body).toBe('firstsecond')
  })

  test('lets a body wait for its permission', async () => {
    let isSent = false
    const text = await raw(
      head('/', ['Expect: 100-continue', 'Content-Length: 4']),
      hasEnded,
      (send, seen) => {
        if (isSent || !seen.startsWith('HTTP/1.1 100')) return
        isSent = true
        send('late')
      },
    )
    expect([isSent, echoed(text).body]).toEqual([true, 'late'])
  })

  test('passes each event of a stream when it comes', async () => {
    let wentOn = false
    const text = await raw(
      head('/events', [], 'GET'),
      (seen) => seen.includes('data: 2'),
      (_, seen) => {
        if (wentOn || !seen.includes('data: 1')) return
        wentOn = true
        server.goOn()
      },
    )
    expect(text).toMatch(/data: 1[\s\S]*data: 2/)
  })

  test('passes a WebSocket with its subprotocol', async () => {
    const lines = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
    const own = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: realtime, other']
    const text = await raw(head('/ws', [...lines, ...own], 'GET'), (seen) => seen.endsWith('hi'))
    expect(text).toMatch(/^HTTP\/1\.1 101/)
    expect(text).toMatch(/sec-websocket-protocol: realtime/i)
  })
})
