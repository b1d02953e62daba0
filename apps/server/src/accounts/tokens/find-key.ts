import { type FoundKey, keyHistoryDays, keyMask, neverExpires, tokenStatuses } from '@tollgate/api'
import { quartersOf, type ReaderClock, startOfDay, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { FormerKey } from '../../store/accounts/former-keys.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import type { User } from '../../store/accounts/users.ts'
import { mayEdit, mayRead, type Ranked } from '../users/manage/ranks.ts'
import { hashOfHashedKey } from './hashed-key.ts'
import type { KeyAddresses } from './key-addresses.ts'
import { readKeyText } from './key-text.ts'
import { currentStatus } from './token-rules.ts'

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock'> {
  readonly ledger: Pick<Ledger, 'currentBalance' | 'flush'>
  readonly addresses: Pick<KeyAddresses, 'write'>
}

/** A key of the database, and the one that was presented where a rotation replaced it. */
interface Known {
  readonly token: Token
  readonly owner: User
  readonly former: FormerKey | undefined
}

/** A token by a text that was found somewhere. */
export interface ReportedKey {
  readonly id: number
  /** Set for a text that a rotation replaced and that opens nothing any more. */
  readonly hasEnded: boolean
}

const maxAddresses = 50

/** Finds keys by their text, for their owners and for administrators above them. */
export function createFindKey(deps: Dependencies) {
  const { store } = deps

  async function known(token: Token | undefined, former?: FormerKey): Promise<Known | undefined> {
    const owner = token && (await store.users.find(token.userId))
    return token && owner && { token, owner, former }
  }

  async function byText(text: string): Promise<Known | undefined> {
    const { key } = readKeyText(text.trim().replace(/^bearer\s+/i, ''))
    const hashes = [deps.vault.hash(key), hashOfHashedKey(key)]
    const token = await store.tokens.findByKeyHashes(hashes)
    if (token !== undefined) return known(token)
    const former = await store.formerKeys.find(hashes)
    return former && known(await store.tokens.find(former.tokenId), former)
  }

  /** Shows the key where `may` admits its owner; else it is as unknown as any other text. */
  async function visible(
    found: Known | undefined,
    may: (owner: User) => boolean,
    reader: { readonly actor: Ranked; readonly clock: ReaderClock },
  ): Promise<FoundKey> {
    if (found === undefined || !may(found.owner)) throw new Refusal('key_not_found')
    return toFoundKey(deps, found, reader)
  }

  return {
    /** Finds the token of a key of any owner; for callers who prove that they may report keys. */
    async reported(text: string): Promise<ReportedKey | undefined> {
      const found = await byText(text)
      const { former } = found ?? {}
      const hasEnded = former !== undefined && former.endsAt <= unixSeconds(deps.clock)
      return found && { id: found.token.id, hasEnded }
    },
    findOwn: async (actor: Ranked, text: string, clock: ReaderClock): Promise<FoundKey> =>
      visible(await byText(text), ({ id }) => id === actor.userId, { actor, clock }),
    find: async (actor: Ranked, text: string, clock: ReaderClock): Promise<FoundKey> =>
      visible(await byText(text), (owner) => mayRead(actor, owner), { actor, clock }),
    get: async (actor: Ranked, id: number, clock: ReaderClock): Promise<FoundKey> =>
      visible(await known(await store.tokens.find(id)), (owner) => mayRead(actor, owner), { actor, clock }),
  }
}

export type FindKey = ReturnType<typeof createFindKey>

async function toFoundKey(
  deps: Dependencies,
  { token, owner, former }: Known,
  reader: { readonly actor: Ranked; readonly clock: ReaderClock },
): Promise<FoundKey> {
  const now = unixSeconds(deps.clock)
  const { keyHead, keyTail } = former ?? token
  const remainQuota = deps.ledger.currentBalance('token', token.id, token.remainQuota)
  return {
    id: token.id,
    name: token.name,
    key: keyHead + keyMask + keyTail,
    user_id: owner.id,
    username: owner.username,
    status: tokenStatuses[currentStatus(token.status, { ...token, remainQuota }, now)],
    frozen_at: token.frozenAt ?? 0,
    freeze_cause: token.freezeCause,
    freeze_note: token.freezeNote,
    deleted_at: token.deletedAt ?? 0,
    created_time: token.createdAt,
    accessed_time: token.accessedAt,
    expired_time: token.expiresAt ?? neverExpires,
    replaced: former ? { replaced_at: former.replacedAt, ends_at: former.endsAt } : null,
    ...(await historyOf(deps, token.id, now, reader.clock)),
    may_freeze: token.deletedAt === null && owner.deletedAt === null && mayEdit(reader.actor, owner),
  }
}

/** Reads the charges of a key, and the addresses from which it was used. */
async function historyOf(
  { store, ledger, addresses }: Dependencies,
  id: number,
  now: number,
  reader: ReaderClock,
): Promise<Pick<FoundKey, 'quota_today' | 'quota_month' | 'calls_month' | 'addresses'>> {
  const zone = zoneOf(reader)
  const today = startOfDay(now, zone)
  const monthAgo = startOfDayAfter(today, 1 - keyHistoryDays, zone)
  await Promise.all([ledger.flush(), addresses.write()])
  const spentSince = (from: number) =>
    store.statistics.margins({ by: 'token', id, ...quartersOf({ from, to: now }), limit: 1 })
  const [day, month, seen] = await Promise.all([
    spentSince(today),
    spentSince(monthAgo),
    store.tokenAddresses.list(id, monthAgo, maxAddresses),
  ])
  return {
    quota_today: day.total.quota,
    quota_month: month.total.quota,
    calls_month: month.total.calls,
    addresses: seen.map(({ address, calls, firstSeenAt, lastSeenAt }) => ({
      address,
      calls,
      first_seen_at: firstSeenAt,
      last_seen_at: lastSeenAt,
    })),
  }
}
