import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type DialectName, dialectCalls } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { cutsEditedReply, type Edit, repliesEdited } from '../../support/protocols/edited-replies.ts'
import { type Counts, sseFrame } from '../../support/protocols/protocol.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/protocols/scripted-upstream.ts'
import { addChannelTo, upstreamKinds } from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

type Body = Readonly<Record<string, unknown>>

/** A token costs one unit, a call of a tool 5,000: 10 dollars for 1,000 of them. */
const options = {
  ModelRatio: { priced: 1, bare: 1 },
  CompletionRatio: { priced: 1, bare: 1 },
  CacheRatio: { priced: 0.5 },
  ToolPrice: { priced: { web_search: 10, google_search: 10, code_execution: 10, file_search: 2 } },
  TierRatio: { priced: { flex: 0.5, priority: 2, ultrafast: 6, fast: 3, us: 1.1 } },
  LengthPrice: {
    priced: [
      { above: 2000, input: 2, output: 3, cached: 1 },
      { above: 5000, input: 4, output: 4 },
    ],
  },
}
/** Switches of fields that are allowed without a price. */
const switches = { allow_service_tier: true, allow_hosted_tools: true, allow_speed: true }

let gateway: Tollgate
let operator: Operator
let key: string
const upstreams = {} as Record<DialectName, ScriptedUpstream>
const dialects = ['openai', 'responses', 'anthropic', 'gemini'] as const

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  key = (await operator.addKey()).key
  for (const name of dialects) {
    upstreams[name] = await startScriptedUpstream(upstreamKinds[name].protocol)
    const type = name === 'responses' ? { type: 48, base_url: upstreams[name].url } : {}
    for (const [models, setting] of [
      ['priced', {}],
      ['bare', switches],
    ] as const) {
      const fields = { models: `${models}-${name}`, setting: JSON.stringify(setting), ...type }
      await addChannelTo(operator, name, upstreams[name], fields)
    }
  }
  const named = (entries: object) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([model, value]) =>
        dialects.map((name) => [`${model}-${name}`, value]),
      ),
    )
  for (const [name, value] of Object.entries(options))
    await operator.option(name, JSON.stringify(named(value)))
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of Object.values(upstreams)) await upstream.stop()
})
beforeEach(() => {
  for (const upstream of Object.values(upstreams)) upstream.forget()
})

const counts = (more: Partial<Counts> = {}): Counts => ({
  input: 1000,
  cacheRead: 0,
  cacheWrite: 0,
  output: 100,
  reasoning: 0,
  ...more,
})
const reply = (more?: Partial<Counts>) => ({ text: ['Hello ', 'there.'], counts: counts(more) })

function ask(dialect: DialectName, model: string, fields: Body, stream: boolean, by = key) {
  const call = dialectCalls.find(({ name }) => name === dialect) ?? dialectCalls[0]
  return fetch(gateway.url + call.path(model, stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...call.body(model, stream), ...fields }),
  })
}

/** Runs a call to its end: what it cost, and what its row says of that. */
async function charged(dialect: DialectName, model: string, fields: Body, stream: boolean) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const response = await ask(dialect, model, fields, stream)
  const text = await response.text().catch(() => '')
  expect([response.status, text]).toEqual([200, expect.any(String)])
  const row = await operator.consumption(rows + 1)
  expect(before - (await operator.quota())).toBe(row.quota)
  const { tool_calls, tier_ratios, length_step } = JSON.parse(row.other)
  return { quota: row.quota, tool_calls, tier_ratios, length_step }
}

const objectIn = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Body) : undefined
const everywhere =
  (more: Body): Edit =>
  (stated) => ({ ...stated, ...more })
/** Edits the usage of Messages, wherever an event has one. */
const inUsage =
  (more: Body): Edit =>
  (stated) => {
    const message = objectIn(stated.message)
    if (message !== undefined) return { ...stated, message: inUsage(more)(message) }
    return stated.usage === undefined ? stated : { ...stated, usage: { ...objectIn(stated.usage), ...more } }
  }
/** Edits the response of Responses, buffered or as its events report it. */
const inResponse =
  (more: Body): Edit =>
  (stated) => {
    const response = objectIn(stated.response) ?? (stated.object === 'response' ? stated : undefined)
    if (response === undefined || response.status === 'in_progress') return stated
    const output = [
      ...((more.output ?? []) as readonly unknown[]),
      ...((response.output ?? []) as readonly unknown[]),
    ]
    const reported = { ...response, ...more, output }
    return stated === response ? reported : { ...stated, response: reported }
  }
