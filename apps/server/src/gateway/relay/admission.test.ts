import { describe, expect, it } from 'bun:test'
import type { DirectoryToken } from '../../accounts/tokens/token-directory.ts'
import {
  type AdmissionDependencies,
  admitToken,
  type KeyNeed,
  type RelayCaller,
  type RelayUser,
  refuseModel,
} from './admission.ts'
import { RelayError } from './relay-error.ts'

const key = 'k'.repeat(48)

const user: RelayUser = {
  id: 7,
  username: 'someone',
  role: 'common',
  parts: [],
  status: 'enabled',
  group: 'default',
  acceptsUnpricedModels: false,
  keepsFailedCalls: false,
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  concurrency: 0,
}

const token: DirectoryToken = {
  id: 3,
  userId: 7,
  name: 'laptop',
  status: 'enabled',
  isFrozen: false,
  expiresAt: null,
  unlimited: false,
  modelLimits: null,
  allowedAddresses: null,
  group: '',
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  concurrency: 0,
}

interface World {
  readonly token?: Partial<DirectoryToken>
  readonly user?: Partial<RelayUser> | null
  readonly balance?: number
  /** Balance of a key once it is looked at again. */
  readonly balanceElsewhere?: number
  readonly databaseDown?: boolean
}

function dependencies(world: World): AdmissionDependencies {
  const find =
    <Entry>(entry: Entry | undefined) =>
    async () => {
      if (world.databaseDown) throw new Error('no database')
      return entry
    }
  let { balance = 100 } = world
  return {
    tokens: {
      peek: () => undefined,
      find: (presented) => find(presented === key ? { ...token, ...world.token } : undefined)(),
    },
    users: {
      peek: () => undefined,
      find: find(world.user === null ? undefined : { ...user, ...world.user }),
    },
    ledger: {
      load: () => undefined,
      balance: () => balance,
      async lookAgain() {
        balance = world.balanceElsewhere ?? balance
      },
    },
    nowSeconds: () => 1000,
  }
}

async function refusedWith(
  world: World,
  presented: string = key,
  pinnedChannel?: string,
  need: KeyNeed = 'spend',
): Promise<unknown> {
  const offered = presented === '' ? undefined : { key: presented, pinnedChannel }
  try {
    await admitToken(offered, need, { address: '192.0.2.1' }, dependencies(world))
    return undefined
  } catch (error) {
    return error
  }
}

async function refusal(
  world: World,
  presented?: string,
  pinnedChannel?: string,
  need?: KeyNeed,
): Promise<string> {
  const error = await refusedWith(world, presented, pinnedChannel, need)
  if (error === undefined) return 'admitted'
  return error instanceof RelayError ? `${error.status} ${error.code}` : String(error)
}

describe('admitToken', () => {
  it('admits a key that is well, in its own group or else its owner’s', async () => {
    const admitted = await admitToken(
      { key, pinnedChannel: undefined },
      'spend',
      { address: '' },
      dependencies({}),
    )
    expect(admitted).toMatchObject({ tokenName: 'laptop', group: 'default' })
    const vip = await admitToken(
      { key, pinnedChannel: undefined },
      'spend',
      { address: '' },
      dependencies({ token: { group: 'vip' } }),
    )
    expect(vip.group).toBe('vip')
  })

  it('refuses keys that are missing, misformed or unknown without asking the database for nonsense', async () => {
    expect(await refusal({}, '')).toBe('401 missing_api_key')
    expect(await refusal({ databaseDown: true }, "' or 1=1 --")).toBe('401 invalid_api_key')
    expect(await refusal({}, 'x'.repeat(48))).toBe('401 invalid_api_key')
  })

  it('never calls a key invalid because the database is down', async () => {
    expect(await refusal({ databaseDown: true })).toBe('503 database_unavailable')
  })

  it('refuses by switch, expiry and quota as they are now', async () => {
    expect(await refusal({ token: { status: 'disabled' } })).toBe('401 token_disabled')
    expect(await refusal({ token: { expiresAt: 999 } })).toBe('401 token_expired')
    expect(await refusal({ balance: 0 })).toBe('401 token_quota_exhausted')
    expect(await refusal({ balance: 0, token: { unlimited: true } })).toBe('admitted')
    expect(await refusal({ balance: 0, balanceElsewhere: 5 })).toBe('admitted')
    expect(await refusal({ token: { expiresAt: 1000 } })).toBe('admitted')
  })

  it('asks of each call what it needs: no quota for what is free, and no time for figures', async () => {
    const worlds = {
      'used up': { balance: 0 },
      expired: { token: { expiresAt: 999 } },
      disabled: { token: { status: 'disabled' } },
      banned: { user: { status: 'banned' } },
    } as const satisfies Record<string, World>
    const admittedBy = async (need: KeyNeed) => {
      const outcomes = Object.entries(worlds).map(async ([name, world]) =>
        (await refusal(world, key, undefined, need)) === 'admitted' ? [name] : [],
      )
      return (await Promise.all(outcomes)).flat()
    }
    expect(await admittedBy('spend')).toEqual([])
    expect(await admittedBy('use')).toEqual(['used up'])
    expect(await admittedBy('figures')).toEqual(['used up', 'expired'])
  })

  it('reports the database as unavailable when the balances of a known key cannot be read', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const inMemory = dependencies({})
    const deps: AdmissionDependencies = {
      ...inMemory,
      tokens: { ...inMemory.tokens, peek: () => token },
      users: { ...inMemory.users, peek: () => user },
      ledger: {
        balance: () => undefined,
        load: () => Promise.reject(new Error('no database')),
        lookAgain: () => undefined,
      },
    }
    let code = ''
    try {
      await admitToken({ key, pinnedChannel: undefined }, 'spend', { address: '' }, deps)
    } catch (error) {
      code = error instanceof RelayError ? error.code : String(error)
    }
    await Bun.sleep(5)
    process.off('unhandledRejection', note)
    expect(code).toBe('database_unavailable')
    expect(unhandled).toEqual([])
  })

  it('refuses owners that are banned or gone', async () => {
    expect(await refusal({ user: { status: 'banned' } })).toBe('403 user_banned')
    expect(await refusal({ user: null })).toBe('401 invalid_api_key')
  })

  it('refuses addresses that are not listed', async () => {
    const allowed = (list: string[]) => ({
      token: { allowedAddresses: { allows: (at: string) => list.includes(at) } },
    })
    expect(await refusal(allowed(['192.0.2.1']))).toBe('admitted')
    expect(await refusal(allowed(['192.0.2.9']))).toBe('403 address_not_allowed')
  })

  it('lets administrators alone choose a channel', async () => {
    expect(await refusal({}, key, '5')).toBe('403 channel_pin_not_allowed')
    expect(await refusal({ user: { role: 'admin' } }, key, '5')).toBe('admitted')
    expect(await refusal({ user: { role: 'admin' } }, key, 'x')).toBe('400 channel_pin_invalid')
  })

  it('never shows more of a key than its ends', async () => {
    const { message } = (await refusedWith({ balance: 0 })) as Error
    expect(message).toContain('sk-kkk***kkk')
    expect(message).not.toContain(key)
  })
})

