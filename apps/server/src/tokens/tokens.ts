import { type TokenCreateBody, type TokenUpdateBody, tokenStatuses } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../billing/ledger-types.ts'
import type { Vault } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import { isUsableGroup } from '../settings/groups.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Quota, Token } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import { newToken, storeToken } from './create-token.ts'
import { asksForRevival, editedFields, type TokenChange } from './token-edit.ts'
import { checkedQuota } from './token-fields.ts'
import { refuseEnablingSpent, shownStatus } from './token-state.ts'

/** Whose keys: every use case works on the own ones alone. */
export interface TokenOwner {
  readonly userId: number
  readonly group: string
}

/** A key as its owner sees it: opened, with figures as of now. */
export interface OwnedToken extends Omit<Token, 'keyHash' | 'keySealed' | 'deletedAt'> {
  /** The bare 48 characters. */
  readonly key: string
}

export interface TokenSearch {
  /** Part of a name. */
  readonly keyword: string | undefined
  /**
   * A whole key, with or without `sk-`. Part of one finds nothing: keys are stored as hashes, which only a whole
   * key can be compared with.
   */
  readonly key: string | undefined
}

export interface Tokens {
  /** Newest first; `page` counts from 0. */
  list(owner: TokenOwner, page: { readonly page: number; readonly size: number }): Promise<OwnedToken[]>
  /** Newest first, at most 500. */
  search(owner: TokenOwner, search: TokenSearch): Promise<OwnedToken[]>
  get(owner: TokenOwner, id: number): Promise<OwnedToken>
  create(owner: TokenOwner, body: TokenCreateBody): Promise<OwnedToken>
  /** Changes what the body names; a spent key whose limit was moved is enabled again by `status: 1`. */
  update(owner: TokenOwner, body: TokenUpdateBody): Promise<OwnedToken>
  /** Enables (1) or disables (2). */
  setStatus(owner: TokenOwner, id: number, status: number | undefined): Promise<OwnedToken>
  delete(owner: TokenOwner, id: number): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly ledger: Pick<Ledger, 'balance' | 'unflushed' | 'setBalance'>
  readonly settings: { readonly current: Pick<SettingValues, 'UserUsableGroups'> }
  readonly events: ChangeBus
  readonly vault: Vault
  readonly clock: Clock
}

const maximumFound = 500
const keyForm = /^[0-9A-Za-z]{48}$/

export function createTokens({ store, ledger, settings, events, vault, clock }: Dependencies): Tokens {
  const now = () => unixSeconds(clock)
  const liveBalance = (token: Token): Quota => ledger.balance('token', token.id) ?? token.remainQuota

  function toOwned(token: Token): OwnedToken {
    const { keyHash: _hash, keySealed, deletedAt: _deletedAt, ...rest } = token
    const remainQuota = liveBalance(token)
    return {
      ...rest,
      key: vault.open(keySealed),
      remainQuota,
      usedQuota: token.usedQuota + ledger.unflushed('token', token.id).quota,
      status: shownStatus(token.status, { ...token, remainQuota }, now()),
    }
  }

  async function getOwn(owner: TokenOwner, id: number): Promise<Token> {
    return (await store.tokens.findOwn(owner.userId, id)) ?? refuseUnknown()
  }

  function announced(token: Token): OwnedToken {
    events.publish('token-changed', { id: token.id, keyHash: token.keyHash })
    return toOwned(token)
  }

  async function change(owner: TokenOwner, id: number, fields: TokenChange): Promise<OwnedToken> {
    return announced((await store.tokens.updateOwn(owner.userId, id, fields)) ?? refuseUnknown())
  }

  function refuseForeignGroup(owner: TokenOwner, group: string): void {
    if (group === '' || isUsableGroup(settings.current, owner.group, group)) return
    throw new Refusal('token_group_not_usable', { group })
  }

  async function moveQuota(owner: TokenOwner, token: Token, balance: Quota): Promise<void> {
    if (balance === liveBalance(token)) return
    const cause = 'owner-change'
    await ledger.setBalance({ kind: 'token', id: token.id, cause, balance, actorId: owner.userId, note: '' })
  }

  return {
    async list(owner, { page, size }) {
      const offset = Math.min(page * size, Number.MAX_SAFE_INTEGER)
      const found = await store.tokens.listOwn(owner.userId, { offset, limit: size })
      return found.map(toOwned)
    },

    async search(owner, { keyword, key }) {
      const whole = key?.trim().replace(/^sk-/, '')
      if (whole !== undefined && !keyForm.test(whole)) return []
      const found = await store.tokens.searchOwn(owner.userId, {
        ...(keyword !== undefined && { keyword }),
        ...(whole !== undefined && { keyHash: vault.hash(whole) }),
        limit: maximumFound,
      })
      return found.map(toOwned)
    },

    get: async (owner, id) => toOwned(await getOwn(owner, id)),

    async create(owner, body) {
      const quota = checkedQuota(body.remain_quota)
      const token = newToken(owner.userId, body, vault, now())
      refuseForeignGroup(owner, token.group)
      return announced(await storeToken(store, token, quota))
    },

    async update(owner, body) {
      const token = await getOwn(owner, body.id)
      const fields = editedFields(token, body, now())
      // A group that the owner has lost since may stay on the key: the relay refuses it, an edit need not.
      if (fields.group !== undefined && fields.group !== token.group) refuseForeignGroup(owner, fields.group)
      const remainQuota =
        body.remain_quota === undefined ? liveBalance(token) : checkedQuota(body.remain_quota)
      const isRevived = asksForRevival(token, body)
      if (isRevived) refuseEnablingSpent({ ...token, ...fields, remainQuota }, now())
      // Money first: a key must not be enabled before it has what it was enabled for.
      if (body.remain_quota !== undefined) await moveQuota(owner, token, remainQuota)
      return change(owner, token.id, isRevived ? { ...fields, status: 'enabled' } : fields)
    },

    async setStatus(owner, id, status) {
      const token = await getOwn(owner, id)
      if (status === tokenStatuses.disabled) return change(owner, id, { status: 'disabled' })
      if (status !== tokenStatuses.enabled) throw new Refusal('token_status_invalid')
      refuseEnablingSpent({ ...token, remainQuota: liveBalance(token) }, now())
      return change(owner, id, { status: 'enabled' })
    },

    async delete(owner, id) {
      const token = await getOwn(owner, id)
      if (!(await store.tokens.deleteOwn(owner.userId, id, now()))) refuseUnknown()
      events.publish('token-changed', { id, keyHash: token.keyHash })
    },
  }
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
