import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Chunking, chunkings } from '../support/recordings/chunkings.ts'
import { type Exchange, notOfPublicFormats, recordedExchanges } from '../support/recordings/exchanges.ts'
import {
  aliasOf,
  type Replayed,
  type ReplayedGateway,
  type ReplayOptions,
  startReplayedGateway,
} from '../support/recordings/replayed-gateway.ts'

setDefaultTimeout(20_000)

/** Recordings of real vendors stay outside the repository. */
const root = process.env.TOLLGATE_RECORDINGS
const exchanges = root === undefined ? [] : recordedExchanges(root)
const named = (chosen: readonly Exchange[]) => chosen.map((exchange) => [exchange.name, exchange] as const)
const answered = exchanges.filter((exchange) => !isFailure(exchange))
const failed = exchanges.filter(isFailure)
const ways = Object.keys(chunkings) as readonly Chunking[]

let replayed: ReplayedGateway
const replay = (exchange: Exchange, options?: ReplayOptions) => replayed.replay(exchange, options)

function isFailure({ status, answers }: Exchange): boolean {
  return status !== 200 || answers.some(({ type }) => type === 'response.failed')
}

/** Nothing of it is the caller's any more, and nothing of its key is left; the rest of it is as sent. */
function expectPassed(exchange: Exchange, { call, sent }: Replayed): void {
  const { vendor, model, isStream } = exchange
  const { edits } = vendor
  if (edits === undefined) expect(call.body.toString()).toBe(sent)
  else expect(call.json).toEqual(edits(JSON.parse(sent)))
  const action = isStream ? ':streamGenerateContent' : ':generateContent'
  const end = vendor.format === 'gemini' ? model + action : ''
  expect(call.path).toBe(`/${vendor.folder}${vendor.path}${end}`)
  expect(JSON.stringify(call.rawHeaders)).toContain(vendor.key)
  expect(JSON.stringify(call.rawHeaders)).not.toContain(replayed.secret)
}

/** Events of which a caller that did not ask for counts sees nothing. */
function isOfCountsAlone({ choices, usage }: Exchange['answers'][number]): boolean {
  return Array.isArray(choices) && choices.length === 0 && usage != null
}

describe.skipIf(root === undefined)('recorded traffic, for a caller of its own format', () => {
  beforeAll(async () => {
    replayed = await startReplayedGateway(exchanges)
  })
  afterAll(() => replayed?.stop())

  describe.each(named(answered))('%s', (_name, exchange) => {
    const { vendor, frames, model, isStream, answers } = exchange

    it.each(ways)('passes both ways with not a byte changed, sent %s', async (chunking) => {
      const passed = await replay(exchange, { chunking })
      expect(passed.text).toBe(frames.join(''))
      expect(passed.response.status).toBe(200)
      expectPassed(exchange, passed)
    })

    it('changes in the name of a mapped model alone', async () => {
      const passed = await replay(exchange, { model: aliasOf(model) })
      expect(passed.text).toBe(frames.join(''))
      expectPassed(exchange, { ...passed, sent: passed.sent.replace(aliasOf(model), model) })
    })

    if (vendor.format === 'chat' && isStream)
      it('is asked for its counts, of which a caller that does not want them sees nothing', async () => {
        const { call, sent, text } = await replay(exchange, {
          includeUsage: false,
          chunking: 'event by event',
        })
        expect(text).toBe(frames.filter((_, place) => !isOfCountsAlone(answers[place] ?? {})).join(''))
        const asked = vendor.countsUnasked === true ? {} : { stream_options: { include_usage: true } }
        const { edits = (request) => request } = vendor
        expect(call.json).toEqual({ ...edits(JSON.parse(sent)), ...asked })
      })

    if (vendor.format === 'gemini' && isStream)
      it('is one list of the same events for a caller that wants no event stream', async () => {
        const path = `/v1beta/models/${model}:streamGenerateContent`
        const { call, text } = await replay(exchange, { path, chunking: 'in random pieces' })
        expect(call.query).toBe('?alt=sse')
        expect(JSON.parse(text)).toEqual(answers)
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
    it.each(ways)('is a refusal, as nothing of an answer came before it, sent %s', async (chunking) => {
      const { response, text } = await replay(exchange, { chunking })
      const { message, ...error } = errorIn(exchange)
      expect(response.status).toBe(429)
      const { message: told, ...rest } = JSON.parse(text).error
      expect(rest).toMatchObject(error)
      // Addresses are left out of messages, and the id of the request is behind them.
      expect(told).toStartWith(message.replace(/https:.*/, '[address]'))
    })
  })

  it('is charged what its vendor counted, and failures nothing', async () => {
    const { operator, charges } = replayed
    const rows = await operator.consumption(charges.size).then(() => rowsOf(charges.size))
    const charged = new Map(rows.map(({ request_id, quota }) => [request_id, quota]))
    expect(charged).toEqual(new Map(charges))
    const all = [...charges.values()].reduce((sum, charge) => sum + charge, 0)
    expect((await operator.api<{ used_quota: number }>('GET', '/api/user/self')).used_quota).toBe(all)
  })

  it('was replayed whole', () => {
    const streams = exchanges.filter(({ isStream }) => isStream).length
    process.stdout.write(
      `replayed ${exchanges.length} recorded answers (${streams} streams, ${failed.length} failures), each in ${ways.length} ways\n`,
    )
    for (const [folder, reason] of Object.entries(notOfPublicFormats))
      process.stdout.write(`not replayed here: ${folder} (${reason})\n`)
    expect(answered.length).toBeGreaterThan(0)
  })
})

async function rowsOf(total: number) {
  const rows = []
  for (let page = 1; rows.length < total; page++) {
    const { items } = await replayed.operator.api<{
      items: readonly { readonly request_id: string; readonly quota: number }[]
    }>('GET', `/api/log/?p=${page}&page_size=100&type=2`)
    if (items.length === 0) break
    rows.push(...items)
  }
  return rows
}

interface RecordedError {
  readonly message: string
}

function errorIn({ answers }: Exchange): RecordedError {
  const { error } = answers.find(({ error }) => error != null) ?? {}
  return error as RecordedError
}
