import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'
import { acquireLimits, type Limit, type LimitGrant } from './limits.ts'
import { createMemoryCounts } from './memory-counts.ts'
import { createModelRequestLimit } from './model-request-limit.ts'

const call = { caller: { user: { id: 7 }, group: 'default' }, headers: new Headers() } as unknown as RelayCall

function counting(log: string[], name: string): Limit {
  return {
    acquire: () => ({
      granted: true,
      release: ({ succeeded, refused }) => log.push(`${name} ${refused === true ? 'refused' : succeeded}`),
    }),
  }
}

const refusing: Limit = { acquire: () => ({ granted: false, message: 'too many', retryAfterSeconds: 9 }) }

async function refusalOf(passing: () => unknown): Promise<RelayError> {
  try {
    await passing()
  } catch (error) {
    if (error instanceof RelayError) return error
  }
  throw new Error('passed')
}

describe('acquireLimits', () => {
  it('acquires synchronously where no store is needed, and reports the call’s end to each limit once', () => {
    const log: string[] = []
    const grant = acquireLimits([counting(log, 'a'), counting(log, 'b')], call)
    if (grant instanceof Promise) throw new Error('waited')
    grant.release({ succeeded: true })
    grant.release({ succeeded: false })
    expect(log).toEqual(['a true', 'b true'])
  })

  it('gives back what was granted when a later limit refuses, at once or after asking', async () => {
    for (const slow of [refusing, { acquire: async () => refusing.acquire(call) }]) {
      const log: string[] = []
      const refusal = await refusalOf(() => acquireLimits([counting(log, 'a'), slow], call))
      expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: 9 })
      expect(log).toEqual(['a refused'])
    }
  })

  it('passes limits that do not concern the call', () => {
    expect(() => acquireLimits([{ acquire: () => undefined }], call)).not.toThrow()
  })
})

describe('the model request limit', () => {
  const options = {
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitDurationMinutes: 1,
    ModelRequestRateLimitCount: 0,
    ModelRequestRateLimitSuccessCount: 1000,
    ModelRequestRateLimitGroup: {} as Readonly<Record<string, readonly [number, number]>>,
  }

  function limited(change: Partial<typeof options>) {
    const settings = { current: { ...options, ...change } } as never
    let now = 0
    const limit = createModelRequestLimit(settings, createMemoryCounts({ now: () => now }))
    return { pass: async () => acquireLimits([limit], call), advance: (ms: number) => (now += ms) }
  }

  it('counts every request against the total, and lets them through again after the period', async () => {
    const { pass, advance } = limited({ ModelRequestRateLimitCount: 2 })
    for (const succeeded of [true, false]) (await pass()).release({ succeeded })
    expect(await refusalOf(pass)).toMatchObject({ status: 429, code: 'too_many_requests' })
    advance(130_000)
    await pass()
  })

  it('counts only calls that succeeded against the second limit', async () => {
    const { pass } = limited({ ModelRequestRateLimitSuccessCount: 2 })
    for (const succeeded of [false, false, true, false, true]) (await pass()).release({ succeeded })
    expect((await refusalOf(pass)).publicMessage).toContain('at most 2 successful ones')
  })

  it('admits no more calls at once than may succeed, and gives the places of failed ones to others', async () => {
    const call = fc.record({ succeeds: fc.boolean(), endsFirst: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(call, { maxLength: 30 }),
        async (limit, calls) => {
          const { pass } = limited({ ModelRequestRateLimitSuccessCount: limit })
          const open: { readonly grant: LimitGrant; readonly succeeds: boolean }[] = []
          let succeeded = 0
          const end = (index: number) => {
            const [ended] = open.splice(index, 1)
            ended?.grant.release({ succeeded: ended.succeeds })
            if (ended?.succeeds === true) succeeded += 1
          }
          for (const { succeeds, endsFirst } of calls) {
            const hasRoom = succeeded + open.length < limit
            const grant = await pass().catch(() => undefined)
            expect(grant !== undefined).toBe(hasRoom)
            if (grant !== undefined) open.push({ grant, succeeds })
            if (endsFirst) end(0)
          }
          while (open.length > 0) end(open.length - 1)
          expect(succeeded).toBeLessThanOrEqual(limit)
        },
      ),
    )
  })

  it('responds in Chinese to callers that request it', async () => {
    const chinese = { ...call, headers: new Headers({ 'accept-language': 'zh-CN' }) } as unknown as RelayCall
    const settings = { current: { ...options, ModelRequestRateLimitCount: 1 } } as never
    const limit = createModelRequestLimit(settings, createMemoryCounts({ now: () => 0 }))
    const pass = async () => acquireLimits([limit], chinese)
    ;(await pass()).release({ succeeded: true })
    expect((await refusalOf(pass)).publicMessage).toBe(
      '您已达到总请求数限制：1分钟内最多请求1次，包括失败次数，请检查您的请求是否正确，并在120秒后重试',
    )
  })

  it('takes the numbers of the group instead, where it has some', async () => {
    const { pass } = limited({
      ModelRequestRateLimitCount: 9,
      ModelRequestRateLimitGroup: { default: [1, 5] },
    })
    ;(await pass()).release({ succeeded: true })
    expect((await refusalOf(pass)).publicMessage).toBe(
      'You have reached the limit of all requests: at most 1 in 1 minute, failed ones included. Check that your requests are right, and try again in 120 seconds.',
    )
  })

  it('does not count a call that another limit refused, so that calling again prolongs no wait', async () => {
    const { pass } = limited({ ModelRequestRateLimitCount: 2 })
    for (let index = 0; index < 5; index += 1) (await pass()).release({ succeeded: false, refused: true })
    await pass()
  })

  it('applies to no call while it is switched off', async () => {
    const { pass } = limited({ ModelRequestRateLimitEnabled: false, ModelRequestRateLimitCount: 1 })
    for (let index = 0; index < 3; index += 1) (await pass()).release({ succeeded: true })
  })
})
