import { describe, expect, it } from 'bun:test'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { decodeErrorBody } from '@tollgate/formats'
import type { ChannelTarget, ExchangedCredential } from '@tollgate/providers'
import { createTokenExchange, signingTools, TokenExchangeError, tokenRefusal } from './credentials.ts'

const credential: ExchangedCredential = {
  kind: 'exchanged',
  exchange: ({ baseUrl, key }) => ({ url: `${baseUrl}/token?${key}`, headers: {}, body: '' }),
  decodeToken: (body) => (typeof body === 'string' ? { token: body, expiresInSeconds: 3600 } : undefined),
  authorize: (request) => request,
}
const target: ChannelTarget = { baseUrl: 'https://a.example', key: 'k', openaiOrganization: '', other: '' }
const minuteMs = 60_000

/** An exchange whose upstream sends the test's response, at a time that the test sets. */
function exchangeWith(response: (requested: number) => unknown, more: Partial<ExchangedCredential> = {}) {
  const time = { now: 0 }
  const tokens = createTokenExchange({ now: () => time.now })
  const world = { time, tokens, requested: 0 }
  const send = async () => {
    world.requested += 1
    const provided = response(world.requested)
    await Bun.sleep(1)
    if (provided instanceof Error) throw provided
    return JSON.stringify(provided)
  }
  return Object.assign(world, {
    token: (of: ChannelTarget = target, id = 'p') => tokens.token(id, { ...credential, ...more }, of, send),
  })
}

describe('createTokenExchange', () => {
  it('requests a token once for all waiting calls, and returns a cached one at once', async () => {
    const world = exchangeWith((requested) => `t${requested}`)
    expect(await Promise.all(Array.from({ length: 50 }, () => world.token()))).toEqual(
      Array.from({ length: 50 }, () => 't1'),
    )
    expect(world.token()).toBe('t1')
    expect(world.requested).toBe(1)
  })

  it('caches tokens apart by key, address, field and provider', async () => {
    const world = exchangeWith((requested) => `t${requested}`)
    for (const more of [{}, { key: 'l' }, { baseUrl: 'https://b.example' }, { other: 'eu' }])
      await world.token({ ...target, ...more })
    await world.token(target, 'q')
    expect(world.requested).toBe(5)
  })

  it('gives a token that is about to end while it asks for another, once', async () => {
    const world = exchangeWith((requested) => `t${requested}`)
    await world.token()
    world.time.now = 51 * minuteMs
    expect([world.token(), world.token()]).toEqual(['t1', 't1'])
    expect(world.requested).toBe(2)
    await Bun.sleep(10)
    expect(world.token()).toBe('t2')
    expect(world.requested).toBe(2)
  })

  it('renews as long before the end as the credential says', async () => {
    const world = exchangeWith((requested) => `t${requested}`, {
      renewBeforeSeconds: 3600,
      decodeToken: (body) => ({ token: String(body), expiresInSeconds: 30 * 24 * 3600 }),
    })
    const dayMs = 24 * 60 * minuteMs
    await world.token()
    world.time.now = 30 * dayMs - 61 * minuteMs
    expect([world.token(), world.requested]).toEqual(['t1', 1])
    world.time.now += 2 * minuteMs
    expect([world.token(), world.requested]).toEqual(['t1', 2])
  })

  it('lives with an upstream that renews nothing, as long as the token holds', async () => {
    const world = exchangeWith((requested) => (requested === 1 ? 't1' : new Error('down')))
    await world.token()
    world.time.now = 51 * minuteMs
    for (let second = 0; second < 100; second++) {
      world.time.now += 1000
      expect(world.token()).toBe('t1')
      await Bun.sleep(2)
    }
    expect(world.requested).toBeLessThan(6)
    world.time.now = 61 * minuteMs
    await expect(Promise.resolve(world.token())).rejects.toThrow('down')
  })

  it('requests one new token after a refusal, however many calls report it', async () => {
    const world = exchangeWith((requested) => `t${requested}`)
    await world.token()
    world.tokens.refused('p', target, 't1')
    const waiting = world.token()
    world.tokens.refused('p', target, 't1')
    expect(await waiting).toBe('t2')
    world.tokens.refused('p', target, 't1')
    expect(world.token()).toBe('t2')
    expect(world.requested).toBe(2)
  })

  it('remembers no failure', async () => {
    const world = exchangeWith((requested) => (requested === 1 ? null : 't'))
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
    ['<html>Welcome</html>', 'upstream_bug', 'unknown response'],
  ])('distinguishes the cause of a 200 without a token (%s)', (body, kind, message) => {
    expect(refusal(body)).toMatchObject({ kind, message: expect.stringContaining(message) })
  })

  it('leaves a refusal with a status of its own as it is', () => {
    expect(refusal('{}', 500)).toMatchObject({ kind: 'upstream_bug', status: 500 })
  })
})

