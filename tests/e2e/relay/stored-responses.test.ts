import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { anthropicProtocol } from '../../support/protocols/anthropic.ts'
import { geminiProtocol } from '../../support/protocols/gemini.ts'
import { openAiProtocol } from '../../support/protocols/openai.ts'
import type { Counts, Protocol } from '../../support/protocols/protocol.ts'
import { responsesProtocol } from '../../support/protocols/responses.ts'
import {
  cutsAfter,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

/** Every response with an id of its own, as its vendor assigns them. */
let replies = 0
const ownIds: Protocol = {
  ...responsesProtocol,
  buffered: (reply, call) => ({ ...responsesProtocol.buffered(reply, call), id: `resp_${++replies}` }),
  frames(reply, call) {
    replies += 1
    return responsesProtocol.frames(reply, call).map(({ bytes, delivers }) => ({
      bytes: Buffer.from(new TextDecoder().decode(bytes).replaceAll('resp_68af4030592c', `resp_${replies}`)),
      delivers,
    }))
  },
}

const kinds = {
  'Chat Completions': { protocol: openAiProtocol, type: 43, model: 'house-chat' },
  Anthropic: { protocol: anthropicProtocol, type: 14, model: 'house-anthropic' },
  Gemini: { protocol: geminiProtocol, type: 24, model: 'house-gemini' },
  Responses: { protocol: ownIds, type: 48, model: 'house-responses' },
} as const satisfies Record<string, { protocol: Protocol; type: number; model: string }>
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<Kind, ScriptedUpstream>>
let client: OpenAI
let other: OpenAI

const clientFor = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const started = kindNames.map(async (name) => {
    const { protocol, type, model } = kinds[name]
    const upstream = await startScriptedUpstream(protocol)
    await operator.addChannel({ name, type, key: 'sk-upstream', base_url: upstream.url, models: model })
    return [name, upstream] as const
  })
  upstreams = Object.fromEntries(await Promise.all(started)) as Record<Kind, ScriptedUpstream>
  await operator.option(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(kindNames.map((name) => [kinds[name].model, 1]))),
  )
  client = clientFor((await operator.addKey()).key)
  const otherUser = await addUser(gateway, 'stranger', 1_000_000)
  other = clientFor((await otherUser.addKey()).key)
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of Object.values(upstreams ?? {})) await upstream.stop()
})

const counts: Counts = { input: 100, cacheRead: 0, cacheWrite: 0, output: 30, reasoning: 0 }

function reported(name: Kind, text: string): ScriptedUpstream {
  const upstream = upstreams[name]
  upstream.forget()
  upstream.otherwise(says({ text: [text], counts }))
  return upstream
}

const refusalOf = (asking: Promise<unknown>) => asking.then(() => undefined).catch((error: unknown) => error)

describe.each(
  kindNames.flatMap((name) => [[name, 'streamed', true] as const, [name, 'whole', false] as const]),
)('a conversation over an upstream that speaks %s, %s', (name, _form, stream) => {
  const { model } = kinds[name]
  const ask = (body: object) =>
    stream
      ? client.responses.stream({ model, ...body } as never).finalResponse()
      : client.responses.create({ model, ...body } as never)

  it('continues a response by its id, with the conversation before it', async () => {
    reported(name, 'Nice to meet you, Urs.')
    const first = await ask({ input: 'I am Urs.', instructions: 'Be brief.' })
    const upstream = reported(name, 'You are Urs.')
    const second = await ask({ input: 'Who am I?', previous_response_id: first.id })
    expect(second.output_text).toBe('You are Urs.')
    expect(second.previous_response_id).toBe(first.id)
    const [call] = upstream.calls
    const sent = JSON.stringify(call?.json)
    const positions = ['I am Urs.', 'Nice to meet you, Urs.', 'Who am I?'].map((text) => sent.indexOf(text))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(positions[0]).toBeGreaterThan(0)
    // Instructions belong to one call alone; no id of a response goes upstream.
    expect(sent).not.toContain('Be brief.')
    expect(sent).not.toContain(first.id)
    reported(name, 'Still Urs.')
    const third = await ask({ input: [{ role: 'user', content: 'Sure?' }], previous_response_id: second.id })
    expect(JSON.stringify(upstreams[name].calls[0]?.json)).toContain('I am Urs.')
    const retained = await client.responses.retrieve(third.id)
    expect(retained).toMatchObject({
      id: third.id,
      output_text: 'Still Urs.',
      previous_response_id: second.id,
      store: true,
    })
  })
})