const searches =
  (queries: readonly string[]): Edit =>
  (stated) => {
    const candidates = stated.candidates as readonly Body[] | undefined
    if (candidates === undefined) return stated
    const groundingMetadata = { webSearchQueries: queries }
    return { ...stated, candidates: candidates.map((each) => ({ ...each, groundingMetadata })) }
  }

const searched = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'x' },
}
const hosted = { tools: [{ type: 'web_search' }] }
const claudeSearch = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
const googleSearch = { tools: [{ googleSearch: {} }] }
const search = (calls: number, price = 10) => ({ web_search: { calls, price } })

/** A call as requested, the parts of the response beside the text, and the charge. */
type Trial = readonly [
  what: string,
  dialect: DialectName,
  fields: Body,
  edit: Edit,
  quota: number,
  reported: { readonly tool_calls?: object; readonly tier_ratios?: object },
]

const trials: readonly Trial[] = [
  [
    'the tier that served it',
    'openai',
    { service_tier: 'priority' },
    everywhere({ service_tier: 'priority' }),
    2200,
    { tier_ratios: { priority: 2 } },
  ],
  [
    'OpenAI’s newer name of it',
    'openai',
    { service_tier: 'fast' },
    everywhere({ service_tier: 'fast' }),
    2200,
    { tier_ratios: { priority: 2 } },
  ],
  [
    'a tier it was not served by',
    'openai',
    { service_tier: 'ultrafast' },
    everywhere({ service_tier: 'default' }),
    1100,
    {},
  ],
  [
    'as requested, where the response names no tier',
    'openai',
    { service_tier: 'priority' },
    everywhere({}),
    2200,
    { tier_ratios: { priority: 2 } },
  ],
  [
    'a tier of the vendor’s own choice',
    'openai',
    {},
    everywhere({ service_tier: 'flex' }),
    550,
    { tier_ratios: { flex: 0.5 } },
  ],
  [
    'a search that is not counted, once',
    'openai',
    { web_search_options: {} },
    everywhere({}),
    6100,
    { tool_calls: search(1) },
  ],
  [
    'searches that its usage counts',
    'openai',
    { enable_search: true },
    (stated) =>
      stated.usage == null
        ? stated
        : { ...stated, usage: { ...objectIn(stated.usage), plugins: { search: { count: 2 } } } },
    11_100,
    { tool_calls: search(2) },
  ],
  [
    'searches, and not the pages that they open',
    'responses',
    hosted,
    inResponse({ output: [searched, { ...searched, action: { type: 'open_page' } }, searched] }),
    11_100,
    { tool_calls: search(2) },
  ],
  [
    'a downgrade',
    'responses',
    { service_tier: 'priority' },
    inResponse({ service_tier: 'default' }),
    1100,
    {},
  ],
  [
    'searches, in a tier that multiplies tokens alone',
    'responses',
    { ...hosted, service_tier: 'flex' },
    inResponse({ service_tier: 'flex', output: [searched] }),
    5550,
    { tool_calls: search(1), tier_ratios: { flex: 0.5 } },
  ],
  [
    'searches of Claude',
    'anthropic',
    claudeSearch,
    inUsage({ server_tool_use: { web_search_requests: 3 } }),
    16_100,
    { tool_calls: search(3) },
  ],
  [
    'speed and place',
    'anthropic',
    { speed: 'fast', inference_geo: 'us' },
    inUsage({ service_tier: 'standard', speed: 'fast', inference_geo: 'us' }),
    3630,
    { tier_ratios: { fast: 3, us: 1.1 } },
  ],
  [
    'a speed it was not served with',
    'anthropic',
    { speed: 'fast' },
    inUsage({ speed: 'standard' }),
    1100,
    {},
  ],
  [
    'searches of Google',
    'gemini',
    googleSearch,
    searches(['a', 'b']),
    11_100,
    { tool_calls: { google_search: { calls: 2, price: 10 } } },
  ],
  [
    'a tier that Gemini names',
    'gemini',
    { serviceTier: 'priority' },
    (stated) => ({
      ...stated,
      ...(stated.usageMetadata !== undefined && {
        usageMetadata: { ...objectIn(stated.usageMetadata), serviceTier: 'priority' },
      }),
    }),
    2200,
    { tier_ratios: { priority: 2 } },
  ],
]

