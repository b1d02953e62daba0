/** Actions of users on their own API keys. */

import {
  keyMask,
  nameOf,
  neverExpires,
  type TokenBatchBody,
  type TokenCreateBody,
  type TokenUpdateBody,
  tokenKeyLength,
  type tokenRecord,
  tokenResource,
  tokenStatuses,
} from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, secondsOf, unixSeconds } from '@tollgate/base'
import type { z } from 'zod'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import { editOver, type Merge, mergeCommaLists } from '../../lib/merge-edit.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal, refuseLimit } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import { isUsableGroup } from '../../settings/groups.ts'
import type { NewToken, Token, TokenChange, TokenPage } from '../../store/accounts/tokens.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { writeWithin } from '../users/owned-rows.ts'
import { keyFilterOf } from './key-ends.ts'
import { newKey } from './new-key.ts'
import { checkAddresses, checkExpiry, currentStatus, refuseEnablingSpent } from './token-rules.ts'

/** The user whose keys a use case works on. */
export interface TokenOwner {
  readonly userId: number
  readonly group: string
}

/** A key as its owner sees it: opened, with balances as of now. */
export type OwnedToken = Readonly<z.output<typeof tokenRecord>>

/** Filter and order of an owner's keys; absent fields narrow nothing. */
export interface TokenQuery {
  /** Counts from 0. */
  readonly p: number
  readonly size: number
  readonly keyword?: string | undefined
  readonly token?: string | undefined
  readonly status?: number | undefined
  readonly frozen?: boolean
  /** The field's name in JSON; by default the newest keys come first. */
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc'
}

/** The outcome for one key of a bulk change. */
export interface TokenOutcome {
  readonly id: number
  /** The refusal. */
  readonly refusal: Refusal | undefined
}

interface Dependencies {
  readonly store: Store
  readonly ledger: Pick<Ledger, 'currentBalance' | 'unflushed' | 'setBalance' | 'flush'>
  readonly settings: { readonly current: Pick<SettingValues, 'GroupRatio' | 'UserUsableGroups'> }
  readonly events: ChangeBus
  readonly vault: Vault
  readonly auditLog: Pick<AuditLog, 'recordAll'>
  readonly clock: Clock
  /** Keys that one user may have. */
  readonly maxTokens: number
}

export type Tokens = ReturnType<typeof createTokens>

export function createTokens(deps: Dependencies) {
  const { store, ledger, vault, auditLog, clock } = deps
  const view = createView(deps)
  const { getOwn, toOwned } = view
  const { changeMany, changeOne } = createBulkChange(deps, view)

  return {
    /** A page of the filtered keys, with their total. */
    async list(owner: TokenOwner, query: TokenQuery): Promise<{ rows: OwnedToken[]; total: number }> {
      const visible = query.status ? nameOf(tokenStatuses, query.status) : undefined
      const key = query.token === undefined ? {} : keyFilterOf(query.token, vault)
      if (key === undefined || (query.status && visible === undefined)) return { rows: [], total: 0 }
      const page = pageOf(query)
      // Rows that are chosen or sorted by what calls change have to hold every settled call.
      if (visible !== undefined || liveFields.has(page.sort)) await ledger.flush()
      const filter = {
        ...(query.keyword !== undefined && { keyword: query.keyword }),
        ...key,
        ...(visible !== undefined && { status: { visible, at: unixSeconds(clock) } }),
        ...(query.frozen !== undefined && { frozen: query.frozen }),
      }
      const { rows, total } = await store.tokens.pageOwn(owner.userId, filter, page)
      return { rows: rows.map(toOwned), total }
    },

    get: async (owner: TokenOwner, id: number): Promise<OwnedToken> => toOwned(await getOwn(owner, id)),

    ...createEditing(deps, view),

    /** Enables (1) or disables (2). */
    async setStatus(owner: TokenOwner, id: number, status: number | undefined): Promise<OwnedToken> {
      const { enabled, disabled } = tokenStatuses
      if (status !== enabled && status !== disabled) throw new Refusal('token_status_invalid')
      await changeOne(owner, id, status === enabled ? 'enable' : 'disable')
      return toOwned(await getOwn(owner, id))
    },

    delete: (owner: TokenOwner, id: number): Promise<void> => changeOne(owner, id, 'delete'),

    changeMany,

    /**
     * Returns full keys of the owner, once the audit log has recorded the access; those that are known, of keys that came as
     * hashes.
     */
    async reveal(actor: Actor, ids: readonly number[]): Promise<{ id: number; key: string }[]> {
      const own = [...(await store.tokens.listOwnByIds(actor.userId, ids)).values()]
      const known = own.flatMap(({ id, name, keyHash, keySealed }) => {
        const key =
          keySealed === '' ? undefined : vault.openIfKnown(keySealed, sealContexts.tokenKey(keyHash))
        return key === undefined ? [] : [{ id, name, key }]
      })
      if (known.length === 0 && own.length > 0) throw new Refusal('token_key_unknown')
      await auditLog.recordAll(
        actor,
        known.map(({ id, name }) => ({ action: 'token.reveal-key', target: { kind: 'token', id, name } })),
      )
      return known.map(({ id, key }) => ({ id, key }))
    },
  }
}