/** Signatures of vendors that sign, made of nothing but the tools, held against known ones. */
describe('signingTools', () => {
  it("make Tencent's TC3 signatures", () => {
    const tools = signingTools(1_700_000_000_000)
    const body =
      '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"你好"}],"Stream":true,"TopP":0.9,"Temperature":0.5}'
    const canonical = [
      'POST\n/\n',
      'content-type:application/json\nhost:hunyuan.tencentcloudapi.com\nx-tc-action:chatcompletions\n',
      'content-type;host;x-tc-action',
      tools.sha256Hex(body),
    ].join('\n')
    expect(tools.sha256Hex(canonical)).toBe(
      'baaa0c1171226330425ec56d5b9c10174f9774b998cd3528b2f0959e137358fe',
    )
    const toSign = [
      'TC3-HMAC-SHA256',
      tools.nowMs / 1000,
      '2023-11-14/hunyuan/tc3_request',
      tools.sha256Hex(canonical),
    ].join('\n')
    const ofDate = tools.hmacSha256('TC3SecretKeyExample0123456789', '2023-11-14')
    const key = tools.hmacSha256(tools.hmacSha256(ofDate, 'hunyuan'), 'tc3_request')
    expect(tools.hmacSha256Hex(key, toSign)).toBe(
      '87504b333422b5c048f084d1bc29aea32420840941b7d7facd9dfd4bad6a4813',
    )
  })

  it("make Zhipu's JSON Web Tokens (HS256)", () => {
    const tools = signingTools(1_700_000_000_000)
    const [id, secret = ''] = 'a1b2c3d4e5f60718293a4b5c6d7e8f90.ZhipuSecret12345'.split('.')
    const header = tools.base64url('{"alg":"HS256","sign_type":"SIGN"}')
    const claims = { api_key: id, exp: tools.nowMs + 86_400_000, timestamp: tools.nowMs }
    const signed = `${header}.${tools.base64url(JSON.stringify(claims))}`
    expect(`${signed}.${tools.base64url(tools.hmacSha256(secret, signed))}`).toBe(
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiYTFiMmMzZDRlNWY2MDcxODI5M2E0YjVjNmQ3ZThmOTAiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.wanFFc-PmEkmW_bGNiKmyIZ39fnRmlNwLDkUAJ8fe-o',
    )
  })

  it("make Xunfei's signed addresses", () => {
    const tools = signingTools(Date.parse('Thu, 15 Feb 2024 08:30:00 GMT'))
    const date = new Date(tools.nowMs).toUTCString()
    const toSign = `host: spark-api.xf-yun.com\ndate: ${date}\nGET /v3.5/chat HTTP/1.1`
    const signature = tools.base64(tools.hmacSha256('dGVzdHNlY3JldA0123456789abcdef', toSign))
    expect(signature).toBe('CyFG8LRyMvKBh8Q3VQYvVz/EIQ6dPJvurzMtl+LHdmY=')
  })

  it('sign as RSA keys of service accounts do, and refuse an invalid key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const tools = signingTools(0)
    const signature = tools.rsaSha256(privateKey, 'header.claims')
    expect(createVerify('RSA-SHA256').update('header.claims').verify(publicKey, signature)).toBe(true)
    expect(() => tools.rsaSha256('no key', 'x')).toThrow(TypeError)
  })
})
