import { describe, expect, it } from 'bun:test'
import { duplicate, openSocket } from '../../../../tests/support/network/open-socket.ts'
import { serveHttp } from './http-server.ts'
import { takeInheritedSockets } from './inherited-sockets.ts'
import { textReply } from './test-support/call.ts'

describe('the sockets that a service manager passed', () => {
  const taken = (environment: Record<string, string | undefined>) => {
    const sockets = takeInheritedSockets(environment, 17)
    return [sockets, Object.keys(environment)]
  }

  it('are counted from the third descriptor, and its variables are for this process alone', () => {
    const provided = { LISTEN_PID: '17', LISTEN_FDS: '2', LISTEN_FDNAMES: 'a:b', PATH: '/bin' }
    expect(taken(provided)).toEqual([[3, 4], ['PATH']])
  })

  it.each([
    {},
    { LISTEN_PID: '18', LISTEN_FDS: '1' },
    { LISTEN_PID: '17', LISTEN_FDS: 'many' },
    { LISTEN_PID: '17' },
    { LISTEN_FDS: '1' },
  ])('are none by %j', (environment) => {
    expect(taken({ ...environment })[0]).toEqual([])
  })
})

function serve(descriptor: number, name: string) {
  return serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    inherited: [descriptor],
    idleMs: 5000,
    application: async () => textReply(name),
    refusal: () => ({ status: 400, headers: {}, body: 'refused' }),
    fault: () => textReply('fault'),
  })
}

describe.skipIf(process.platform !== 'linux')('a server on an inherited socket', () => {
  it('serves at its port, lets callers wait while nobody does, and hands them to the next server', async () => {
    const socket = openSocket()
    const ask = async () => (await fetch(`http://127.0.0.1:${socket.port}/`, { keepalive: false })).text()
    try {
      const first = serve(duplicate(socket.descriptor), 'first')
      expect(first.port).toBe(socket.port)
      expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill('first'))
      first.drain()
      await first.refuse()
      await first.stop()

      let isWaiting = true
      const waiting = Promise.all(Array.from({ length: 20 }, ask)).finally(() => {
        isWaiting = false
      })
      await Bun.sleep(50)
      expect(isWaiting).toBe(true)
      const second = serve(duplicate(socket.descriptor), 'second')
      expect(await waiting).toEqual(Array(20).fill('second'))
      second.cut()
      await second.stop()
    } finally {
      socket.close()
    }
  })

  it('says which descriptor is no socket', () => {
    expect(() => serve(0, 'none')).toThrow('descriptor 0 is no socket')
  })
})
