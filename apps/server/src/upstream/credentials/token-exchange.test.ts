import { describe, expect, it } from 'bun:test'
import { decodeErrorBody } from '@tollgate/formats'
import type { ChannelTarget, ExchangedCredential } from '@tollgate/providers'
import { createTokenExchange, TokenExchangeError, tokenRefusal } from './token-exchange.ts'

const credential: ExchangedCredential = {
  kind: 'exchanged',
  exchange: ({ baseUrl, key }) => ({ url: `${baseUrl}/token?${key}`, headers: {}, body: '' }),
  decodeToken: (body) => (typeof body === 'string' ? { token: body, expiresInSeconds: 3600 } : undefined),
  authorize: (request) => request,
}
const target: ChannelTarget = { baseUrl: 'https://a.example', key: 'k', openaiOrganization: '', other: '' }
const minuteMs = 60_000

/** An exchange whose upstream answers what the test says, at a time that the test sets. */
function exchangeWith(response: (asked: number) => unknown, more: Partial<ExchangedCredential> = {}) {
  const time = { now: 0 }
  const tokens = createTokenExchange({ now: () => time.now })
  const world = { time, tokens, asked: 0 }
  const send = async () => {
    world.asked += 1
    const given = response(world.asked)
    await Bun.sleep(1)
    if (given instanceof Error) throw given
    return JSON.stringify(given)
  }
  return Object.assign(world, {
    token: (of: ChannelTarget = target, id = 'p') => tokens.token(id, { ...credential, ...more }, of, send),
  })
}

describe('createTokenExchange', () => {
  it('asks once for all who wait, and gives at once what it keeps', async () => {
    const world = exchangeWith((asked) => `t${asked}`)
    expect(await Promise.all(Array.from({ length: 50 }, () => world.token()))).toEqual(
      Array.from({ length: 50 }, () => 't1'),
    )
    expect(world.token()).toBe('t1')
    expect(world.asked).toBe(1)
  })

  it('keeps tokens of another key, address, field or provider apart', async () => {
    const world = exchangeWith((asked) => `t${asked}`)
    for (const more of [{}, { key: 'l' }, { baseUrl: 'https://b.example' }, { other: 'eu' }])
      await world.token({ ...target, ...more })
    await world.token(target, 'q')
    expect(world.asked).toBe(5)
  })

  it('gives a token that is about to end while it asks for another, once', async () => {
    const world = exchangeWith((asked) => `t${asked}`)
    await world.token()
    world.time.now = 51 * minuteMs
    expect([world.token(), world.token()]).toEqual(['t1', 't1'])
    expect(world.asked).toBe(2)
    await Bun.sleep(10)
    expect(world.token()).toBe('t2')
    expect(world.asked).toBe(2)
  })

  it('renews as long before the end as the credential says', async () => {
    const world = exchangeWith((asked) => `t${asked}`, {
      renewBeforeSeconds: 3600,
      decodeToken: (body) => ({ token: String(body), expiresInSeconds: 30 * 24 * 3600 }),
    })
    const dayMs = 24 * 60 * minuteMs
    await world.token()
    world.time.now = 30 * dayMs - 61 * minuteMs
    expect([world.token(), world.asked]).toEqual(['t1', 1])
    world.time.now += 2 * minuteMs
    expect([world.token(), world.asked]).toEqual(['t1', 2])
  })

  it('lives with an upstream that renews nothing, as long as the token holds', async () => {
    const world = exchangeWith((asked) => (asked === 1 ? 't1' : new Error('down')))
    await world.token()
    world.time.now = 51 * minuteMs
    for (let second = 0; second < 100; second++) {
      world.time.now += 1000
      expect(world.token()).toBe('t1')
      await Bun.sleep(2)
    }
    expect(world.asked).toBeLessThan(6)
    world.time.now = 61 * minuteMs
    await expect(Promise.resolve(world.token())).rejects.toThrow('down')
  })

  it('asks again once a token is refused, whoever refuses it and how often', async () => {
    const world = exchangeWith((asked) => `t${asked}`)
    await world.token()
    world.tokens.refused('p', target, 't1')
    const waiting = world.token()
    world.tokens.refused('p', target, 't1')
    expect(await waiting).toBe('t2')
    world.tokens.refused('p', target, 't1')
    expect(world.token()).toBe('t2')
    expect(world.asked).toBe(2)
  })

  it('remembers no failure', async () => {
    const world = exchangeWith((asked) => (asked === 1 ? null : 't'))
    const failure = { status: 200, headers: {}, body: 'null' }
    await expect(Promise.resolve(world.token())).rejects.toMatchObject({ failure })
    expect(await world.token()).toBe('t')
  })
})

describe('tokenRefusal', () => {
  const refusal = (body: string, status = 200) =>
    tokenRefusal(new TokenExchangeError({ status, headers: {}, body }), decodeErrorBody)

  it.each([
    ['{"refresh_token":"","expires_in":0}', 'unauthorized', 'gave no token'],
    ['{}', 'unauthorized', 'gave no token'],
    ['{"error":"invalid_client","error_description":"unknown client id"}', 'unauthorized', 'unknown client'],
    ['<html>Welcome</html>', 'upstream_bug', 'something else'],
  ])('says of a 200 without a token (%s) whose fault it is', (body, kind, message) => {
    expect(refusal(body)).toMatchObject({ kind, message: expect.stringContaining(message) })
  })

  it('leaves a refusal with a status of its own as it is', () => {
    expect(refusal('{}', 500)).toMatchObject({ kind: 'upstream_bug', status: 500 })
  })
})
