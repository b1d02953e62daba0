import { get, post } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'
import { route } from '../route.ts'
import { consoleFixture, type FixtureOptions } from './console-fixture.ts'

const echo = post('public', '/api/echo/:id', {
  recentProof: 'uses',
  params: z.object({ id: z.coerce.number().int().positive() }),
  query: z.object({ q: z.string().optional() }),
  body: z.object({ amount: z.number().int().max(10), deep: z.object({ flag: z.boolean() }).optional() }),
  data: z.unknown(),
})
const broken = get('public', '/api/broken', { recentProof: 'reads', data: z.undefined() })
const refusing = get('public', '/api/refusing', { recentProof: 'reads', data: z.undefined() })
const timed = get('public', '/api/timed/', {
  recentProof: 'reads',
  data: z.string(),
  extra: z.object({ time: z.number() }),
})
const whoAmI = get('public', '/api/who', { recentProof: 'reads', data: z.unknown() })
const large = get('public', '/api/large', { recentProof: 'reads', data: z.string() })
const sessionOnly = get('user', '/api/only', { recentProof: 'reads', sessionOnly: true, data: z.undefined() })

/** Small calls that show what the edge does around any call. */
export const sampleRoutes = [
  route(echo, ({ params, query, body }, { clientAddress, language, secure }) => ({
    params,
    query,
    body,
    clientAddress,
    language,
    secure,
  })),
  route(broken, async () => {
    throw new Error('secret detail of a fault')
  }),
  route(refusing, async () => {
    throw new Refusal('channel_test_failed', { detail: 'no answer' }, { extra: { time: 1.5 } })
  }),
  route(timed, async () => ({ data: 'done', extra: { time: 0.25 } })),
  route(whoAmI, (_, { caller }) => caller?.username ?? null),
  route(large, () => 'x'.repeat(5000)),
  route(sessionOnly, () => undefined),
]

/** A console with the sample calls beside its own. */
export function sampleFixture(options: FixtureOptions = {}) {
  return consoleFixture({ routes: sampleRoutes, ...options })
}
