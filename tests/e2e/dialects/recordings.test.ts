import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import type { LogRow } from '../../support/operator.ts'
import { type Chunking, chunkings } from '../../support/recordings/chunkings.ts'
import { type Exchange, notOfPublicFormats, recordedExchanges } from '../../support/recordings/exchanges.ts'
import {
  aliasOf,
  type Counted,
  chargeOf,
  type Replayed,
  type ReplayedGateway,
  type ReplayOptions,
  startReplayedGateway,
} from '../../support/recordings/replayed-gateway.ts'
import { listedFee } from '../../support/recordings/tools.ts'

setDefaultTimeout(deadline(20_000))

/** Recordings of real vendors stay outside the repository. */
const root = process.env.TOLLGATE_RECORDINGS
const exchanges = root === undefined ? [] : recordedExchanges(root)
const named = (chosen: readonly Exchange[]) => chosen.map((exchange) => [exchange.name, exchange] as const)
const succeeded = exchanges.filter((exchange) => !isFailure(exchange))
const failed = exchanges.filter(isFailure)
const ways = Object.keys(chunkings) as readonly Chunking[]

let replayed: ReplayedGateway
const replay = (exchange: Exchange, options?: ReplayOptions) => replayed.replay(exchange, options)

function isFailure({ status, replies }: Exchange): boolean {
  return status !== 200 || replies.some(({ type }) => type === 'response.failed')
}

/** Nothing of it is the caller's any more, and nothing of its key is left; the rest of it is as sent. */
function expectPassed(exchange: Exchange, { call, sent }: Replayed): void {
  const { vendor, model, isStream } = exchange
  const { edits } = vendor
  if (edits === undefined) expect(call.body.toString()).toBe(sent)
  else expect(call.json).toEqual(edits(JSON.parse(sent)))
  const action = isStream ? ':streamGenerateContent' : ':generateContent'
  const end = vendor.format === 'gemini' ? model + action : ''
  expect(call.path).toBe(`/${vendor.folder}${vendor.host ?? ''}${vendor.path}${end}`)
  expect(JSON.stringify(call.rawHeaders)).toContain(vendor.key)
  expect(JSON.stringify(call.rawHeaders)).not.toContain(replayed.secret)
}

/** The very bytes, but where the channel mends what its vendor says. @param name what the bytes are with another name of the model */
function expectSuccess(
  { vendor, replies, frames }: Exchange,
  text: string,
  name: (bytes: string) => string = (bytes) => bytes,
): void {
  const { normalizes = (reply) => reply } = vendor
  const normalized = replies.map(normalizes)
  if (normalized.every((reply, index) => reply === replies[index])) expect(text).toBe(name(frames.join('')))
  else expect([JSON.parse(text)]).toEqual(JSON.parse(name(JSON.stringify(normalized))))
}

/** Wherever a reply names its model. */
const namesOfModels = /("(?:model|modelVersion)"\s*:\s*)"[^"]*"/g

/** Events of which a caller that did not ask for counts sees nothing. */
function isOfCountsAlone({ choices, usage }: Exchange['replies'][number]): boolean {
  return Array.isArray(choices) && choices.length === 0 && usage != null
}