describe.each([false, true])('a call pays, streamed: %p,', (stream) => {
  it.each(trials)('for %s (%s, %j)', async (_what, dialect, fields, edit, quota, reported) => {
    upstreams[dialect].otherwise(repliesEdited(reply(), edit))
    const charge = await charged(dialect, `priced-${dialect}`, fields, stream)
    expect(charge).toEqual({
      quota,
      tool_calls: undefined,
      tier_ratios: undefined,
      length_step: undefined,
      ...reported,
    })
  })

  it.each(dialects)('by the length of its prompt, cached tokens included (%s)', async (dialect) => {
    upstreams[dialect].otherwise(repliesEdited(reply({ input: 1500, cacheRead: 1000 }), everywhere({})))
    const body = { ...(dialect === 'gemini' ? {} : { metadata: {} }) }
    const charge = await charged(dialect, `priced-${dialect}`, body, stream)
    expect(charge.length_step).toEqual({ above: 2000, input: 2, output: 3, cached: 1 })
    expect(charge.quota).toBe(1500 * 2 + 1000 * 0.5 + 100 * 3)
  })

  it('nothing for what has no price and was let pass, which its row says', async () => {
    upstreams.anthropic.otherwise(
      repliesEdited(reply(), inUsage({ speed: 'fast', server_tool_use: { web_search_requests: 2 } })),
    )
    const charge = await charged('anthropic', 'bare-anthropic', { ...claudeSearch, speed: 'fast' }, stream)
    expect(charge).toMatchObject({ quota: 1100, tool_calls: search(2, 0), tier_ratios: { fast: 1 } })
  })
})

describe('the price sheet of a model', () => {
  const model = 'priced-responses'
  const times = { zone: 'UTC', windows: [{ from: '00:00', to: '00:00', ratio: 0.5 }] }
  const sheet = {
    model_name: model,
    price: { input: 2, output: 2, cache_read: 1 },
    entries: {
      tools: { web_search: 20 },
      tiers: { flex: 0.25 },
      // A search is a second prompt: each of the two is half of the 1,000 tokens.
      steps: [{ above: 400, input: 3, output: 3 }],
    },
    costs: [{ upstream_model: model, price: { input: 1, output: 1 }, times, times_base: null }],
  }
  const save = (body: Body) => operator.call('PUT', '/api/models/price', body)
  const flexSearch = async () => {
    upstreams.responses.otherwise(
      repliesEdited(reply(), inResponse({ service_tier: 'flex', output: [searched] })),
    )
    return (await charged('responses', model, { ...hosted, service_tier: 'flex' }, false)).quota
  }

  it('is refused as a whole, with the name of what is wrong', async () => {
    const refused = await save({ ...sheet, price: { input: 4 }, entries: { tiers: { flex: -1 } } })
    expect(refused).toMatchObject({ success: false, code: 'option_entry_tier_ratio' })
    const stale = await save({ ...sheet, entries_base: { tools: { web_search: 99 } } })
    expect(stale).toMatchObject({ success: false, code: 'edit_conflict' })
    expect(await flexSearch()).toBe(550 + 5000)
  })

  it('is saved by one call with one record, is what is charged, and is taken back as one', async () => {
    expect(await save(sheet)).toMatchObject({ success: true })
    expect(await flexSearch()).toBe((1000 * 3 + 100 * 3) / 4 + 10_000)
    const [row] = await operator.api<readonly Body[]>('GET', `/api/data/costs?model_name=${model}`)
    expect(row).toMatchObject({ source: 'option', own_cost: { input: 1, output: 1 }, own_times: times })
    const { items } = await operator.api<{ items: readonly Body[] }>('GET', '/api/audit_log/?p=1&page_size=2')
    expect(items[0]).toMatchObject({ action: 'model.price', target_kind: 'model', target_name: model })
    expect(items[1]?.action).not.toBe('model.price')
    await operator.api('POST', `/api/audit_log/${items[0]?.id}/revert`)
    expect(await flexSearch()).toBe(550 + 5000)
    expect(await operator.api('GET', `/api/data/costs?model_name=${model}`)).toMatchObject([
      { source: 'unknown', own_cost: {} },
    ])
  })
})

