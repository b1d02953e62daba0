import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { decodeErrorBody, openAiChat } from '@tollgate/formats'
import { type Credential, type Operation, providerFor, providers } from '@tollgate/providers'
import {
  callOf,
  channelOf,
  providerOf,
  startUpstreamWorld,
  type UpstreamWorld,
} from './test-support/upstream-world.ts'

interface Received {
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

/** Sends the test's response to every request. */
let response: (request: Received) => Response | Promise<Response>
let received: Received[]
let server: ReturnType<typeof Bun.serve>
let world: UpstreamWorld
let baseUrl: string

beforeEach(() => {
  received = []
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const requested = { url: new URL(request.url), headers: request.headers, body: await request.text() }
      received.push(requested)
      return response(requested)
    },
  })
  baseUrl = `http://127.0.0.1:${server.port}`
  world = startUpstreamWorld()
})
afterEach(async () => {
  world.close()
  await server.stop(true)
})

const operation: Operation = {
  format: 'openai-chat',
  codec: openAiChat,
  framing: 'sse',
  streamOptions: false,
  endpoint: (target) => ({ url: `${target.baseUrl}/chat`, headers: {} }),
  decodeError: decodeErrorBody,
}

const paths = () => received.map(({ url }) => url.pathname)

/** Credential as Baidu has it: a token for a key and its secret, which stands in the address. */
const inAddress: Credential = {
  kind: 'exchanged',
  exchange({ baseUrl: base, key }) {
    const [id = '', secret] = key.split('|')
    if (secret === undefined) throw new TypeError('the key must be APIKey|SecretKey')
    return {
      url: `${base}/token?client_id=${encodeURIComponent(id)}&client_secret=${secret}`,
      headers: {},
      body: '',
    }
  },
  decodeToken: (body) => {
    const { access_token: token, expires_in: expiresInSeconds } = body as Record<string, unknown>
    return typeof token === 'string' && typeof expiresInSeconds === 'number'
      ? { token, expiresInSeconds }
      : undefined
  },
  authorize: ({ url, ...request }, token) => ({ ...request, url: `${url}?access_token=${token}` }),
}

describe('a credential that is exchanged for a token', () => {
  const channel = () =>
    channelOf(providerOf(operation, { credential: inAddress }), { baseUrl, key: 'id|secret' })
  let valid: string
  let provided: number

  beforeEach(() => {
    provided = 0
    response = async ({ url }) => {
      await Bun.sleep(5)
      if (url.pathname === '/token') {
        provided += 1
        valid = `t${provided}`
        return Response.json({ access_token: valid, expires_in: 2_592_000 })
      }
      const isValid = url.searchParams.get('access_token') === valid
      return Response.json({}, { status: isValid ? 200 : 401 })
    }
  })

  it('is exchanged once for fifty concurrent calls, and cached', async () => {
    const from = channel()
    const calls = Array.from({ length: 50 }, () => world.send(callOf(from, operation)))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(paths().filter((path) => path === '/token')).toHaveLength(1)
    expect((await world.send(callOf(from, operation))).status).toBe(200)
    expect(provided).toBe(1)
    expect(received[0]?.url.search).toBe('?client_id=id&client_secret=secret')
  })

  it('is exchanged once more for fifty calls whose token was withdrawn, and the calls succeed', async () => {
    const from = channel()
    await world.send(callOf(from, operation))
    valid = 'another'
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await Bun.sleep(index % 7)
        const call = callOf(from, operation)
        const first = await world.send(call)
        if (first.status !== 401 || !world.upstreams.tokenRefused(call)) return first.status
        return (await world.send(call)).status
      }),
    )
    expect(statuses).toEqual(Array(50).fill(200))
    expect(provided).toBe(2)
  })

  it('has nothing to forget for calls with a key, or that were never sent', async () => {
    const plain = providerOf(operation, { credential: { kind: 'headers', headers: () => ({}) } })
    const call = callOf(channelOf(plain, { baseUrl, key: 'k' }), operation)
    await world.send(call)
    expect(world.upstreams.tokenRefused(call)).toBe(false)
    expect(world.upstreams.tokenRefused(callOf(channel(), operation))).toBe(false)
  })

  it('fails the call, and says no secret, when the upstream gives no token', async () => {
    response = () => Response.json({ error: 'invalid_client' }, { status: 401 })
    const failed = world.send(callOf(channel(), operation))
    await expect(failed).rejects.toThrow(
      'the upstream responded with 401 and no token to the exchange of a key',
    )
    expect(paths()).toEqual(['/token'])
  })

  it('refuses a malformed key before anything is sent', async () => {
    const from = channelOf(providerOf(operation, { credential: inAddress }), { baseUrl, key: 'id' })
    await expect(world.send(callOf(from, operation))).rejects.toBeInstanceOf(TypeError)
    expect(received).toEqual([])
  })
})

