/** Actions of administrators on redemption codes. Every change is recorded in the audit log in its own transaction. */

import { randomBytes } from 'node:crypto'
import {
  type RedemptionCreateBody,
  type RedemptionUpdateBody,
  redemptionBatchMax,
  type redemptionRecord,
  redemptionResource,
  redemptionStatuses,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { z } from 'zod'
import type { Vault } from '../../lib/crypto.ts'
import { editOver } from '../../lib/merge-edit.ts'
import { Refusal, refuseLimit } from '../../lib/refusal.ts'
import type { Actor, AuditEvent, AuditLog } from '../../records/audit-log/audit-log.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Redemption, RedemptionFilter, RedemptionOrder } from '../../store/money/redemptions.ts'
import type { Page } from '../../store/queries.ts'
import type { Store } from '../../store/store.ts'

/** A code as administrators see it, with its key in clear: they give it to people. */
export type RevealedCode = Readonly<z.output<typeof redemptionRecord>>

type BulkAction = 'delete' | 'disable' | 'enable'

interface Dependencies {
  readonly store: Pick<Store, 'redemptions' | 'users' | 'transaction'>
  readonly auditLog: AuditLog
  readonly vault: Vault
  readonly clock: Clock
}

export type ManageCodes = ReturnType<typeof createManageCodes>

export function createManageCodes({ store, auditLog, vault, clock }: Dependencies) {
  const find = async (id: number) => (await store.redemptions.find(id)) ?? refuseUnknown()
  const get = async (id: number) => revealOne(await find(id))

  async function reveal(codes: readonly Redemption[]): Promise<RevealedCode[]> {
    const redeemers = codes.flatMap(({ usedUserId }) => usedUserId ?? [])
    const users = redeemers.length === 0 ? undefined : await store.users.listByIds([...new Set(redeemers)])
    return codes.map(({ keyHash, keySealed, deletedAt: _deletedAt, adminId: _adminId, ...code }) => ({
      ...code,
      // Empty where a lost secret sealed it: the page opens, and another code is made.
      key: vault.openIfKnown(keySealed, sealContexts.redemptionCode(keyHash)) ?? '',
      usedUsername: users?.get(code.usedUserId ?? 0)?.username ?? '',
    }))
  }

  async function revealOne(code: Redemption): Promise<RevealedCode> {
    return (await reveal([code]))[0] ?? refuseUnknown()
  }

  /** The same to many, each for itself; outcomes in the order of the ids, each id once. */
  async function changeMany(actor: Actor, ids: readonly number[], action: BulkAction) {
    const requested = [...new Set(ids)]
    return await store.transaction(async (tx) => {
      const known = await tx.redemptions.lockByIds(requested)
      const changed =
        action === 'delete'
          ? await tx.redemptions.deleteMany(requested, unixSeconds(clock))
          : await tx.redemptions.switchMany(
              requested,
              action === 'enable' ? 'unused' : 'disabled',
              handOf(actor),
            )
      const codes = changed.flatMap((id) => known.get(id) ?? [])
      await auditLog.recordAll(
        actor,
        codes.map((code) => auditEntry(action, code, { before: { ...writable(code), status: code.status } })),
        tx,
      )
      return requested.map((id) => ({ id, code: known.get(id), refusal: refusalOf(action, known.get(id)) }))
    })
  }

  /** One code through the bulk change, with its refusal thrown; returns it as it was before. */
  async function changeOne(actor: Actor, id: number, action: BulkAction): Promise<Redemption> {
    const [outcome] = await changeMany(actor, [id], action)
    if (outcome?.refusal !== undefined) throw outcome.refusal
    return outcome?.code ?? refuseUnknown()
  }

  return {
    async page(filter: RedemptionFilter, order: RedemptionOrder, page: Page) {
      const { rows, total } = await store.redemptions.page(filter, order, page)
      return { rows: await reveal(rows), total }
    },
    get,
    /** Creates all or none; returns their keys. */
    async create(actor: Actor, body: RedemptionCreateBody): Promise<string[]> {
      const fields = redemptionResource.fromCreateBody(body, refuseLimit)
      const keys = Array.from({ length: checkedCount(body.count) }, () => randomBytes(16).toString('hex'))
      const createdAt = unixSeconds(clock)
      await store.transaction(async (tx) => {
        const codes = await tx.redemptions.createMany(
          keys.map((key) => ({
            ...fields,
            ...sealedCode(key, vault),
            creatorId: actor.userId,
            adminId: 0,
            ...handOf(actor),
            createdAt,
          })),
        )
        const [first = refuseUnknown()] = codes
        // One entry for a batch: its codes differ in their ids alone.
        const after = { ...writable(first), ids: codes.map(({ id }) => id) }
        await auditLog.record(actor, auditEntry('create', first, { after }), tx)
      })
      return keys
    },
    /** Changes name and quota of an unused code; absent fields stay. */
    async update(actor: Actor, body: RedemptionUpdateBody): Promise<RevealedCode> {
      const edited = await store.transaction(async (tx) => {
        const before = (await tx.redemptions.lockByIds([body.id])).get(body.id) ?? refuseUnknown()
        if (before.status !== 'unused') throw new Refusal('redemption_not_unused')
        const fields = redemptionResource.fromUpdateBody(editOver(body, writable(before)), refuseLimit)
        const after = await tx.redemptions.updateUnused(body.id, {
          ...writable(before),
          ...fields,
          ...handOf(actor),
        })
        if (after === undefined) throw new Refusal('redemption_not_unused')
        const change = { before: writable(before), after: writable(after) }
        await auditLog.record(actor, auditEntry('update', before, change), tx)
        return after
      })
      return await revealOne(edited)
    },
    /** Unused (1) or disabled (2); a used code stays used. */
    async setStatus(actor: Actor, id: number, status: number | undefined): Promise<RevealedCode> {
      const { unused, disabled } = redemptionStatuses
      if (status !== unused && status !== disabled) throw new Refusal('redemption_status_invalid')
      const code = await changeOne(actor, id, status === unused ? 'enable' : 'disable')
      // Not read again: somebody may have deleted it by now.
      return await revealOne({ ...code, status: status === unused ? 'unused' : 'disabled' })
    },
    delete: async (actor: Actor, id: number): Promise<void> => void (await changeOne(actor, id, 'delete')),
    changeMany,
  }
}

const writable = redemptionResource.writableOf

/** Marks a code as an administrator's; root vouches for nothing that an administrator has had a hand in. */
function handOf({ userId, role }: Actor): { readonly adminId?: number } {
  return role === 'root' ? {} : { adminId: userId }
}

/** A code as it is stored: found by its keyed hash, and sealed. */
export function sealedCode(key: string, vault: Vault) {
  const keyHash = vault.hash(key)
  return { keyHash, keySealed: vault.seal(key, sealContexts.redemptionCode(keyHash)) }
}

/** An entry of the audit log: never with a key. */
function auditEntry(
  action: BulkAction | 'create' | 'update',
  { id, name }: Redemption,
  states: Pick<AuditEvent, 'before'> | Pick<AuditEvent, 'after'>,
): AuditEvent {
  return { action: `redemption.${action}`, target: { kind: 'redemption', id, name }, ...states }
}

function checkedCount(count: number): number {
  if (count < 1) throw new Refusal('redemption_count_low')
  if (count > redemptionBatchMax) throw new Refusal('redemption_count_high', { max: redemptionBatchMax })
  return count
}

/** Returns the refusal of a change to a code; a code in that state already gives none. */
function refusalOf(action: BulkAction, code: Redemption | undefined): Refusal | undefined {
  if (code === undefined) return new Refusal('record_not_found')
  const isUsed = action !== 'delete' && code.status === 'used'
  return isUsed ? new Refusal('redemption_status_used') : undefined
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
