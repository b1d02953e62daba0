import { defineCall } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'
import { route } from '../route.ts'
import { consoleFixture, type FixtureOptions } from './console-fixture.ts'

const echo = defineCall({
  method: 'POST',
  path: '/api/echo/:id',
  access: 'public',
  params: z.object({ id: z.coerce.number().int().positive() }),
  query: z.object({ q: z.string().optional() }),
  body: z.object({ amount: z.number().int().max(10), deep: z.object({ flag: z.boolean() }).optional() }),
  data: z.unknown(),
})
const broken = defineCall({ method: 'GET', path: '/api/broken', access: 'public', data: z.undefined() })
const refusing = defineCall({ method: 'GET', path: '/api/refusing', access: 'public', data: z.undefined() })
const timed = defineCall({
  method: 'GET',
  path: '/api/timed/',
  access: 'public',
  data: z.string(),
  extra: z.object({ time: z.number() }),
})
const whoAmI = defineCall({ method: 'GET', path: '/api/who', access: 'public', data: z.unknown() })
const large = defineCall({ method: 'GET', path: '/api/large', access: 'public', data: z.string() })
const sessionOnly = defineCall({
  method: 'GET',
  path: '/api/only',
  access: 'user',
  sessionOnly: true,
  data: z.undefined(),
})

/** Small calls that show what the edge does around any call. */
export const sampleRoutes = [
  route(echo, async ({ params, query, body }, { clientAddress, language, secure }) => ({
    data: { params, query, body, clientAddress, language, secure },
  })),
  route(broken, async () => {
    throw new Error('secret detail of a fault')
  }),
  route(refusing, async () => {
    throw new Refusal('channel_test_failed', { detail: 'no answer' }, { extra: { time: 1.5 } })
  }),
  route(timed, async () => ({ data: 'done', extra: { time: 0.25 } })),
  route(whoAmI, async (_, { caller }) => ({ data: caller?.username ?? null })),
  route(large, async () => ({ data: 'x'.repeat(5000) })),
  route(sessionOnly, async () => ({ data: undefined })),
]

/** A console with the sample calls beside its own. */
export function sampleFixture(options: FixtureOptions = {}) {
  return consoleFixture({ routes: sampleRoutes, ...options })
}
