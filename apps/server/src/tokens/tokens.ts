import { type TokenBatchBody, type TokenCreateBody, type TokenUpdateBody, tokenStatuses } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Actor, AuditEvent, AuditLog } from '../audit-log/audit-log.ts'
import type { Ledger } from '../billing/ledger-types.ts'
import type { Vault } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import { isUsableGroup } from '../settings/groups.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Token, TokenChange } from '../store/repositories/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Quota, Seconds } from '../store/units.ts'
import { changeTokens, type TokenOutcome } from './change-tokens.ts'
import { newToken, storeToken } from './create-token.ts'
import { editedFields, enablesSpent } from './token-edit.ts'
import { checkedQuota } from './token-fields.ts'
import { needsCurrentBalances, type TokenQuery, tokenFilterOf, tokenPageOf } from './token-query.ts'
import { refuseEnablingSpent, shownStatus } from './token-state.ts'

/** The user whose keys a use case works on. */
export interface TokenOwner {
  readonly userId: number
  readonly group: string
}

/** A key as its owner sees it: opened, with figures as of now. */
export interface OwnedToken
  extends Omit<Token, 'keyHash' | 'keySealed' | 'keyHead' | 'keyTail' | 'deletedAt'> {
  /** The bare 48 characters. */
  readonly key: string
}

export interface TokenList {
  readonly rows: OwnedToken[]
  /** Of all pages. */
  readonly total: number
}

export interface Tokens {
  /** A page of the filtered keys, and how many they are. */
  list(owner: TokenOwner, query: TokenQuery): Promise<TokenList>
  get(owner: TokenOwner, id: number): Promise<OwnedToken>
  create(owner: TokenOwner, body: TokenCreateBody): Promise<OwnedToken>
  /** Changes what the body names; a spent key whose limit was moved is enabled again by `status: 1`. */
  update(owner: TokenOwner, body: TokenUpdateBody): Promise<OwnedToken>
  /** Enables (1) or disables (2). */
  setStatus(owner: TokenOwner, id: number, status: number | undefined): Promise<OwnedToken>
  delete(owner: TokenOwner, id: number): Promise<void>
  /** Whole keys of those that are the owner's. It is written down before anybody sees them. */
  reveal(actor: Actor, ids: readonly number[]): Promise<{ id: number; key: string }[]>
  /** Enables, disables or deletes several; what cannot be done with one does not keep the others from it. */
  changeMany(owner: TokenOwner, body: TokenBatchBody): Promise<TokenOutcome[]>
}

interface Dependencies {
  readonly store: Store
  readonly ledger: Pick<Ledger, 'balance' | 'unflushed' | 'setBalance' | 'flush'>
  readonly settings: { readonly current: Pick<SettingValues, 'UserUsableGroups'> }
  readonly events: ChangeBus
  readonly vault: Vault
  readonly auditLog: Pick<AuditLog, 'recordAll'>
  readonly clock: Clock
  /** Keys that one user may have; a few more where several are made at once. */
  readonly maxTokens: number
}

export function createTokens(deps: Dependencies): Tokens {
  return new OwnTokens(deps)
}

const onePage = { offset: 0, limit: 1, sort: 'id', descending: true } as const