const reason = root === undefined ? ' (not run: TOLLGATE_RECORDINGS names no folder)' : ''
describe.skipIf(root === undefined)(`recorded traffic${reason}, for a caller of its own format`, () => {
  beforeAll(async () => {
    replayed = await startReplayedGateway(exchanges)
  })
  afterAll(() => replayed?.stop())

  describe.each(named(succeeded))('%s', (_name, exchange) => {
    const { vendor, frames, model, isStream, replies } = exchange

    it.each(ways)('passes both ways with not a byte changed, sent %s', async (chunking) => {
      const passed = await replay(exchange, { chunking })
      expectSuccess(exchange, passed.text)
      expect(passed.response.status).toBe(200)
      expectPassed(exchange, passed)
    })

    it('changes in the name of a mapped model alone', async () => {
      const passed = await replay(exchange, { model: aliasOf(model) })
      expectSuccess(exchange, passed.text, (bytes) =>
        bytes.replace(namesOfModels, (_, member) => `${member}"${aliasOf(model)}"`),
      )
      expectPassed(exchange, { ...passed, sent: passed.sent.replace(aliasOf(model), model) })
    })

    if ((vendor.format === 'chat' || vendor.format === 'completions') && isStream)
      it('is asked for its counts, of which a caller that does not want them sees nothing', async () => {
        const { call, sent, text } = await replay(exchange, {
          includeUsage: false,
          chunking: 'event by event',
        })
        expect(text).toBe(frames.filter((_, index) => !isOfCountsAlone(replies[index] ?? {})).join(''))
        const requested = vendor.countsByDefault === true ? {} : { stream_options: { include_usage: true } }
        const { edits = (request) => request } = vendor
        expect(call.json).toEqual({ ...edits(JSON.parse(sent)), ...requested })
      })

    if (vendor.format === 'gemini' && isStream)
      it('is one list of the same events for a caller that wants no event stream', async () => {
        const path = `/v1beta/models/${model}:streamGenerateContent`
        const { call, text } = await replay(exchange, { path, chunking: 'in random pieces' })
        expect(call.query).toBe('?alt=sse')
        expect(JSON.parse(text)).toEqual(replies)
      })

    if (vendor.format === 'messages')
      it('takes versions, betas and the query along', async () => {
        const { call } = await replay(exchange)
        expect(call.query).toBe('?beta=true')
        expect(call.headers).toMatchObject({
          'anthropic-version': '2023-06-01',
          'anthropic-beta': 'interleaved-thinking-2025-05-14,x-future-2027-01-01',
        })
      })
  })

  describe.each(named(failed))('%s', (_name, exchange) => {
    it.each(ways)('is a refusal, as no part of a response came before it, sent %s', async (chunking) => {
      const { response, text } = await replay(exchange, { chunking })
      const { message } = errorIn(exchange)
      const reported = JSON.parse(text).error
      // All of them concern the operator's account: the caller reads a neutral sentence and the id of the request.
      expect([429, 503]).toContain(response.status)
      expect(reported.message).not.toContain(message.slice(0, 30))
      expect(reported.message).toContain('request id')
    })
  })

  it('is charged what its vendor counted, and failures nothing', async () => {
    const { operator, counted } = replayed
    await operator.consumption(counted.size)
    const rows = await rowsOf(counted.size)
    expect(rows.map(figuresIn).toSorted()).toEqual([...counted].map(expectedFigures(rows)).toSorted())
    const charged = rows.reduce((sum, { quota }) => sum + quota, 0)
    expect((await operator.api<{ used_quota: number }>('GET', '/api/user/self')).used_quota).toBe(charged)
  })

  it('passes unchanged through the content filter without a match', async () => {
    const options = ['CheckSensitiveEnabled', 'CheckSensitiveOnCompletionEnabled']
    for (const name of options) await replayed.operator.option(name, 'true')
    await replayed.operator.option('SensitiveWords', 'qqzzyx\nsan franzisko')
    for (const exchange of succeeded) {
      const { text } = await replay(exchange, { chunking: 'in random pieces' })
      expectSuccess(exchange, text)
    }
  })

  it('was replayed whole', () => {
    const streams = exchanges.filter(({ isStream }) => isStream).length
    process.stdout.write(
      `replayed ${exchanges.length} recorded answers (${streams} streams, ${failed.length} failures), each in ${ways.length} ways\n`,
    )
    for (const [folder, reason] of Object.entries(notOfPublicFormats))
      process.stdout.write(`not replayed here: ${folder} (${reason})\n`)
    expect(succeeded.length).toBeGreaterThan(0)
  })
})

async function rowsOf(total: number): Promise<readonly LogRow[]> {
  const pages = Array.from({ length: Math.ceil(total / 100) }, (_, page) =>
    replayed.operator.api<{ items: LogRow[] }>('GET', `/api/log/?p=${page + 1}&page_size=100&type=2`),
  )
  return (await Promise.all(pages)).flatMap(({ items }) => items)
}

/** A call's figures in one line, which a failure shows. */
const figures = (id: string, model: string, prompt: number, cached: number, output: number, charge: number) =>
  `${id} ${model}: ${prompt} in, ${cached} cached, ${output} out, charged ${charge}`

function figuresIn({
  request_id,
  model_name,
  prompt_tokens,
  completion_tokens,
  quota,
  other,
}: LogRow): string {
  const { cache_tokens: cached } = JSON.parse(other)
  return figures(request_id, model_name, prompt_tokens, cached ?? 0, completion_tokens, quota)
}

function expectedFigures(rows: readonly LogRow[]) {
  const byId = new Map(rows.map((row) => [row.request_id, row]))
  return ([id, counted]: readonly [string, Counted]): string => {
    const { model_name = '', other = '{}' } = byId.get(id) ?? {}
    const { completion_ratio: ratio, cache_creation_tokens: written = 0, tool_calls = {} } = JSON.parse(other)
    const { input, cacheRead, cacheWrite, output } = counted.counts
    const visible = Object.entries(counted.tools).map(([tool, calls]) => [
      tool,
      { calls, price: listedFee(model_name, tool) ?? 0 },
    ])
    expect([id, tool_calls]).toEqual([id, Object.fromEntries(visible)])
    expect(written).toBe(cacheWrite)
    if (model_name.startsWith('our-')) expect(ratio).toBe(5)
    const charge = chargeOf(counted, model_name, ratio)
    return figures(id, model_name, input + cacheRead + cacheWrite, cacheRead, output, charge)
  }
}

interface RecordedError {
  readonly message: string
  readonly code: string | number
}

function errorIn({ replies }: Exchange): RecordedError {
  const { error } = replies.find(({ error }) => error != null) ?? {}
  return error as RecordedError
}
