import { nameOf, type tokenSorts, tokenStatuses } from '@tollgate/api'
import type { Vault } from '../lib/crypto.ts'
import type { TokenFilter, TokenPage } from '../store/repositories/tokens.ts'
import type { Seconds } from '../store/units.ts'
import { keyFilterOf } from './key-ends.ts'

/** Which of one's own keys, in which order; blank for any. */
export interface TokenQuery {
  /** Counts from 0. */
  readonly p: number
  readonly size: number
  readonly keyword?: string | undefined
  readonly token?: string | undefined
  readonly status?: number | undefined
  readonly sort?: (typeof tokenSorts)[number] | undefined
  readonly order?: 'asc' | 'desc'
}

const sortFields = {
  id: 'id',
  name: 'name',
  created_time: 'createdAt',
  accessed_time: 'accessedAt',
  expired_time: 'expiresAt',
  remain_quota: 'remainQuota',
  used_quota: 'usedQuota',
} as const satisfies Record<(typeof tokenSorts)[number], TokenPage['sort']>

/** The filter that a query means; `undefined` when no key can match. */
export function tokenFilterOf(
  { keyword, token, status }: TokenQuery,
  vault: Pick<Vault, 'hash'>,
  now: Seconds,
): TokenFilter | undefined {
  const shown = status ? nameOf(tokenStatuses, status) : undefined
  if (status && shown === undefined) return undefined
  const key = token === undefined ? {} : keyFilterOf(token, vault)
  if (key === undefined) return undefined
  return {
    ...(keyword !== undefined && { keyword }),
    ...key,
    ...(shown !== undefined && { status: { shown, at: now } }),
  }
}

export function tokenPageOf({ p, size, sort, order }: TokenQuery): TokenPage {
  return {
    offset: Math.min(p * size, Number.MAX_SAFE_INTEGER),
    limit: size,
    sort: sortFields[sort ?? 'id'],
    descending: order !== 'asc',
  }
}

/** Whether the rows themselves decide what is shown: they have to hold every settled call then. */
export function needsCurrentBalances({ status, sort }: TokenQuery): boolean {
  return Boolean(status) || sort === 'accessed_time' || sort === 'remain_quota' || sort === 'used_quota'
}
