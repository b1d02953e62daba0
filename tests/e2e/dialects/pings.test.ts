import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { dialectForms, send } from '../../support/dialects/dialect-calls.ts'
import { anthropicCaller, geminiCaller, openAiCaller } from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { refuses, type ScriptedBehaviour, says, waits } from '../../support/protocols/scripted-upstream.ts'
import {
  healPairs,
  priceModels,
  startPairs,
  stopPairs,
  type UpstreamPair,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let pairs: Readonly<Record<'openai' | 'anthropic', UpstreamPair>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await operator.option('general_setting.ping_interval_enabled', 'true')
  await operator.option('general_setting.ping_interval_seconds', '1')
  await priceModels(operator, { model: 1, completion: 1 })
  pairs = await startPairs(operator, ['openai', 'anthropic'])
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await stopPairs(pairs)
})
beforeEach(() => healPairs(operator, pairs))

const silentAtFirst = waits(1300, says({ text: ['late ', 'answer'] }))
const failsLate = waits(1300, refuses(503, 'too busy'))

/** All four forms wait side by side: each call of a test is silent for more than a second. */
async function askAll(behaviours: {
  readonly first: ScriptedBehaviour
  readonly second?: ScriptedBehaviour
}) {
  const { model, first, second } = pairs.openai
  first.otherwise(behaviours.first)
  if (behaviours.second !== undefined) second.otherwise(behaviours.second)
  return Promise.all(
    dialectForms.map(async ([form, dialect]) => {
      const response = await send(gateway, dialect, model, key, { stream: true })
      return { form, dialect, status: response.status, text: await response.text() }
    }),
  )
}

describe('a stream whose upstream is silent for longer than the interval', () => {
  it('is kept alive, and is whole behind its pings in every dialect', async () => {
    for (const { form, dialect, status, text } of await askAll({ first: silentAtFirst })) {
      expect([form, status]).toEqual([form, 200])
      expect(text).toStartWith(dialect.ping)
      expect(dialect.textIn(text)).toBe('late answer')
      expect(text).toMatch(dialect.endMark)
    }
  })

  it('goes on to another channel behind its pings', async () => {
    const replies = await askAll({ first: failsLate, second: says({ text: ['from the second'] }) })
    for (const { dialect, text } of replies) {
      expect(text).toStartWith(dialect.ping)
      expect(dialect.textIn(text)).toBe('from the second')
      expect(text).toMatch(dialect.endMark)
    }
    expect(pairs.openai.second.calls).toHaveLength(dialectForms.length)
  })

  it('ends in an error event of its dialect when no channel serves', async () => {
    const before = await operator.quota()
    for (const { dialect, text } of await askAll({ first: failsLate, second: refuses(503, 'too busy') })) {
      expect(text).toStartWith(dialect.ping)
      expect(dialect.errorIn(text)?.message).toContain('too busy')
      expect(text).not.toMatch(dialect.endMark)
    }
    expect(await operator.quota()).toBe(before)
  })

  it('is read by every SDK as if there were no pings', async () => {
    const { model, first } = pairs.anthropic
    first.otherwise(silentAtFirst)
    const options = { gatewayUrl: gateway.url, key }
    const callers = [openAiCaller(options), anthropicCaller(options), geminiCaller(options)]
    const replies = await Promise.all(callers.map((ask) => ask({ model, stream: true, withTool: false })))
    expect(replies.map(({ text }) => text)).toEqual(['late answer', 'late answer', 'late answer'])
  })
})