describe('refuseModel', () => {
  const caller: RelayCaller = {
    user,
    token: { ...token, modelLimits: new Set(['gpt-4o']) },
    tokenId: token.id,
    tokenName: 'laptop',
    group: 'default',
    pinnedChannelId: undefined,
  }

  it('holds a key to the models it is limited to', () => {
    expect(() => refuseModel(caller, 'gpt-4o')).not.toThrow()
    expect(() => refuseModel(caller, 'o1')).toThrow(RelayError)
    expect(() => refuseModel({ ...caller, token: null }, 'o1')).not.toThrow()
  })

  it.each([
    ['gpt-4-gizmo-*', 'gpt-4-gizmo-g-abc', 'gpt-4o-gizmo-g-abc'],
    ['gpt-4o-gizmo-*', 'gpt-4o-gizmo-g-abc', 'gpt-4-gizmo-g-abc'],
    ['gemini-2.5-flash-thinking-*', 'gemini-2.5-flash-thinking-1024', 'gemini-2.5-pro-thinking-1024'],
    ['gemini-2.5-flash-thinking-64', 'gemini-2.5-flash-thinking-64', 'gemini-2.5-flash-thinking-128'],
  ])('lets a key that is limited to %s call %s and not %s', (limit, allowed, other) => {
    const limited = { ...caller, token: { ...token, modelLimits: new Set([limit]) } }
    expect(() => refuseModel(limited, allowed)).not.toThrow()
    for (const model of [other, 'gpt-4', 'gemini-2.5-flash', 'gemini-2.5-flash-thinking'])
      expect(() => refuseModel(limited, model)).toThrow(RelayError)
  })

  it('holds a key to them with a channel behind it, too', () => {
    const pinned = { ...caller, pinnedChannelId: 7 }
    expect(() => refuseModel(pinned, 'gpt-4o')).not.toThrow()
    expect(() => refuseModel(pinned, 'o1')).toThrow(RelayError)
  })
})

describe('what hears of refused keys', () => {
  it('learns which known key cannot make a call, and none for an unknown one', async () => {
    const refused: unknown[] = []
    const deps = (world: World): AdmissionDependencies => ({
      ...dependencies(world),
      refused: ({ id }, { code }) => refused.push([id, code]),
    })
    const admit = async (presented: string, world: World) => {
      const admitting = admitToken(
        { key: presented, pinnedChannel: undefined },
        'spend',
        { address: '' },
        deps(world),
      )
      return Promise.resolve(admitting).catch(() => undefined)
    }
    await admit(key, { balance: 0 })
    await admit(key, { user: { status: 'banned' } })
    await admit('x'.repeat(48), {}).catch(() => undefined)
    await admit(key, {})
    expect(refused).toEqual([
      [3, 'token_quota_exhausted'],
      [3, 'user_banned'],
    ])
  })
})