describe('what a job costs', () => {
  it.each([
    ['a short prompt', {}],
    ['a long one, partly from a cache', { input: 1500, cacheRead: 1000 }],
    ['one beyond the second length', { input: 5500, cacheRead: 100, output: 7 }],
  ])('is what a call of that size is charged: %s', async (_what, more) => {
    const { input, cacheRead, output } = counts(more)
    upstreams.openai.otherwise(repliesEdited(reply(more), everywhere({})))
    const { quota } = await charged('openai', 'priced-openai', {}, false)
    const job = { input_tokens: input + cacheRead, cached_tokens: cacheRead, output_tokens: output }
    const found = await operator.api<readonly Body[]>('POST', '/api/pricing/job', job)
    expect(found.find(({ model_name }) => model_name === 'priced-openai')?.quota).toBe(quota)
  })

  it('counts a pasted text for people who are logged in, and for nobody else', async () => {
    const text = 'The quick brown fox. '.repeat(10)
    const [first] = await operator.api<readonly Body[]>('POST', '/api/pricing/job', { text, input_tokens: 9 })
    expect(first?.input_tokens).toBeWithin(40, 61)
    const stranger = await fetch(`${gateway.url}/api/pricing/job`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
    expect(await stranger.json()).toMatchObject({ success: false, code: 'not_logged_in' })
    const foreign = await operator.call('POST', '/api/pricing/job', { group: 'nobodys' })
    expect(foreign).toMatchObject({ success: false, code: 'token_group_not_usable' })
  })
})

describe('a stream that breaks off', () => {
  it('pays for the searches that the upstream reported', async () => {
    const done = { type: 'response.output_item.done', output_index: 7, item: searched }
    upstreams.responses.otherwise(({ call, response, protocol }) => {
      response.writeHead(200, { 'content-type': protocol.streamType })
      const frames = protocol.frames(reply(), call).map(({ bytes }) => bytes)
      const reported = [
        ...frames.slice(0, 2),
        sseFrame(done, { event: done.type }).bytes,
        ...frames.slice(2, 5),
      ]
      response.write(Buffer.concat(reported), () => setTimeout(() => response.destroy(), 20))
    })
    const charge = await charged('responses', 'priced-responses', hosted, true)
    expect(charge.tool_calls).toEqual(search(1))
    expect(charge.quota).toBeGreaterThan(5000)
  })

  it('pays for the requested tier, where the upstream had not reported one', async () => {
    upstreams.openai.otherwise(cutsEditedReply(reply(), everywhere({}), 3))
    const charge = await charged('openai', 'priced-openai', { service_tier: 'priority' }, true)
    expect(charge.tier_ratios).toEqual({ priority: 2 })
  })
})

describe('a balance', () => {
  it.each<[string, DialectName, Body]>([
    ['a tier', 'openai', { service_tier: 'ultrafast', max_tokens: 100 }],
    ['tools', 'responses', { ...hosted, max_output_tokens: 100 }],
  ])('must carry what %s may cost', async (_what, dialect, fields) => {
    const plain = Object.fromEntries(Object.entries(fields).filter(([name]) => /^max_/.test(name)))
    const userWithoutQuota = await operator.addKey({ unlimited_quota: false, remain_quota: 300 })
    const refused = await ask(dialect, `priced-${dialect}`, fields, false, userWithoutQuota.key)
    expect([refused.status, upstreams[dialect].calls.length]).toEqual([403, 0])
    upstreams[dialect].otherwise(repliesEdited(reply({ input: 10, output: 5 }), everywhere({})))
    expect((await ask(dialect, `priced-${dialect}`, plain, false, userWithoutQuota.key)).status).toBe(200)
  })
})

describe('the public list of prices', () => {
  it('names what costs extra', async () => {
    const { data } = await (await fetch(`${gateway.url}/api/pricing`)).json()
    const row = data.find(({ model_name }: Body) => model_name === 'priced-openai')
    expect(row).toMatchObject({
      tool_prices: options.ToolPrice.priced,
      tier_ratios: options.TierRatio.priced,
      length_steps: options.LengthPrice.priced,
    })
  })
})
