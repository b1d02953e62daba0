import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import {
  canMakeCertificates,
  makeCertificate,
  type OwnCertificate,
} from '../../support/network/certificate.ts'
import { type ConnectProxyServer, startConnectProxy } from '../../support/network/connect-proxy.ts'
import { type SocksProxyServer, startSocksProxy } from '../../support/network/socks-proxy.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

/** Known to the proxies alone, and named in the certificate. */
const host = 'upstream.invalid'
const pair = { username: 'gateway', password: 'p-secret:word' }
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }

let certificate: OwnCertificate
let upstream: ReturnType<typeof startUpstream>
let socks: SocksProxyServer
let tunnels: ConnectProxyServer
let gateway: Tollgate
let operator: Operator
let openai: OpenAI
let key: string

/** OpenAI's chat and Realtime API behind TLS. */
function startUpstream({ key: tlsKey, cert }: OwnCertificate) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: tlsKey, cert },
    async fetch(request, server) {
      if (server.upgrade(request, { data: undefined })) return undefined
      const { stream } = (await request.json()) as { stream?: boolean }
      const message = { role: 'assistant', content: 'By proxy.' }
      if (stream !== true)
        return Response.json({
          id: 'c',
          model: 'm',
          usage,
          choices: [{ index: 0, message, finish_reason: 'stop' }],
        })
      const chunk = (rest: object) => `data: ${JSON.stringify({ id: 'c', model: 'm', ...rest })}\n\n`
      const text = chunk({ choices: [{ index: 0, delta: message, finish_reason: 'stop' }] })
      const body = `${text}${chunk({ choices: [], usage })}data: [DONE]\n\n`
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    websocket: {
      open: (socket) => void socket.send('{"type":"session.created"}'),
      message: (socket, message) => void socket.send(message),
    },
  })
}

beforeAll(async () => {
  if (!canMakeCertificates()) return
  certificate = await makeCertificate(host)
  upstream = startUpstream(certificate)
  const hosts = { [host]: '127.0.0.1' }
  socks = await startSocksProxy({ ...pair, hosts })
  tunnels = await startConnectProxy({ ...pair, hosts })
  gateway = await startTollgate({
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', NODE_EXTRA_CA_CERTS: certificate.authority },
  })
  operator = await operate(gateway.url)
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  socks?.stop()
  tunnels?.stop()
  await upstream?.stop(true)
  certificate?.remove()
})

async function channelBy(model: string, proxy: string, name = host): Promise<void> {
  const base_url = `https://${name}:${upstream.port}`
  await operator.addChannel({ name: model, models: model, base_url, setting: JSON.stringify({ proxy }) })
}

const ask = (model: string) =>
  openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] })

/** The messages that a session receives until it closes, or has received `count`. */
async function session(model: string, count: number): Promise<string[]> {
  const options = { headers: { authorization: `Bearer ${key}` } }
  const url = `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${model}`
  // The types of browsers, which hold here, know no headers.
  const socket = new WebSocket(url, options as unknown as string[])
  const heard: string[] = []
  let isClosed = false
  socket.onopen = () => socket.send('{"type":"echo"}')
  socket.onmessage = ({ data }) => void heard.push(String(data))
  socket.onclose = () => {
    isClosed = true
  }
  await until(() => isClosed || heard.length >= count || undefined)
  socket.close(1000)
  return heard
}

const ways = [
  { kind: 'socks5', scheme: 'socks5', proxy: () => socks },
  { kind: 'http', scheme: 'http', proxy: () => tunnels },
]

describe.skipIf(!canMakeCertificates())('TLS', () => {
  for (const { kind, scheme, proxy } of ways) {
    const address = (password: string) =>
      `${scheme}://${pair.username}:${encodeURIComponent(password)}@127.0.0.1:${proxy().port}`

    it(`goes through a ${kind} proxy: whole, streamed, and as a WebSocket`, async () => {
      const model = `gpt-4o-realtime-${kind}`
      await channelBy(model, address(pair.password))
      expect((await ask(model)).choices[0]?.message.content).toBe('By proxy.')
      const stream = await openai.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
      })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      expect(text).toBe('By proxy.')
      expect(await session(model, 2)).toEqual(['{"type":"session.created"}', '{"type":"echo"}'])
      // Whole and streamed may share a tunnel.
      expect(proxy().requests.length).toBeGreaterThanOrEqual(2)
    })

    it(`has no way out by a ${kind} proxy that refuses its password, costs nothing and tells no password`, async () => {
      const model = `gpt-4o-realtime-refused-${kind}`
      await channelBy(model, address('wr0ng-secret'))
      const before = await operator.quota()
      const failure = await ask(model).catch((error: unknown) => error)
      expect(failure).toMatchObject({ status: 502, code: 'upstream_unreachable' })
      const heard = await session(model, 9)
      expect(JSON.parse(heard[0] ?? '')).toMatchObject({
        type: 'error',
        error: { code: 'upstream_unreachable' },
      })
      expect(proxy().refusedPasswords).toBeGreaterThanOrEqual(2)
      expect(await operator.quota()).toBe(before)
      const reported = JSON.stringify([String(failure), heard, gateway.logs()])
      for (const secret of [
        'wr0ng-secret',
        btoa(`${pair.username}:wr0ng-secret`),
        String(proxy().port),
        host,
      ])
        expect(reported).not.toContain(secret)
    })

    it(`has no way out by a ${kind} proxy that finds no such host, or is not there`, async () => {
      const model = `gpt-4o-realtime-lost-${kind}`
      await channelBy(model, address(pair.password), 'nowhere.invalid')
      await channelBy(`${model}-gone`, `${scheme}://${pair.username}:x@127.0.0.1:1`)
      for (const requested of [model, `${model}-gone`]) {
        const failure = await ask(requested).catch((error: unknown) => error)
        expect(failure).toMatchObject({ status: 502, code: 'upstream_unreachable' })
        expect(String(failure)).not.toContain('invalid')
        expect(JSON.parse((await session(requested, 9))[0] ?? '')).toMatchObject({ type: 'error' })
      }
    })
  }

  it('is refused where the certificate names another host', async () => {
    const model = 'gpt-4o-realtime-stranger'
    const setting = JSON.stringify({
      proxy: `http://${pair.username}:p-secret%3Aword@127.0.0.1:${tunnels.port}`,
    })
    const base_url = `https://127.0.0.1:${upstream.port}`
    await operator.addChannel({ name: model, models: model, base_url, setting })
    expect(await ask(model).catch((error: unknown) => error)).toMatchObject({ status: 502 })
    expect(JSON.parse((await session(model, 9))[0] ?? '')).toMatchObject({ type: 'error' })
  })
})
