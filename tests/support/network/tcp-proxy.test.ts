import { afterEach, describe, expect, it } from 'bun:test'
import { until } from '../until.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const echo = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket, bytes) {
      socket.write(bytes)
    },
  },
})

let proxy: TcpProxy
afterEach(() => proxy.stop())

async function dial() {
  let heard = ''
  let closed = false
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: proxy.port,
    socket: {
      data(_, bytes) {
        heard += bytes.toString()
      },
      close() {
        closed = true
      },
    },
  })
  return { say: (text: string) => socket.write(text), heard: () => heard, closed: () => closed }
}

describe('startTcpProxy', () => {
  it('forwards, holds back while it is stalled, and closes nothing', async () => {
    proxy = await startTcpProxy(echo.port)
    const before = await dial()
    before.say('one')
    await until(() => before.heard() === 'one' || undefined)
    proxy.stall()
    before.say('two')
    const during = await dial()
    during.say('three')
    await Bun.sleep(100)
    expect([before.heard(), during.heard(), before.closed(), during.closed()]).toEqual([
      'one',
      '',
      false,
      false,
    ])
    proxy.resume()
    await until(() => (before.heard() === 'onetwo' && during.heard() === 'three') || undefined)
  })

  it('breaks every connection when it is cut', async () => {
    proxy = await startTcpProxy(echo.port)
    const caller = await dial()
    caller.say('one')
    await until(() => caller.heard() === 'one' || undefined)
    proxy.cut()
    await until(() => caller.closed() || undefined)
  })
})
