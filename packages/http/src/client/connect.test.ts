import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectError, type HttpExchange } from './http-message.ts'
import { closeWorld, ok, openWorld, post, serve, textOf, world } from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering } from './test-support/scripted-server.ts'
import { startUnreachable, type Unreachable } from './test-support/unreachable.ts'

const limitMs = 300
beforeEach(() => openWorld(limitMs))
afterEach(closeWorld)

let unreachable: Unreachable | undefined
afterEach(() => {
  unreachable?.close()
  unreachable = undefined
})

async function connectErrorOf({ response }: HttpExchange): Promise<ConnectError> {
  const error = await errorOf(response)
  if (error instanceof ConnectError) return error
  throw new Error(`no ConnectError: ${error}`)
}

describe('connecting', () => {
  it('is given up after its limit when the upstream drops packets', async () => {
    unreachable = await startUnreachable()
    const error = await connectErrorOf(post('', `http://127.0.0.1:${unreachable.port}/`))
    expect(error.reason).toBe('timeout')
    expect(error.message).toContain('timed out within 300 ms')
  })

  it('does not go on without end when the upstream drops packets: later requests fail at once', async () => {
    unreachable = await startUnreachable()
    const { port } = unreachable
    const reasons = await Promise.all(
      Array.from(
        { length: 64 },
        async () => (await connectErrorOf(post('', `http://127.0.0.1:${port}/`))).reason,
      ),
    )
    expect(new Set(reasons)).toEqual(new Set(['timeout']))
    const error = await connectErrorOf(post('', `http://127.0.0.1:${port}/`))
    expect(error.message).toContain('earlier ones timed out')
  })

  it('is given up after its limit when the upstream accepts and is silent in TLS', async () => {
    await serve(() => {})
    const error = await connectErrorOf(post('', world.server.url.replace('http:', 'https:')))
    expect(error.reason).toBe('timeout')
    expect(await world.server.connections[0]?.closesSoon()).toBe(true)
  })

  it.each<[reason: string, url: () => string]>([
    ['refused', () => 'http://127.0.0.1:1/'],
    ['unresolved', () => 'http://upstream.invalid/'],
    ['tls', () => world.server.url.replace('http:', 'https:')],
  ])('says that it was %s', async (reason, url) => {
    await serve(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect<string>((await connectErrorOf(post('', url()))).reason).toBe(reason)
  })

  it('goes on to the next address, and to none after one that answers', async () => {
    await serve(answering(ok))
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.1', '127.0.0.4']
    expect(await textOf(post('', `http://upstream.invalid:${world.server.port}/`, addresses))).toBe('ok')
    expect(world.server.connections.length).toBe(1)
  })

  it('fails as the last of its addresses does', async () => {
    await serve(answering(ok))
    const url = `http://upstream.invalid:${world.server.port}/`
    expect((await connectErrorOf(post('', url, ['127.0.0.2', '127.0.0.3']))).reason).toBe('refused')
  })

  it('shares its limit between addresses: one that drops packets leaves time for the next', async () => {
    unreachable = await startUnreachable()
    const url = `http://upstream.invalid:${unreachable.port}/`
    const server = Bun.serve({
      hostname: '127.0.0.2',
      port: unreachable.port,
      fetch: () => new Response('there'),
    })
    expect(await textOf(post('', url, ['127.0.0.1', '127.0.0.2']))).toBe('there')
    await server.stop(true)
  })
})