class OwnTokens implements Tokens {
  readonly #deps: Dependencies

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  async list(owner: TokenOwner, query: TokenQuery): Promise<TokenList> {
    const { store, vault, ledger } = this.#deps
    const filter = tokenFilterOf(query, vault, this.#now())
    if (filter === undefined) return { rows: [], total: 0 }
    if (needsCurrentBalances(query)) await ledger.flush()
    const { rows, total } = await store.tokens.pageOwn(owner.userId, filter, tokenPageOf(query))
    return { rows: rows.map((token) => this.#toOwned(token)), total }
  }

  async get(owner: TokenOwner, id: number): Promise<OwnedToken> {
    return this.#toOwned(await this.#getOwn(owner, id))
  }

  async create(owner: TokenOwner, body: TokenCreateBody): Promise<OwnedToken> {
    const { store, vault } = this.#deps
    const quota = checkedQuota(body.remain_quota)
    const token = newToken(owner.userId, body, vault, this.#now())
    this.#refuseForeignGroup(owner, token.group)
    await this.#refuseTooMany(owner)
    return this.#announced(await storeToken(store, token, quota))
  }

  async update(owner: TokenOwner, body: TokenUpdateBody): Promise<OwnedToken> {
    const token = await this.#getOwn(owner, body.id)
    const fields = editedFields(token, body, this.#now())
    // A group that the owner has lost since may stay on the key: the relay refuses it, an edit need not.
    if (fields.group !== undefined && fields.group !== token.group)
      this.#refuseForeignGroup(owner, fields.group)
    const balance = this.#balanceOf(token)
    const remainQuota = body.remain_quota === undefined ? balance : checkedQuota(body.remain_quota)
    const isEnabling = enablesSpent(token, body)
    if (isEnabling) refuseEnablingSpent({ ...token, ...fields, remainQuota }, this.#now())
    // Money first: a key must not be enabled before it has what it was enabled for.
    if (remainQuota !== balance) await this.#setBalance(owner, token, remainQuota)
    return this.#change(owner, token.id, isEnabling ? { ...fields, status: 'enabled' } : fields)
  }

  async setStatus(owner: TokenOwner, id: number, status: number | undefined): Promise<OwnedToken> {
    const token = await this.#getOwn(owner, id)
    if (status === tokenStatuses.disabled) return this.#change(owner, id, { status: 'disabled' })
    if (status !== tokenStatuses.enabled) throw new Refusal('token_status_invalid')
    refuseEnablingSpent({ ...token, remainQuota: this.#balanceOf(token) }, this.#now())
    return this.#change(owner, id, { status: 'enabled' })
  }

  async delete(owner: TokenOwner, id: number): Promise<void> {
    const { store, events } = this.#deps
    const token = await this.#getOwn(owner, id)
    if (!(await store.tokens.deleteOwn(owner.userId, id, this.#now()))) refuseUnknown()
    events.publish('token-changed', { id, keyHash: token.keyHash })
  }

  changeMany(owner: TokenOwner, body: TokenBatchBody): Promise<TokenOutcome[]> {
    const { store, events } = this.#deps
    const balanceOf = (token: Token) => this.#balanceOf(token)
    return changeTokens({ tokens: store.tokens, events, balanceOf, now: this.#now() }, owner.userId, body)
  }

  async reveal(actor: Actor, ids: readonly number[]): Promise<{ id: number; key: string }[]> {
    const { store, vault, auditLog } = this.#deps
    const own = [...(await store.tokens.listOwnByIds(actor.userId, ids)).values()]
    await auditLog.recordAll(actor, own.map(revealEntry))
    return own.map(({ id, keySealed }) => ({ id, key: vault.open(keySealed) }))
  }

  #now(): Seconds {
    return unixSeconds(this.#deps.clock)
  }

  /** With every settled call counted. */
  #balanceOf(token: Token): Quota {
    return this.#deps.ledger.balance('token', token.id) ?? token.remainQuota
  }

  #toOwned(token: Token): OwnedToken {
    const { ledger, vault } = this.#deps
    const {
      keyHash: _hash,
      keyHead: _head,
      keyTail: _tail,
      keySealed,
      deletedAt: _deletedAt,
      ...rest
    } = token
    const remainQuota = this.#balanceOf(token)
    return {
      ...rest,
      key: vault.open(keySealed),
      remainQuota,
      usedQuota: token.usedQuota + ledger.unflushed('token', token.id).quota,
      status: shownStatus(token.status, { ...token, remainQuota }, this.#now()),
    }
  }

  async #getOwn(owner: TokenOwner, id: number): Promise<Token> {
    return (await this.#deps.store.tokens.findOwn(owner.userId, id)) ?? refuseUnknown()
  }

  #announced(token: Token): OwnedToken {
    this.#deps.events.publish('token-changed', { id: token.id, keyHash: token.keyHash })
    return this.#toOwned(token)
  }

  async #change(owner: TokenOwner, id: number, fields: TokenChange): Promise<OwnedToken> {
    const changed = await this.#deps.store.tokens.updateOwn(owner.userId, id, fields)
    return this.#announced(changed ?? refuseUnknown())
  }

  async #refuseTooMany({ userId }: TokenOwner): Promise<void> {
    const { store, maxTokens: max } = this.#deps
    const { total } = await store.tokens.pageOwn(userId, {}, onePage)
    if (total >= max) throw new Refusal('token_too_many', { max })
  }

  #refuseForeignGroup(owner: TokenOwner, group: string): void {
    if (group === '' || isUsableGroup(this.#deps.settings.current, owner.group, group)) return
    throw new Refusal('token_group_not_usable', { group })
  }

  async #setBalance(owner: TokenOwner, token: Token, balance: Quota): Promise<void> {
    const cause = 'owner-change'
    await this.#deps.ledger.setBalance({
      kind: 'token',
      id: token.id,
      cause,
      balance,
      actorId: owner.userId,
      note: '',
    })
  }
}

function revealEntry({ id, name }: Token): AuditEvent {
  return { action: 'token.reveal-key', target: { kind: 'token', id, name } }
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
