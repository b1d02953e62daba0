import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import {
  type AgentRequest,
  claudeCodeRequest,
  geminiCliRequest,
  withUnusualFields,
} from '../../support/dialects/agent-requests.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { anthropicProtocol } from '../../support/protocols/anthropic.ts'
import { geminiProtocol } from '../../support/protocols/gemini.ts'
import type { ReceivedCall, Scripted } from '../../support/protocols/protocol.ts'
import {
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import { addChannelTo, upstreamKinds } from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const fromClaudeCode = (model: string) => withUnusualFields(claudeCodeRequest(model))
const fromGeminiCli = (model: string) => withUnusualFields(geminiCliRequest(model))
const claude = 'claude-sonnet-4-5-20250929'
const geminiModel = 'gemini-3.8-flash'
/** Served under this name, and asked for upstream under the other one. */
const claudeAlias = 'our-claude'
const geminiAlias = 'our-gemini'

let gateway: Tollgate
let operator: Operator
let anthropic: ScriptedUpstream
let gemini: ScriptedUpstream
let key: string

const reply: Scripted = {
  text: ['Zwei ', 'Dateien — 两个.'],
  toolCalls: [
    {
      id: 'toolu_01',
      name: 'Bash',
      pieces: ['{"command"', ':"cat README.md"}'],
      signature: 'CiQBVKhc7vB+vaaq6rA1MYkBAgM=',
    },
  ],
  counts: { input: 900, cacheRead: 20_000, cacheWrite: 0, output: 60, reasoning: 0 },
}

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const models = [claude, claudeAlias, geminiModel, geminiAlias]
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(models.map((name) => [name, 1]))))
  anthropic = await startScriptedUpstream(anthropicProtocol)
  gemini = await startScriptedUpstream(geminiProtocol)
  await addChannelTo(operator, 'anthropic', anthropic, {
    models: `${claude},${claudeAlias}`,
    model_mapping: JSON.stringify({ [claudeAlias]: claude }),
  })
  await addChannelTo(operator, 'gemini', gemini, {
    models: `${geminiModel},${geminiAlias}`,
    model_mapping: JSON.stringify({ [geminiAlias]: geminiModel }),
  })
  anthropic.otherwise(says(reply))
  gemini.otherwise(says(reply))
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await anthropic?.stop()
  await gemini?.stop()
})

interface CallCase {
  readonly call: ReceivedCall
  readonly response: Response
  readonly bytes: Buffer
}

async function send(
  upstream: ScriptedUpstream,
  { path, headers, body }: AgentRequest,
  keyHeader: string,
): Promise<CallCase> {
  const before = upstream.calls.length
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, [keyHeader]: key },
    body,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const call = upstream.calls[before]
  if (call === undefined) throw new Error(`nothing came through: ${response.status} ${bytes}`)
  return { call, response, bytes }
}

/** Returns what the upstream sent, byte for byte. */
function sentBy(upstream: ScriptedUpstream, call: ReceivedCall): Buffer {
  return Buffer.concat(upstream.protocol.frames(reply, call).map(({ bytes }) => bytes))
}

describe("Claude Code's request to an Anthropic upstream", () => {
  const { headers, body } = fromClaudeCode(claude)

  it('arrives with not a byte of its body changed, nor its betas, version and query', async () => {
    const { call } = await send(anthropic, fromClaudeCode(claude), 'x-api-key')
    expect(body.length).toBeGreaterThan(80_000)
    expect(call.body.toString()).toBe(body)
    expect(call.path + call.query).toBe('/v1/messages?beta=true')
    const retained = ['anthropic-beta', 'anthropic-version', 'x-app', 'x-stainless-timeout', 'content-type']
    for (const name of retained) expect([name, call.headers[name]]).toEqual([name, headers[name]])
  })

  it('gets its id under the name that the SDK of the format looks for', async () => {
    const { response } = await send(anthropic, fromClaudeCode(claude), 'x-api-key')
    expect(response.headers.get('request-id')).toMatch(/^\w{20,}$/)
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'))
  })

  it('goes under the key of the channel, and tells nothing of the caller', async () => {
    const { call } = await send(anthropic, fromClaudeCode(claude), 'authorization')
    expect(call.headers['x-api-key']).toBe(upstreamKinds.anthropic.key)
    expect(JSON.stringify(call.rawHeaders)).not.toContain(key.slice(3))
    expect(call.headers['x-forwarded-for']).toBeUndefined()
  })

  it('gets the bytes that the upstream sent', async () => {
    const { call, response, bytes } = await send(anthropic, fromClaudeCode(claude), 'x-api-key')
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(bytes.toString()).toBe(sentBy(anthropic, call).toString())
  })

  it('changes in the name of a mapped model alone', async () => {
    const { call } = await send(anthropic, fromClaudeCode(claudeAlias), 'x-api-key')
    expect(call.body.toString()).toBe(body)
    expect(call.headers['anthropic-beta']).toBe(headers['anthropic-beta'] ?? '')
  })
})

describe("Gemini CLI's request to a Gemini upstream", () => {
  const { headers, body } = fromGeminiCli(geminiModel)

  it('arrives with not a byte of its body changed, signatures included', async () => {
    const { call } = await send(gemini, fromGeminiCli(geminiModel), 'x-goog-api-key')
    expect(call.body.toString()).toBe(body)
    expect(call.path + call.query).toBe(`/v1beta/models/${geminiModel}:streamGenerateContent?alt=sse`)
    expect(call.headers['x-goog-api-client']).toBe(headers['x-goog-api-client'] ?? '')
    expect(call.headers['x-goog-api-key']).toBe(upstreamKinds.gemini.key)
    expect(JSON.stringify(call.rawHeaders)).not.toContain(key.slice(3))
  })

  it('gets the bytes that the upstream sent', async () => {
    const { call, bytes } = await send(gemini, fromGeminiCli(geminiModel), 'x-goog-api-key')
    expect(bytes.toString()).toBe(sentBy(gemini, call).toString())
  })

  it('changes only in the name of a mapped model, which is in the path', async () => {
    const { call } = await send(gemini, fromGeminiCli(geminiAlias), 'x-goog-api-key')
    expect(call.body.toString()).toBe(body)
    expect(call.path).toBe(`/v1beta/models/${geminiModel}:streamGenerateContent`)
  })

  it('gets one JSON list of the same events without `alt=sse`', async () => {
    const request = fromGeminiCli(geminiModel)
    const path = request.path.replace('?alt=sse', '')
    const { call, response, bytes } = await send(gemini, { ...request, path }, 'x-goog-api-key')
    expect(response.headers.get('content-type')).toContain('application/json')
    const sent = sentBy(gemini, call).toString().split('\r\n\r\n').filter(Boolean)
    expect(JSON.parse(bytes.toString())).toEqual(sent.map((event) => JSON.parse(event.slice(6))))
  })
})