describe('a stored response', () => {
  const { model } = kinds.Responses

  async function responded(body: object = {}) {
    reported('Responses', 'Hello.')
    return client.responses.create({ model, input: 'Hi', ...body })
  }

  it('is listed with what it was given to, page by page', async () => {
    const input = [1, 2, 3].map((position) => ({ role: 'user' as const, content: `line ${position}` }))
    const { id } = await responded({ input })
    const texts: unknown[] = []
    for await (const item of client.responses.inputItems.list(id, { limit: 2, order: 'asc' }))
      texts.push((item as { content: { text: string }[] }).content[0]?.text)
    expect(texts).toEqual(['line 1', 'line 2', 'line 3'])
    const newest = await client.responses.inputItems.list(id, { limit: 1 })
    expect(newest.data).toMatchObject([{ type: 'message', role: 'user', content: [{ text: 'line 3' }] }])
    expect(newest.has_more).toBe(true)
    expect(await refusalOf(client.responses.inputItems.list(id, { limit: 0 }).then())).toMatchObject({
      status: 400,
      param: 'limit',
    })
  })

  it('gives its items to calls that refer to them', async () => {
    const first = await responded()
    const [item] = first.output
    const upstream = reported('Anthropic', 'Yes.')
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'item_reference', id: item?.id ?? '' },
      { role: 'user', content: 'Did you say so?' },
    ] as OpenAI.Responses.ResponseInput
    await client.responses.create({ model: kinds.Anthropic.model, input })
    expect(upstream.calls[0]?.json.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      { role: 'user' },
    ])
    const strange = await refusalOf(other.responses.create({ model, input }))
    expect(strange).toMatchObject({ status: 404, param: 'input[1]' })
  })

  it('is deleted when its caller says so', async () => {
    const { id } = await responded()
    await client.responses.delete(id)
    expect(await refusalOf(client.responses.retrieve(id))).toBeInstanceOf(OpenAI.NotFoundError)
    expect(await refusalOf(client.responses.delete(id))).toBeInstanceOf(OpenAI.NotFoundError)
    expect(
      await refusalOf(client.responses.create({ model, input: 'Hi', previous_response_id: id })),
    ).toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' })
  })

  it('is found by no other caller, not even by another key of its user', async () => {
    const { id } = await responded()
    const second = clientFor((await operator.addKey()).key)
    for (const otherUser of [other, second]) {
      expect(await refusalOf(otherUser.responses.retrieve(id))).toBeInstanceOf(OpenAI.NotFoundError)
      expect(await refusalOf(otherUser.responses.inputItems.list(id).then())).toBeInstanceOf(
        OpenAI.NotFoundError,
      )
      expect(await refusalOf(otherUser.responses.cancel(id))).toBeInstanceOf(OpenAI.NotFoundError)
      expect(await refusalOf(otherUser.responses.delete(id))).toBeInstanceOf(OpenAI.NotFoundError)
      expect(
        await refusalOf(otherUser.responses.create({ model, input: 'Hi', previous_response_id: id })),
      ).toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' })
    }
    expect((await client.responses.retrieve(id)).id).toBe(id)
  })

  it('cannot be cancelled, nor be streamed again', async () => {
    const { id } = await responded()
    expect(await refusalOf(client.responses.cancel(id))).toBeInstanceOf(OpenAI.BadRequestError)
    expect(await refusalOf(client.responses.retrieve(id, { stream: true }))).toMatchObject({
      status: 400,
      param: 'stream',
    })
  })

  it('is none when its caller wants none, or it broke off', async () => {
    const { id } = await responded({ store: false })
    expect(await refusalOf(client.responses.retrieve(id))).toBeInstanceOf(OpenAI.NotFoundError)
    upstreams.Responses.forget()
    upstreams.Responses.otherwise(cutsAfter(1, { text: ['one', 'two'] }))
    const events = await client.responses.create({ model, input: 'Hi', stream: true })
    let broken = ''
    await refusalOf(
      (async () => {
        for await (const event of events) if ('response' in event) broken = event.response.id
      })(),
    )
    expect(broken).toStartWith('resp_')
    expect(await refusalOf(client.responses.retrieve(broken))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('is counted with all that a call goes on from', async () => {
    const long = 'word '.repeat(3000)
    const { id } = await responded({ input: long })
    const { input_tokens } = await client.responses.inputTokens.count({
      model,
      input: 'Go on.',
      previous_response_id: id,
    })
    expect(input_tokens).toBeGreaterThan(3000)
    const upstream = upstreams['Chat Completions']
    upstream.forget()
    upstream.otherwise(says({ text: ['Done.'], countsAt: 'nowhere' }))
    const rows = await operator.consumed()
    await client.responses
      .stream({ model: kinds['Chat Completions'].model, input: 'Go on.', previous_response_id: id })
      .finalResponse()
    expect((await operator.consumption(rows + 1)).prompt_tokens).toBeGreaterThan(3000)
  })

  it('is sealed where it is kept', async () => {
    const { id } = await responded({ input: 'a very private word' })
    await client.responses.retrieve(id)
    const files = [...new Bun.Glob('tollgate.db*').scanSync(gateway.dataDir)]
    expect(files).not.toBeEmpty()
    for (const file of files)
      expect((await Bun.file(`${gateway.dataDir}/${file}`).bytes()).toString()).not.toContain('private word')
  })

  it('is kept for as long as the operator says, and not at all for 0 hours', async () => {
    const { id } = await responded()
    await operator.option('StoredResponseHours', '0')
    const forgotten = await responded()
    expect(
      await refusalOf(client.responses.create({ model, input: 'Hi', previous_response_id: id })),
    ).toMatchObject({ status: 400, param: 'previous_response_id' })
    await operator.option('StoredResponseHours', '24')
    expect(await refusalOf(client.responses.retrieve(forgotten.id))).toBeInstanceOf(OpenAI.NotFoundError)
    expect((await client.responses.retrieve(id)).id).toBe(id)
  })
})
