import { randomBytes } from 'node:crypto'
import { type RedemptionCreateBody, type RedemptionUpdateBody, redemptionStatuses } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'
import type { Vault } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Redemption, RedemptionFilter, RedemptionOrder } from '../store/repositories/redemptions.ts'
import type { Store } from '../store/store.ts'
import { type BulkAction, bulkEntry, creationEntry, editEntry } from './audit-entries.ts'
import { checkedCodeName, checkedCodeQuota, checkedCount } from './code-fields.ts'

/** A code as administrators see it, with its key in clear: they give it to people. */
export interface RevealedCode extends Omit<Redemption, 'keyHash' | 'keySealed' | 'deletedAt'> {
  readonly key: string
  /** Who redeemed it, deleted users included; empty for nobody. */
  readonly usedUsername: string
}

export interface CodePage {
  readonly rows: readonly RevealedCode[]
  readonly total: number
}

/** What became of one code of many; `refusal` says why nothing did. */
export interface CodeOutcome {
  readonly id: number
  readonly refusal?: Refusal
}

/** What administrators do with codes. Every change is written to the audit log in its own transaction. */
export interface ManageCodes {
  page(
    filter: RedemptionFilter,
    order: RedemptionOrder,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<CodePage>
  get(id: number): Promise<RevealedCode>
  /** All or none; answers their keys. */
  create(actor: Actor, body: RedemptionCreateBody): Promise<string[]>
  /** Name and quota of an unused code; absent ones stay. */
  update(actor: Actor, body: RedemptionUpdateBody): Promise<RevealedCode>
  /** Unused (1) or disabled (2); a used code stays used. */
  setStatus(actor: Actor, id: number, status: number | undefined): Promise<RevealedCode>
  delete(actor: Actor, id: number): Promise<void>
  /** The same to many, each for itself; outcomes in the order of the ids, each id once. */
  actOnMany(actor: Actor, ids: readonly number[], action: BulkAction): Promise<CodeOutcome[]>
}

interface Dependencies {
  readonly store: Pick<Store, 'redemptions' | 'users' | 'transaction'>
  readonly auditLog: AuditLog
  readonly vault: Vault
  readonly clock: Clock
}

const newKey = () => randomBytes(16).toString('hex')

export function createManageCodes(deps: Dependencies): ManageCodes {
  const { store, auditLog, vault, clock } = deps
  const open = async (codes: readonly Redemption[]): Promise<RevealedCode[]> => {
    const redeemers = codes.flatMap(({ usedUserId }) => usedUserId ?? [])
    const users = redeemers.length === 0 ? undefined : await store.users.listByIds([...new Set(redeemers)])
    return codes.map(({ keyHash: _hash, keySealed, deletedAt: _deletedAt, ...code }) => ({
      ...code,
      key: vault.open(keySealed),
      usedUsername: users?.get(code.usedUserId ?? 0)?.username ?? '',
    }))
  }
  const revealOne = async (code: Redemption): Promise<RevealedCode> =>
    (await open([code]))[0] ?? refuseUnknown()
  const get = async (id: number) => (await store.redemptions.find(id)) ?? refuseUnknown()

  /** One code through the bulk way, with its refusal thrown. */
  async function actOnOne(actor: Actor, id: number, action: BulkAction): Promise<void> {
    const [outcome] = await actOnMany(actor, [id], action)
    if (outcome?.refusal !== undefined) throw outcome.refusal
  }

  async function actOnMany(actor: Actor, ids: readonly number[], action: BulkAction): Promise<CodeOutcome[]> {
    const wanted = [...new Set(ids)]
    return await store.transaction(async (tx) => {
      const known = await tx.redemptions.listByIds(wanted)
      const changed = await change(tx, wanted, action, unixSeconds(clock))
      const codes = changed.flatMap((id) => known.get(id) ?? [])
      await auditLog.recordAll(
        actor,
        codes.map((code) => bulkEntry(action, code)),
        tx,
      )
      return wanted.map((id) => ({ id, ...refusalOf(action, known.get(id)) }))
    })
  }

  return {
    async page(filter, order, page) {
      const { rows, total } = await store.redemptions.page(filter, order, page)
      return { rows: await open(rows), total }
    },
    get: async (id) => revealOne(await get(id)),
    async create(actor, body) {
      const name = checkedCodeName(body.name)
      const quota = checkedCodeQuota(body.quota)
      const keys = Array.from({ length: checkedCount(body.count) }, newKey)
      const createdAt = unixSeconds(clock)
      await store.transaction(async (tx) => {
        const codes = await tx.redemptions.createMany(
          keys.map((key) => ({
            creatorId: actor.userId,
            keyHash: vault.hash(key),
            keySealed: vault.seal(key),
            name,
            quota,
            createdAt,
          })),
        )
        await auditLog.record(actor, creationEntry(codes), tx)
      })
      return keys
    },
    async update(actor, { id, ...body }) {
      const before = await get(id)
      const name = body.name === undefined ? before.name : checkedCodeName(body.name)
      const quota = body.quota === undefined ? before.quota : checkedCodeQuota(body.quota)
      const edited = await store.transaction(async (tx) => {
        const after = await tx.redemptions.updateUnused(id, { name, quota })
        if (after === undefined) throw new Refusal('redemption_not_unused')
        await auditLog.record(actor, editEntry(before, after), tx)
        return after
      })
      return await revealOne(edited)
    },
    async setStatus(actor, id, status) {
      await actOnOne(actor, id, actionForStatus(status))
      return await revealOne(await get(id))
    },
    delete: (actor, id) => actOnOne(actor, id, 'delete'),
    actOnMany,
  }
}

function actionForStatus(status: number | undefined): BulkAction {
  if (status === redemptionStatuses.unused) return 'enable'
  if (status === redemptionStatuses.disabled) return 'disable'
  throw new Refusal('redemption_status_invalid')
}

function change(
  { redemptions }: Pick<Store, 'redemptions'>,
  ids: readonly number[],
  action: BulkAction,
  now: number,
): Promise<number[]> {
  if (action === 'delete') return redemptions.deleteMany(ids, now)
  return redemptions.switchMany(ids, action === 'enable' ? 'unused' : 'disabled')
}

/** Why a code could not be acted upon; doing what is done already is no reason. */
function refusalOf(action: BulkAction, code: Redemption | undefined): { refusal?: Refusal } {
  if (code === undefined) return { refusal: new Refusal('record_not_found') }
  if (action !== 'delete' && code.status === 'used') return { refusal: new Refusal('redemption_status_used') }
  return {}
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
