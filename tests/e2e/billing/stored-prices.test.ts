import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockedCompletionRatio } from '../../../apps/server/src/billing/pricing/completion-ratio.ts'
import type { CallMode } from '../../../packages/providers/src/provider.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { gatewayData } from '../../support/imports/gateways.ts'
import { callWith } from '../../support/imports/imported.ts'
import { writeDatabase } from '../../support/imports/schema.ts'
import { logIn, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(20_000))

/** One name of each family that has a ratio of its own, and one of none. */
const families = [
  'gpt-4o-2024-05-13',
  'gpt-4o',
  'gpt-4.5-preview',
  'gpt-4.1',
  'gpt-4-turbo',
  'gpt-4',
  'gpt-5.9',
  'o1',
  'o3-mini',
  'o4-mini',
  'chatgpt-4o-latest',
  'claude-2.1',
  'claude-3-opus',
  'claude-sonnet-4-5',
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-1106',
  'gpt-3.5-turbo-16k',
  'mistral-large-latest',
  'gemini-2.0-flash',
  'gemini-2.5-pro-preview-05-06',
  'command-r',
  'command-r-plus',
  'command-r-08-2024',
  'deepseek-chat',
  'ERNIE-Speed-8K',
  'llama2-70b-4096',
  'llama3-8b-8192',
  'llama3-70b-8192',
  'vendor/claude-3-opus',
  'my-model',
]
const unpriced = ['nobody-priced-this', 'mj_imagine', 'suno_music', 'MiniMax-Hailuo-02']

let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  key = (await operator.addKey()).key
  const base_url = upstream.url
  await operator.addChannel({ name: 'all', base_url, models: [...families, unpriced[0]].join(',') })
  await operator.addChannel({ name: 'drawings', type: 2, base_url, models: 'mj_imagine' })
  await operator.addChannel({ name: 'songs', type: 36, base_url, models: 'suno_music' })
  await operator.addChannel({ name: 'videos', type: 35, base_url, models: 'MiniMax-Hailuo-02' })
  await operator.option('ModelPrice', '{}')
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

const each = (ratio: number) => JSON.stringify(Object.fromEntries(families.map((model) => [model, ratio])))

/** Sends a call with the key, or with the session where the path is the console's; as a form where there is a file. */
function send(path: string, body: Readonly<Record<string, unknown>>) {
  const own = path.startsWith('/pg/')
    ? { cookie: operator.cookie, 'New-Api-User': String(operator.userId) }
    : { authorization: `Bearer ${key}` }
  const hasFile = Object.values(body).some((value) => value instanceof File)
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.append(name, value as string)
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: hasFile ? own : { ...own, 'content-type': 'application/json' },
    body: hasFile ? form : JSON.stringify(body),
  })
}

