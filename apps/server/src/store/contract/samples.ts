import { channelResource, tokenCreateBody, tokenResource, userResource } from '@tollgate/api'
import type { NewToken } from '../accounts/tokens.ts'
import type { NewUser, PlainUserFields } from '../accounts/users.ts'
import type { VerifiedAccount } from '../accounts/verified-account.ts'
import type { NewChannel } from '../channels/channels.ts'
import type { NewRedemption } from '../money/redemptions.ts'
import type { NewTopUpOrder } from '../money/top-up-orders.ts'
import type { FlushRequest, Settlement } from '../settlement.ts'
import { encodeSettlements } from '../settlement.ts'
import type { Store } from '../store.ts'

let made = 0
/** A name that no other sample has. */
export const unique = (prefix: string): string => `${prefix}-${++made}`

export function newUser(change: Partial<NewUser> = {}): NewUser & PlainUserFields {
  return {
    ...userResource.defaults,
    username: unique('user'),
    displayName: 'Ann',
    passwordHash: '$argon2id$',
    role: 'common',
    status: 'enabled',
    email: '',
    githubId: '',
    oidcId: '',
    oidcIssuer: '',
    wechatId: '',
    telegramId: '',
    linuxDoId: '',
    accessTokenHash: '',
    affCode: '',
    affCount: 0,
    affQuota: 0,
    affHistoryQuota: 0,
    inviterId: 0,
    setting: '',
    createdAt: 1_750_000_000,
    ...change,
  }
}

/** Runs `work` in a transaction that has locked the account as it is. */
export async function withAccount<Result>(
  store: Pick<Store, 'users' | 'transaction'>,
  userId: number,
  work: (tx: Store, account: VerifiedAccount) => Promise<Result>,
): Promise<Result> {
  const user = await store.users.find(userId)
  return store.transaction(async (tx) => {
    const account = user && (await tx.users.lockVerified(user))
    if (account === undefined) throw new Error(`there is no enabled user ${userId}`)
    return work(tx, account)
  })
}

const { remainQuota: _money, ...tokenDefaults } = tokenResource.fromCreateBody(
  tokenCreateBody.parse({ name: 'token' }),
  ({ code }) => {
    throw new Error(code)
  },
)

export function newToken(userId: number, change: Partial<NewToken> = {}): NewToken {
  return {
    ...tokenDefaults,
    userId,
    name: unique('token'),
    keyHash: unique('hash'),
    keySealed: 'sealed',
    keyHead: '',
    keyTail: '',
    status: 'enabled',
    createdAt: 1_750_000_000,
    ...change,
  }
}

export function newChannel(change: Partial<NewChannel> = {}): NewChannel {
  return {
    ...channelResource.defaults,
    name: unique('channel'),
    keysSealed: 'sealed',
    keyCount: 2,
    baseUrlTrusted: false,
    models: ['gpt-4o'],
    createdAt: 1_750_000_000,
    ...change,
  }
}

export function newRedemption(change: Partial<NewRedemption> = {}): NewRedemption {
  return {
    creatorId: 1,
    adminId: 0,
    keyHash: unique('code'),
    keySealed: 'sealed',
    name: 'spring',
    quota: 500_000,
    createdAt: 1_750_000_000,
    ...change,
  }
}

export function newTopUpOrder(change: Partial<NewTopUpOrder> = {}): NewTopUpOrder {
  return {
    tradeNo: unique('USR1NO'),
    userId: 1,
    provider: 'epay',
    method: 'zfb',
    quota: 500_000,
    moneyMinor: 730,
    currency: 'cny',
    createdAt: 1_750_000_000,
    ...change,
  }
}

export function settlement(seq: number, change: Partial<Settlement> = {}): Settlement {
  return {
    kind: 'consumption',
    seq,
    createdAt: 1_750_000_000 + seq,
    userId: 1,
    username: 'ann',
    tokenId: 0,
    tokenName: '',
    model: 'gpt-4o',
    channelId: 1,
    group: 'default',
    quota: 100,
    promptTokens: 10,
    completionTokens: 5,
    useTimeSeconds: 2,
    isStream: true,
    content: 'model ratio 1.25',
    requestId: `request-${seq}`,
    other: '{"frt":12}',
    logged: true,
    ...change,
  }
}

export function flushOf(node: string, after: number, settlements: readonly Settlement[]): FlushRequest {
  const batches = settlements.length === 0 ? [] : [encodeSettlements(settlements)]
  return { node, after, last: settlements.at(-1)?.seq ?? after, batches }
}