describe('a service account', () => {
  it("is exchanged by a token that its private key signed, as at Google's", async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const credential: Credential = {
      kind: 'exchanged',
      exchange({ key }, tools) {
        const account = JSON.parse(key)
        const now = Math.floor(tools.nowMs / 1000)
        const claims = { iss: account.client_email, aud: account.token_uri, iat: now, exp: now + 3600 }
        const signed = [{ alg: 'RS256', typ: 'JWT' }, claims]
          .map((part) => tools.base64url(JSON.stringify(part)))
          .join('.')
        const assertion = `${signed}.${tools.base64url(tools.rsaSha256(account.private_key, signed))}`
        return {
          url: account.token_uri,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=${assertion}`,
        }
      },
      decodeToken: (body) => ({
        token: (body as { access_token: string }).access_token,
        expiresInSeconds: 3599,
      }),
      authorize: (request, token) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      }),
    }
    response = ({ url, body }) => {
      if (url.pathname !== '/token') return Response.json({})
      const [head, claims, signature = ''] = new URLSearchParams(body).get('assertion')?.split('.') ?? []
      const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`)
      const isSigned = verifier.verify(publicKey, Buffer.from(signature, 'base64url'))
      return isSigned ? Response.json({ access_token: 'ya29.x' }) : new Response('', { status: 400 })
    }
    const key = JSON.stringify({
      client_email: 'a@b',
      private_key: privateKey,
      token_uri: `${baseUrl}/token`,
    })
    const channel = channelOf(providerOf(operation, { credential }), { baseUrl, key })
    expect((await world.send(callOf(channel, operation))).status).toBe(200)
    expect(received[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(received[1]?.headers.get('authorization')).toBe('Bearer ya29.x')
  })
})

describe('a signed request', () => {
  it('is signed over the very bytes and headers that are sent', async () => {
    const credential: Credential = {
      kind: 'signed',
      sign: (request, { key }, tools) => ({
        ...request,
        headers: {
          ...request.headers,
          'x-digest': tools.sha256Hex(request.body),
          authorization: tools.hmacSha256Hex(
            key,
            `${request.method} ${request.url} ${request.headers['x-app']}`,
          ),
        },
      }),
    }
    response = () => Response.json({})
    const channel = channelOf(providerOf(operation, { credential }), { baseUrl, key: 'secret' })
    const body = '{"text":"你好"}'
    await world.send(callOf(channel, operation, { body, callerHeaders: { 'x-app': 'cli' } }))
    const [request] = received
    const digest = new Bun.CryptoHasher('sha256').update(request?.body ?? '').digest('hex')
    const signature = new Bun.CryptoHasher('sha256', 'secret')
      .update(`POST ${baseUrl}/chat cli`)
      .digest('hex')
    expect([request?.body, request?.headers.get('x-digest')]).toEqual([body, digest])
    expect(request?.headers.get('authorization')).toBe(signature)
  })

  it('of Bedrock reaches a host of the channel, signed for that host', async () => {
    const aws = providerFor(33)
    if (aws === undefined) throw new Error('no provider')
    response = () => Response.json({})
    const channel = channelOf(aws, { baseUrl, key: 'AKIDEXAMPLE|secret|us-east-1' })
    const target = { ...channelTargetOf(channel.keys[0] ?? ''), upstreamModel: 'claude-opus-5' }
    const invoke = aws.operation('chat', target, 'anthropic-messages')
    if (invoke === undefined) throw new Error('no operation')
    const call = callOf(channel, invoke, { upstreamModel: 'claude-opus-5' })
    await world.send(call)
    const [request] = received
    expect(request?.url.pathname).toBe('/model/us.anthropic.claude-opus-5/invoke')
    expect(request?.headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request, SignedHeaders=accept;content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    )
    expect(request?.headers.get('accept')).toBe('application/json')
  })
})

function channelTargetOf(key: string) {
  return { baseUrl, key, openaiOrganization: '', other: '' }
}

describe('a key in headers', () => {
  const credential: Credential = { kind: 'headers', headers: ({ key }) => ({ 'x-api-key': key }) }

  it("lets an operation keep, replace and add to the caller's fields", async () => {
    const adding: Operation = {
      ...operation,
      endpoint: (target, { query, headers }) => ({
        url: `${target.baseUrl}/chat${query}`,
        headers: { 'x-beta': `${headers['x-beta'] ?? 'none'},own`, 'x-version': headers['x-version'] ?? '1' },
      }),
    }
    response = () => Response.json({})
    const channel = channelOf(providerOf(adding, { credential }), { baseUrl, key: 'k' })
    const fields = { 'x-beta': 'a', 'x-app': 'cli', 'x-api-key': 'stolen' }
    await world.send(callOf(channel, adding, { callerHeaders: fields, query: '?beta=true' }))
    await world.send(callOf(channel, adding))
    const [first, second] = received
    expect(first?.url.search).toBe('?beta=true')
    expect(first?.headers.toJSON()).toMatchObject({
      'x-beta': 'a,own',
      'x-version': '1',
      'x-app': 'cli',
      'x-api-key': 'k',
    })
    expect(second?.headers.toJSON()).toMatchObject({ 'x-beta': 'none,own', 'x-api-key': 'k' })
    expect(second?.headers.has('x-app')).toBe(false)
  })

  it('passes an operation the names that the operator mapped to', async () => {
    const named: Operation = {
      ...operation,
      endpoint: ({ baseUrl: base, upstreamModel, isMapped }) => ({
        url: `${base}/${upstreamModel}/${isMapped}`,
        headers: {},
      }),
    }
    response = () => Response.json({})
    const provider = providerOf(named, { credential })
    const channel = channelOf(provider, { baseUrl, key: 'k' }, { modelMapping: new Map([['a', 'm']]) })
    await world.send(callOf(channel, named))
    await world.send(callOf(channel, named, { upstreamModel: 'a' }))
    expect(paths()).toEqual(['/m/true', '/a/false'])
  })
})

describe('an upstream that counts tokens', () => {
  const counting = providers.filter(({ counting }) => counting !== undefined)

  it.each(counting.map((provider) => [provider.id, provider] as const))(
    '%s is counted at and called each at its own address, in whatever order',
    async (_, provider) => {
      response = () => Response.json({})
      const key = provider.id === 'aws' ? 'AKID|secret|us-east-1' : 'k'
      const channel = channelOf(provider, { baseUrl, key })
      const target = { ...channelTargetOf(key), upstreamModel: 'claude-m' }
      const count = provider.counting?.(target)
      const chat = count && provider.operation('chat', target, count.format)
      if (count === undefined || chat === undefined) throw new Error('no operation')
      const ask = async (requested: Operation, stream: boolean) => {
        await world.send(callOf(channel, requested, { stream }))
        return received.at(-1)?.url.pathname
      }
      const counted = await ask(count, false)
      const called = await ask(chat, false)
      const streamed = await ask(chat, true)
      expect(counted).not.toBe(called)
      expect(counted).not.toBe(streamed)
      expect(await ask(count, false)).toBe(counted)
      expect(await ask(chat, false)).toBe(called)
      expect(await ask(count, true)).toBe(counted)
      expect(await ask(chat, true)).toBe(streamed)
    },
  )
})