type View = ReturnType<typeof createView>

/** An owner's keys as they are now: opened, with every settled call counted. */
function createView({ store, ledger, vault, clock }: Dependencies) {
  const balanceOf = (token: Token): Quota => ledger.currentBalance('token', token.id, token.remainQuota)
  return {
    balanceOf,
    getOwn: async ({ userId }: TokenOwner, id: number): Promise<Token> =>
      (await store.tokens.findOwn(userId, id)) ?? refuseUnknown(),
    toOwned(token: Token): OwnedToken {
      const {
        keyHash,
        keyHead,
        keyTail,
        keySealed,
        deletedAt: _at,
        statusBeforeFreeze: _former,
        ...rest
      } = token
      const remainQuota = balanceOf(token)
      const key = keySealed === '' ? undefined : vault.openIfKnown(keySealed, sealContexts.tokenKey(keyHash))
      return {
        ...rest,
        // A key that came as a hash is known from its first use on; one that a lost secret sealed is not known any more.
        key: key ?? keyHead + keyMask + keyTail,
        remainQuota,
        usedQuota: token.usedQuota + ledger.unflushed('token', token.id).quota,
        status: currentStatus(token.status, { ...token, remainQuota }, unixSeconds(clock)),
      }
    },
  }
}

/** New keys, and changes of their fields. */
function createEditing(deps: Dependencies, { balanceOf, getOwn, toOwned }: View) {
  const { store, ledger, settings, events, vault, clock, maxTokens } = deps
  const now = secondsOf(clock)

  function announced(token: Token): OwnedToken {
    events.publish('token-changed', { id: token.id, keyHash: token.keyHash })
    return toOwned(token)
  }

  function refuseForeignGroup(owner: TokenOwner, group: string): void {
    // Calls in a group without a ratio are refused.
    const hasRatio = Object.hasOwn(settings.current.GroupRatio, group)
    if (group === '' || (hasRatio && isUsableGroup(settings.current, owner.group, group))) return
    throw new Refusal('token_group_not_usable', { group })
  }

  async function setBalance(
    { userId: actorId }: TokenOwner,
    id: number,
    balance: Quota,
    inTransaction: (tx: Store) => Promise<void>,
  ): Promise<void> {
    const entry = { kind: 'token', id, cause: 'owner-change', actorId, note: '' } as const
    await ledger.setBalance({ ...entry, balance, inTransaction })
  }

  function isSpent(token: Token): boolean {
    const visible = currentStatus(token.status, { ...token, remainQuota: balanceOf(token) }, now())
    return visible === 'expired' || visible === 'exhausted'
  }

  /** The fields that a body changes; a quota only where it is another than the key's. */
  function editIn(token: Token, body: TokenUpdateBody) {
    const edit = editOver(body, tokenResource.toWire(toOwned(token)), fieldMerges)
    const { remainQuota, ...fields } = tokenResource.fromUpdateBody(edit, refuseLimit)
    const isSame = remainQuota === undefined || remainQuota === balanceOf(token)
    return { fields, ...(!isSame && { remainQuota }) }
  }

  /** Writes an edit of the key as it is now. */
  async function writeEdit(tx: Store, owner: TokenOwner, body: TokenUpdateBody): Promise<void> {
    const token = (await tx.tokens.lockOwn(owner.userId, body.id)) ?? refuseUnknown()
    const { fields, remainQuota = balanceOf(token) } = editIn(token, body)
    // A form sends back the expiry it was opened with, which may be past by now.
    if (fields.expiresAt !== undefined && fields.expiresAt !== token.expiresAt)
      checkExpiry(fields.expiresAt ?? neverExpires, now())
    if (fields.allowIps !== undefined) checkAddresses(fields.allowIps)
    // The owner may have lost the key's group: the relay refuses it, an edit need not.
    if (fields.group !== undefined && fields.group !== token.group) refuseForeignGroup(owner, fields.group)
    if (isSpent(token) && body.status === tokenStatuses.enabled)
      refuseEnablingSpent({ ...token, ...fields, remainQuota }, now())
    // With the switch as it is read, so that an older node beside this one finds no former status of a key that was raised.
    await tx.tokens.changeOwn(owner.userId, [token.id], { ...fields, status: token.status })
  }

  return {
    async create(owner: TokenOwner, sent: TokenCreateBody): Promise<OwnedToken> {
      // Older programs send 0 for "never".
      const body = { ...sent, expired_time: sent.expired_time || neverExpires }
      const { remainQuota, ...fields } = tokenResource.fromCreateBody(body, refuseLimit)
      checkExpiry(body.expired_time, now())
      checkAddresses(fields.allowIps)
      refuseForeignGroup(owner, fields.group)
      const token: NewToken = {
        ...fields,
        userId: owner.userId,
        ...newKey(randomAlphanumerics(tokenKeyLength), vault),
        status: 'enabled',
        createdAt: now(),
      }
      const stored = writeWithin(store, owner.userId, { kind: 'key', max: maxTokens, now: now() }, (tx) =>
        storeToken(tx, token, remainQuota),
      )
      return announced(await stored)
    },

    /** Changes what the body names. Refuses `status: 1` for a key that stays spent. */
    async update(owner: TokenOwner, body: TokenUpdateBody): Promise<OwnedToken> {
      const { remainQuota } = editIn(await getOwn(owner, body.id), body)
      const inTransaction = (tx: Store) => writeEdit(tx, owner, body)
      // A key needs its new quota before it is enabled: the relay sees both at once.
      if (remainQuota === undefined) await store.transaction(inTransaction)
      else await setBalance(owner, body.id, remainQuota, inTransaction)
      return announced(await getOwn(owner, body.id))
    },
  }
}

