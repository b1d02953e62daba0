import { afterAll, describe, expect, it } from 'bun:test'
import { systemClock } from '../../lib/clock.ts'
import { createDeadlines } from '../../relay/deadlines.ts'
import { WatchedConnection } from './caller-connection.ts'

const watches = createDeadlines(systemClock, 5)
afterAll(() => watches.close())

/** Serves one call for `servedMs`, whose caller hangs up after `hangUpMs`, and answers what the connection told. */
async function toldAfter(hangUpMs: number, servedMs: number, releaseAtOnce = false) {
  const told: string[] = []
  let isGone = false
  const served = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, peers) {
      const connection = new WatchedConnection(request, peers, watches)
      connection.whenGone(() => told.push('gone'))
      if (releaseAtOnce) connection.release()
      await Bun.sleep(servedMs)
      isGone = connection.isGone
      connection.release()
      served.resolve()
      return new Response('late')
    },
  })
  const hangUp = new AbortController()
  const answer = fetch(server.url, { method: 'POST', body: 'x', signal: hangUp.signal }).catch(
    () => undefined,
  )
  await Bun.sleep(hangUpMs)
  hangUp.abort()
  await answer
  await served.promise
  await server.stop(true)
  return { told, isGone }
}

describe('WatchedConnection', () => {
  it('tells of a hang-up that came before the call was watched', async () => {
    expect(await toldAfter(5, 120)).toEqual({ told: ['gone'], isGone: true })
  })

  it('tells of a hang-up while the call lasts', async () => {
    expect(await toldAfter(80, 200)).toEqual({ told: ['gone'], isGone: true })
  })

  it('watches nothing any more once it is released', async () => {
    expect(await toldAfter(5, 120, true)).toEqual({ told: [], isGone: false })
  })
})
