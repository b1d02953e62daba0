import { describe, expect, it } from 'bun:test'
import { duplicate, openSocket } from '../../../../tests/support/network/open-socket.ts'
import { serveHttp } from './http-server.ts'
import { openSharedPort } from './shared-port.ts'
import { textReply } from './test-support/call.ts'

function serve(descriptor: number, name: string, outlives = true) {
  return serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    inherited: [duplicate(descriptor)],
    outlives: () => outlives,
    idleMs: 5000,
    application: async () => textReply(name),
    refusal: () => ({ status: 400, headers: {}, body: 'refused' }),
    fault: () => textReply('fault'),
  })
}

/** Asks who responds to so many callers, each on a connection of its own. */
async function respondents(port: number, calls: number): Promise<ReadonlySet<string>> {
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/`, { keepalive: false })).text()
  return new Set(await Promise.all(Array.from({ length: calls }, ask)))
}

describe.skipIf(process.platform !== 'linux')('a shared port', () => {
  it('spreads connections over its queues, and over those alone that are named', async () => {
    const shared = openSharedPort('127.0.0.1', 0, 3)
    const servers = shared.descriptors.map((descriptor, index) => serve(descriptor, String(index)))
    try {
      expect(servers.map(({ port }) => port)).toEqual(Array(3).fill(shared.port))
      expect(await respondents(shared.port, 60)).toEqual(new Set(['0', '1', '2']))
      expect(shared.steer([2])).toBe(true)
      expect(await respondents(shared.port, 20)).toEqual(new Set(['2']))
      shared.steer([0, 1])
      expect(await respondents(shared.port, 40)).toEqual(new Set(['0', '1']))
    } finally {
      for (const server of servers) {
        server.cut()
        await server.stop()
      }
      shared.close()
    }
  })

  it('has callers wait in a queue while its server is replaced', async () => {
    const shared = openSharedPort('127.0.0.1', 0, 1)
    const [descriptor = -1] = shared.descriptors
    const former = serve(descriptor, 'former')
    await former.refuse()
    await former.stop()
    const waiting = respondents(shared.port, 5)
    await Bun.sleep(20)
    const next = serve(descriptor, 'next', false)
    expect(await waiting).toEqual(new Set(['next']))
    await next.refuse()
    next.cut()
    await next.stop()
    shared.close()
  })

  it('is refused where somebody else listens, which the system would allow to the same account', () => {
    const other = openSocket()
    expect(() => openSharedPort('127.0.0.1', other.port, 2)).toThrow(
      expect.objectContaining({ code: 'EADDRINUSE' }),
    )
    other.close()
    const shared = openSharedPort('127.0.0.1', 0, 2)
    expect(() => openSharedPort('127.0.0.1', shared.port, 2)).toThrow(
      expect.objectContaining({ code: 'EADDRINUSE' }),
    )
    shared.close()
  })
})