const fieldMerges = {
  // Calls spend it meanwhile, which is no edit.
  remain_quota: (_base, _current, sent) => ({ value: sent, conflicts: [] }),
  model_limits: mergeCommaLists,
} satisfies Readonly<Record<string, Merge>>

/** Enables, disables or deletes keys of an owner, each for itself, in two statements. */
function createBulkChange({ store, events, clock }: Dependencies, { balanceOf }: View) {
  const now = secondsOf(clock)

  async function changeMany(
    owner: TokenOwner,
    { ids, action }: Pick<TokenBatchBody, 'ids' | 'action'>,
  ): Promise<TokenOutcome[]> {
    const requested = [...new Set(ids)]
    const known = await store.tokens.listOwnByIds(owner.userId, requested)
    const outcomes = requested.map((id) => ({ id, refusal: refusalOf(action, known.get(id)) }))
    const allowed = outcomes.filter(({ refusal }) => refusal === undefined).map(({ id }) => id)
    const change: TokenChange =
      action === 'delete' ? { deletedAt: now() } : { status: action === 'enable' ? 'enabled' : 'disabled' }
    const changed = new Set(await store.tokens.changeOwn(owner.userId, allowed, change))
    for (const id of changed) events.publish('token-changed', { id, keyHash: known.get(id)?.keyHash ?? '' })
    return outcomes.map(({ id, refusal }) => ({
      id,
      // Deleted or frozen since it was looked up.
      refusal: refusal ?? (changed.has(id) ? undefined : new Refusal('record_not_found')),
    }))
  }

  function refusalOf(action: TokenBatchBody['action'], token: Token | undefined): Refusal | undefined {
    if (token === undefined) return new Refusal('record_not_found')
    if (action === 'enable' && token.frozenAt !== null) return new Refusal('token_frozen')
    try {
      if (action === 'enable') refuseEnablingSpent({ ...token, remainQuota: balanceOf(token) }, now())
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    return undefined
  }

  /** One key through the bulk change, with its refusal thrown. */
  async function changeOne(owner: TokenOwner, id: number, action: TokenBatchBody['action']): Promise<void> {
    const [outcome] = await changeMany(owner, { ids: [id], action })
    if (outcome?.refusal !== undefined) throw outcome.refusal
  }

  return { changeMany, changeOne }
}

/** Fields that calls change. */
const liveFields: ReadonlySet<TokenPage['sort']> = new Set(['accessedAt', 'remainQuota', 'usedQuota'])

function pageOf({ p, size, sort = 'id', order }: TokenQuery): TokenPage {
  return {
    offset: Math.min(p * size, Number.MAX_SAFE_INTEGER),
    limit: size,
    sort: tokenResource.sortField(sort) as TokenPage['sort'],
    descending: order !== 'asc',
  }
}

/**
 * Stores the key and its first quota, in one transaction: a crash leaves both or neither. The quota does not go through
 * the ledger, because no node can have the new account in memory.
 */
async function storeToken(tx: Store, token: NewToken, quota: Quota): Promise<Token> {
  const created = await tx.tokens.create(token)
  if (quota === 0) return created
  const remainQuota = await tx.ledger.credit({
    accountKind: 'token',
    accountId: created.id,
    cause: 'initial',
    amount: quota,
    createdAt: token.createdAt,
    actorId: token.userId,
    note: '',
  })
  return { ...created, remainQuota }
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
