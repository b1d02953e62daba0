import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Agent, eventsIn, toolResult } from '../../support/agents/agent.ts'
import { claudeCodeOpus, claudeCodeSonnet } from '../../support/agents/claude-code.ts'
import { codex, codexLite, codexUnknown } from '../../support/agents/codex.ts'
import { geminiCli } from '../../support/agents/gemini-cli.ts'
import { openCodeGemini, openCodeMessages } from '../../support/agents/opencode.ts'
import { qwenCode } from '../../support/agents/qwen-code.ts'
import type { AgentRequest } from '../../support/dialects/agent-requests.ts'
import { operate } from '../../support/operator.ts'
import { says } from '../../support/protocols/scripted-upstream.ts'
import {
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 1, completion: 1 })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

const loops = [
  codexUnknown,
  codex,
  codexLite,
  qwenCode,
  claudeCodeSonnet,
  claudeCodeOpus,
  geminiCli,
  openCodeMessages,
  openCodeGemini,
] as const

/** Signatures of the vendors that sign their reasoning or their calls. */
const callSignature = 'CpkBAdHtim9Jc2lnbmVkQ2FsbA=='
const proofs: Readonly<Record<UpstreamName, string | undefined>> = {
  openai: undefined,
  responses: 'gAAAAABo',
  anthropic: 'ErUBCkYICBgCIkD0',
  gemini: callSignature,
  bedrock: 'ErUBCkYICBgCIkD0',
}
const next = (name: UpstreamName): UpstreamName =>
  upstreamNames[(upstreamNames.indexOf(name) + 1) % upstreamNames.length] as UpstreamName

describe.each(loops.map((agent) => [agent.name, agent] as const))('the tool loop of %s', (_name, agent) => {
  it.each([...upstreamNames])('ends at an upstream that is %s, with its own proofs', async (name) => {
    const reported = await secondTurn(agent, name, name)
    const proof = agent.keepsSignaturesOf.includes(name) ? proofs[name] : undefined
    if (proof !== undefined) expect(reported.body).toContain(proof)
  })

  it.each([...upstreamNames])('goes on at another upstream after %s, without the proofs', async (name) => {
    const reported = await secondTurn(agent, name, next(name))
    const proof = proofs[name]
    if (proof !== undefined) expect(reported.body).not.toContain(proof)
  })
})

describe.each([claudeCodeSonnet, openCodeMessages].map((agent) => [agent.name, agent] as const))(
  'the last turn of %s',
  (_name, agent) => {
    it.each([...upstreamNames])('ends with the text at an upstream that is %s', async (name) => {
      const { upstream, model } = upstreams[name]
      upstream.forget()
      upstream.otherwise(says({ reasoning: ['Hm.'], text: ['Two ', 'files.'], textSignature: 'VGV4dA==' }))
      const request = agent.request(model, [])
      const blocks = eventsIn<{ content_block?: { type: string } }>(await ask(agent, request)).flatMap(
        ({ content_block: block }) => block?.type ?? [],
      )
      expect(blocks.at(-1)).toBe('text')

      const buffered = { ...request, body: JSON.stringify({ ...JSON.parse(request.body), stream: false }) }
      const message = (await (await send(buffered)).json()) as { content: readonly object[] }
      expect(message.content.at(-1)).toMatchObject({ type: 'text', text: 'Two files.' })
    })
  },
)

describe.each([openCodeMessages, openCodeGemini].map((agent) => [agent.name, agent] as const))(
  '%s',
  (_name, agent) => {
    it.each([...upstreamNames])('has a title made by an upstream that is %s', async (name) => {
      const { upstream, model } = upstreams[name]
      upstream.forget()
      upstream.otherwise(says({ text: ['Files', ' here'] }))
      const text = await ask(agent, agent.titleRequest(model))
      expect(agent.dialect.textIn(text)).toBe('Files here')
      const [call] = upstream.calls
      expect(call && upstream.protocol.reported(call).tools).toEqual([])
    })
  },
)

it.each([
  [codexUnknown.name, codexUnknown, '] (web_search)'],
  [codex.name, codex, '] (web_search)'],
  [claudeCodeSonnet.name, claudeCodeSonnet, 'context_management'],
  [codexLite.name, codexLite, 'reasoning.context'],
  [claudeCodeOpus.name, claudeCodeOpus, 'context_management'],
  [openCodeMessages.name, openCodeMessages, 'tools[0].eager_input_streaming'],
] as const)('warns %s of what another vendor cannot be told', async (_name, agent, field) => {
  const { upstream, model } = upstreams.openai
  upstream.forget()
  const response = await send(agent.request(model, []))
  await response.text()
  expect(response.headers.get('x-tollgate-warning')).toContain(field)
})

it('tells its own vendor everything that Codex says, fields and tools in the input included', async () => {
  const { upstream, model } = upstreams.responses
  upstream.forget()
  const request = codexLite.request(model, [])
  await ask(codexLite, request)
  const [call] = upstream.calls
  expect(call?.json).toEqual(JSON.parse(request.body))
  expect(call?.headers).toMatchObject({ 'x-openai-internal-codex-responses-lite': 'true' })
})

/** Both turns of a loop; the second one as the upstream received it. */
async function secondTurn(agent: Agent, first: UpstreamName, second: UpstreamName) {
  const { name, arguments: provided } = agent.tool
  const pieces = [JSON.stringify(provided)]
  const call = { id: 'call_4tQ8aZ', name, pieces, ...(first === 'gemini' && { signature: callSignature }) }
  for (const each of [first, second]) upstreams[each].upstream.forget()
  upstreams[first].upstream.otherwise(says({ reasoning: ['I list ', 'them.'], toolCalls: [call] }))
  const reply = await ask(agent, agent.request(upstreams[first].model, []))
  expect(upstreams[first].upstream.calls.flatMap(toolsInPrompt(first))).toContain(name)

  const { upstream, model } = upstreams[second]
  upstream.otherwise(says({ text: ['Two ', 'files.'] }))
  const text = await ask(agent, agent.request(model, agent.turnsAfter(reply)))
  expect(agent.dialect.textIn(text)).toBe('Two files.')
  const reported = upstream.calls.at(-1)
  if (reported === undefined) throw new Error('the upstream was not asked')
  expect(upstream.protocol.reported(reported).toolTurns).toMatchObject([
    { name, arguments: provided, result: expect.stringContaining(toolResult) },
  ])
  return { body: reported.body.toString() }
}

function toolsInPrompt(name: UpstreamName) {
  const { protocol } = upstreams[name].upstream
  return (call: Parameters<typeof protocol.reported>[0]) => protocol.reported(call).tools
}

/** Sends a request unchanged, and reads the response to its end. */
async function ask({ dialect }: Agent, request: AgentRequest): Promise<string> {
  const response = await send(request)
  const text = await response.text()
  expect([response.status, dialect.errorIn(text)]).toEqual([200, undefined])
  expect(text).toMatch(dialect.endMark)
  return text
}

function send({ path, headers, body }: AgentRequest): Promise<Response> {
  const authorization = `Bearer ${key}`
  return fetch(gateway.url + path, { method: 'POST', headers: { ...headers, authorization }, body })
}