interface Row {
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

let calls = 0
/** Returns the input tokens that an output token was charged, at a model ratio of 1,000. */
async function chargedRatio(model: string): Promise<number> {
  const reply = await send('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
  expect([model, reply.status]).toEqual([model, 200])
  calls += 1
  const row: Row = await operator.consumption(calls)
  return (row.quota / 1000 - row.prompt_tokens) / row.completion_tokens
}

interface Served {
  readonly model_name: string
  readonly default_completion_ratio: number
  readonly completion_ratio: number
}

const served = async () =>
  new Map(
    (await operator.api<Served[]>('GET', '/api/models/prices')).map((row) => [row.model_name, row] as const),
  )

/** Saves, and confirms what it is asked about. */
async function confirmed(method: string, path: string, body: object): Promise<void> {
  const requested = await operator.call(method, path, body)
  if (requested.success) return
  const { confirmation } = requested as typeof requested & { readonly confirmation?: string }
  await operator.api(method, path, { ...body, confirmation })
}

/** The ways of setting an output price that is a multiple of the input price. */
const ways: Readonly<Record<string, (ratio: number) => Promise<unknown>>> = {
  'the map of ratios': (ratio) => operator.option('CompletionRatio', each(ratio)),
  'entries of the map': async (ratio) => {
    const options = [{ key: 'CompletionRatio', entries: JSON.parse(each(ratio)) }]
    await confirmed('PUT', '/api/option/batch', { options })
  },
  'a batch of complete maps': async (ratio) => {
    const options = [
      { key: 'ModelRatio', value: each(1000) },
      { key: 'CompletionRatio', value: each(ratio) },
    ]
    await confirmed('PUT', '/api/option/batch', { options })
  },
  'a revert in the audit log': async (ratio) => {
    await operator.option('CompletionRatio', each(ratio))
    await operator.option('CompletionRatio', each(ratio + 1))
    const { items } = await operator.api<{ items: { id: number }[] }>(
      'GET',
      '/api/audit_log/?p=1&page_size=1&action=option.update',
    )
    const revert = `/api/audit_log/${items[0]?.id}/revert`
    const { confirmation = '' } = (await operator.call('POST', revert)) as { readonly confirmation?: string }
    await operator.api('POST', `${revert}?${new URLSearchParams({ confirmation })}`)
  },
  'the price of the model': async (ratio) => {
    for (const model_name of families) {
      const price = { input: 2000, output: 2000 * ratio }
      await confirmed('PUT', '/api/models/price', { model_name, price })
    }
  },
}

describe('a price that is set', () => {
  it.each(Object.entries(ways))('by %s is the price, whatever the family of the model', async (name, set) => {
    const ratio = 2 + Object.keys(ways).indexOf(name)
    await operator.option('ModelRatio', each(1000))
    await set(ratio)
    for (const model of families) expect([model, await chargedRatio(model)]).toEqual([model, ratio])
    for (const model of families) expect((await served()).get(model)?.completion_ratio).toBe(ratio)
  })

  it('has the ratio of the family where none is stored, which the console is told', async () => {
    await operator.option('ModelRatio', each(1000))
    await operator.option('CompletionRatio', '{}')
    const rows = await served()
    expect(rows.get('gpt-5.9')?.default_completion_ratio).toBe(8)
    expect(rows.get('my-model')?.default_completion_ratio).toBe(1)
    for (const model of families)
      expect(await chargedRatio(model)).toBeCloseTo(rows.get(model)?.default_completion_ratio ?? 0, 2)
  })
})

/** The installations whose prices are imported, with what is charged there for an output token of each model. */
const sources = {
  // Its program has ratios for some families, which count there whatever is stored.
  'new-api': (model: string, stored: number) => lockedCompletionRatio(model) ?? stored,
  'one-api': (_model: string, stored: number) => stored,
  tollgate: (_model: string, stored: number) => stored,
  litellm: (_model: string, stored: number) => stored,
} as const

describe('a price that is imported', () => {
  const stored = 7
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-prices-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function sourceOf(kind: keyof typeof sources): Promise<readonly string[]> {
    const options = { ModelRatio: each(1000), CompletionRatio: each(stored) }
    if (kind === 'tollgate') return await ownDatabase(options)
    if (kind === 'litellm') return [configOf(families)]
    const file = join(folder, `${kind}.db`)
    const { schema, rows } = await gatewayData(kind, upstream.url)
    const written = Object.entries(options).map(([name, value]) => ({ key: name, value }))
    // Balances that pay for calls at such prices.
    const users = rows['users']?.map((user) => ({ ...user, quota: 1_000_000_000 })) ?? []
    await writeDatabase(file, schema, { ...rows, users, options: written })
    return [file]
  }

  async function ownDatabase(options: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const file = join(folder, 'tollgate.db')
    for (const [name, value] of Object.entries(options)) await operator.option(name, value)
    using database = openBeside(gateway.dataDir)
    database.run('vacuum into ?', [file])
    return [file, '--source-secret', join(gateway.dataDir, 'secret.key')]
  }

  /** A config.yaml of LiteLLM, which is JSON as well. */
  function configOf(models: readonly string[]): string {
    const file = join(folder, 'config.yaml')
    const model_list = models.map((model) => ({
      model_name: model,
      litellm_params: {
        model: `openai/${model}`,
        api_base: `${upstream.url}/v1`,
        api_key: 'sk-of-litellm',
        input_cost_per_token: 0.002,
        output_cost_per_token: 0.002 * stored,
      },
    }))
    writeFileSync(file, JSON.stringify({ model_list }))
    return file
  }

  async function enter(url: string, kind: keyof typeof sources): Promise<Operator> {
    if (kind === 'litellm') return await operate(url)
    const password = kind === 'tollgate' ? rootAccount.password : 'a password of old'
    return await logIn(url, { username: 'root', password })
  }

  it.each(Object.keys(sources) as (keyof typeof sources)[])(
    'from %s is what was charged there, whatever the family of the model',
    async (kind) => {
      const dataDir = join(folder, `into-${kind}`)
      const source = await sourceOf(kind)
      // A price far above all known ones is asked about.
      const done = await runTollgate(['import', '--from', kind, ...source, '--apply', '--confirm'], {
        DATA_DIR: dataDir,
      })
      expect(done).toMatchObject({ code: 0 })
      const into = await startTollgate({ dataDir, env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
      try {
        const root = await enter(into.url, kind)
        if (kind !== 'litellm')
          await root.addChannel({ name: 'served', base_url: upstream.url, models: families.join(',') })
        const rows = await root.api<Served[]>('GET', '/api/models/prices')
        const found = new Map(rows.map((row) => [row.model_name, row.completion_ratio]))
        for (const model of families)
          expect([model, found.get(model)]).toEqual([model, sources[kind](model, stored)])
        const { key: own } = await root.addKey()
        const before = await root.consumed()
        for (const [index, model] of families.entries()) {
          expect([model, await callWith(into.url, own, model)]).toEqual([model, 200])
          const row: Row = await root.consumption(before + index + 1)
          const ratio = (row.quota / 1000 - row.prompt_tokens) / row.completion_tokens
          expect(ratio).toBeCloseTo(sources[kind](model, stored), 3)
        }
      } finally {
        await into.stop()
      }
    },
  )
})

describe('a price by time of day', () => {
  it('is that of the window in which the call is accepted, and the row names it', async () => {
    await operator.option('ModelRatio', each(1000))
    await operator.option('CompletionRatio', each(2))
    const day = { from: '00:00', to: '00:00', ratio: 0.5 }
    const times = { zone: 'Asia/Kathmandu', windows: [day] }
    await operator.option('TimePrice', JSON.stringify({ 'my-*': times }))
    await chargedRatio('my-model')
    const { other, quota, prompt_tokens, completion_tokens } = await operator.consumption(calls)
    expect(quota).toBe((prompt_tokens + 2 * completion_tokens) * 500)
    expect(JSON.parse(other)).toMatchObject({
      model_ratio: 500,
      price_window: { ...day, zone: 'Asia/Kathmandu' },
    })
    const [row] = (
      await operator.api<{ model_name: string; time_prices?: unknown }[]>('GET', '/api/pricing')
    ).filter(({ model_name }) => model_name === 'my-model')
    expect(row?.time_prices).toEqual(times)
    const wrong = { 'my-*': { zone: 'Mars/Olympus', windows: [day] } }
    const refused = await operator.call('PUT', '/api/option/', {
      key: 'TimePrice',
      value: JSON.stringify(wrong),
    })
    expect([refused.success, refused.message]).toEqual([false, expect.stringContaining('my-*')])
  })
})

describe('a model without a price', () => {
  const model = 'nobody-priced-this'
  const messages = [{ role: 'user', content: 'Hi' }]
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  const image = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png', { type: 'image/png' })
  const sound = new File([new Uint8Array(400)], 'a.mp3', { type: 'audio/mpeg' })
  type Door = readonly [path: string, body: Readonly<Record<string, unknown>>]

  /** Every door of every kind of work: a new kind without one is no type. Counting tokens is free. */
  const doors: Readonly<Record<Exclude<CallMode, 'count-tokens' | 'realtime'>, readonly Door[]>> = {
    chat: [
      ['/v1/chat/completions', { model, messages }],
      ['/v1/responses', { model, input: 'Hi' }],
      ['/v1/responses/compact', { model, input: 'Hi' }],
      ['/v1/messages', { model, max_tokens: 9, messages }],
      [`/v1beta/models/${model}:generateContent`, { contents }],
      [`/v1beta/models/${model}:streamGenerateContent`, { contents }],
      ['/v1/edits', { model, input: 'Hi', instruction: 'Shout' }],
      ['/pg/chat/completions', { model, messages }],
    ],
    completions: [['/v1/completions', { model, prompt: 'Hi' }]],
    embeddings: [
      ['/v1/embeddings', { model, input: 'Hi' }],
      [`/v1/engines/${model}/embeddings`, { input: 'Hi' }],
      [`/v1beta/models/${model}:embedContent`, { content: { parts: [{ text: 'Hi' }] } }],
      [
        `/v1beta/models/${model}:batchEmbedContents`,
        { requests: [{ model: `models/${model}`, content: { parts: [{ text: 'Hi' }] } }] },
      ],
    ],
    moderations: [['/v1/moderations', { model, input: 'Hi' }]],
    rerank: [
      ['/v1/rerank', { model, query: 'Hi', documents: ['a', 'b'] }],
      ['/rerank', { model, query: 'Hi', documents: ['a', 'b'] }],
      ['/v2/rerank', { model, query: 'Hi', documents: ['a', 'b'] }],
    ],
    images: [['/v1/images/generations', { model, prompt: 'a cat' }]],
    'image-edits': [['/v1/images/edits', { model, prompt: 'a cat', image }]],
    'image-variations': [['/v1/images/variations', { model, image }]],
    speech: [['/v1/audio/speech', { model, input: 'Hi', voice: 'alloy' }]],
    transcriptions: [['/v1/audio/transcriptions', { model, file: sound }]],
    translations: [['/v1/audio/translations', { model, file: sound }]],
    video: [
      ['/v1/videos', { model: 'MiniMax-Hailuo-02', prompt: 'a cat' }],
      ['/v1/video/generations', { model: 'MiniMax-Hailuo-02', prompt: 'a cat' }],
      ['/pg/v1/videos', { model: 'MiniMax-Hailuo-02', prompt: 'a cat' }],
    ],
    drawing: [
      ['/mj/submit/imagine', { prompt: 'a cat' }],
      ['/mj-fast/mj/submit/imagine', { prompt: 'a cat' }],
      ['/pg/mj/submit/imagine', { prompt: 'a cat' }],
    ],
    music: [
      ['/suno/submit/music', { prompt: 'la' }],
      ['/pg/suno/submit/music', { prompt: 'la' }],
    ],
  }
  const tasks = [...doors.video, ...doors.drawing, ...doors.music]

  async function refuses(path: string, body: Door[1]): Promise<void> {
    const before = await operator.quota()
    const sent = upstream.calls.length
    const reply = await send(path, body)
    const text = await reply.text()
    expect([reply.status >= 400, text]).toEqual([true, expect.stringContaining('price')])
    expect(upstream.calls.length).toBe(sent)
    expect(await operator.quota()).toBe(before)
  }

  it.each(Object.values(doors).flat())('is refused at %s, and nothing is charged', refuses)

  it('is refused at a session, and nothing is charged', async () => {
    const before = await operator.quota()
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${model}`, {
      headers: { authorization: `Bearer ${key}` },
    } as never)
    const texts: string[] = []
    await new Promise<void>((resolve) => {
      socket.onmessage = ({ data }) => {
        texts.push(String(data))
        socket.close()
      }
      socket.onclose = () => resolve()
    })
    expect(texts.every((text) => text.includes('model_price_error'))).toBe(true)
    expect(await operator.quota()).toBe(before)
  })

  async function lists(): Promise<Readonly<Record<string, readonly string[]>>> {
    const read = async <Body>(path: string, headers: Record<string, string>): Promise<Body> =>
      (await fetch(gateway.url + path, { headers })).json()
    const bearer = { authorization: `Bearer ${key}` }
    const claude = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    const openai = await read<{ data: { id: string }[] }>('/v1/models', bearer)
    const anthropic = await read<{ data: { id: string }[] }>('/v1/models?limit=1000', claude)
    const gemini = await read<{ models: { name: string }[] }>('/v1beta/models?pageSize=1000', {
      'x-goog-api-key': key,
    })
    const pricing = await operator.api<{ model_name: string }[]>('GET', '/api/pricing')
    return {
      openai: openai.data.map(({ id }) => id),
      anthropic: anthropic.data.map(({ id }) => id),
      gemini: gemini.models.map(({ name }) => name.replace('models/', '')),
      console: await operator.api<string[]>('GET', '/api/user/models'),
      pricing: pricing.map(({ model_name }) => model_name),
    }
  }

  it('is on no list of what calls may use, and on each where it is accepted', async () => {
    for (const [list, names] of Object.entries(await lists()))
      expect([list, unpriced.filter((name) => names.includes(name))]).toEqual([list, []])
    expect([...(await served()).keys()]).toEqual(expect.arrayContaining(unpriced))
    await operator.option('SelfUseModeEnabled', 'true')
    for (const [list, names] of Object.entries(await lists()))
      expect([list, unpriced.filter((name) => names.includes(name))]).toEqual([list, unpriced])
    await operator.option('SelfUseModeEnabled', 'false')
  })

  it('of work that ends later is one without a price per call, whoever accepts models without a price', async () => {
    const works = unpriced.filter((name) => name !== model)
    const ratios = Object.fromEntries(unpriced.map((name) => [name, 1]))
    await operator.option('ModelRatio', JSON.stringify(ratios))
    for (const mode of ['false', 'true']) {
      await operator.option('SelfUseModeEnabled', mode)
      for (const [list, names] of Object.entries(await lists()))
        expect([list, unpriced.filter((name) => names.includes(name))]).toEqual([list, [model]])
      for (const [path, body] of tasks) await refuses(path, body)
    }
    await operator.option('SelfUseModeEnabled', 'false')
    const rows = await operator.api<{ model_name: string; unpriced?: boolean }[]>('GET', '/api/models/prices')
    const withoutPrice = rows.filter((row) => row.unpriced).map((row) => row.model_name)
    expect(withoutPrice).toEqual(expect.arrayContaining(works))
  })
})
