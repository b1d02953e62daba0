import { type FreezeCause, keyMask } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import { neverEnds } from '../../store/accounts/one-time-secrets.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { mayEdit, type Ranked } from '../users/manage/ranks.ts'

type Dependencies = Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'>

/** Reason of a freeze. */
export interface FreezeReason {
  readonly cause: Exclude<FreezeCause, ''>
  /** The administrator's words, or the address at which a scanner found the key. */
  readonly note: string
  /** Hash of the report that a freeze follows from: the same report freezes a key once. */
  readonly report?: string
}

/** Reports that are remembered of one key; the oldest are forgotten. Nobody but a scanner with the operator's trust can sign another. */
const maxReports = 100

/** Freezes keys of others and gives them back. */
export function createFreezeKey({ store, auditLog, bus, clock }: Dependencies) {
  /** Changes a key under lock, with its audit entry; returns undefined for one that needs no change. */
  async function change(
    actor: Actor,
    id: number,
    act: (tx: Store, token: Token, owner: User) => Promise<AuditEvent | undefined>,
  ): Promise<{ readonly token: Token; readonly owner: User } | undefined> {
    const changed = await store.transaction(async (tx) => {
      const token = (await tx.tokens.lock(id)) ?? refuseUnknown()
      const owner = (await tx.users.find(token.userId)) ?? refuseUnknown()
      if (!mayFreeze(actor, owner)) refuseUnknown()
      const event = await act(tx, token, owner)
      if (event === undefined) return undefined
      await auditLog.record(actor, event, tx)
      return { token, owner }
    })
    if (changed !== undefined) bus.publish('token-changed', { id, keyHash: changed.token.keyHash })
    return changed
  }

  /** False for a report that the key has had. A signature has no time, so that a memory of it has no end. */
  function rememberReport(tx: Store, id: number, report: string): Promise<boolean> {
    const about = { purpose: `leak report of key ${id}`, subject: report, secretHash: '', data: '' }
    const secret = { ...about, createdAt: unixSeconds(clock), expiresAt: neverEnds }
    return tx.oneTimeSecrets.remember(secret, maxReports)
  }

  return {
    /** Refuses the key on every node until it is given back; a key that is frozen stays as it is. Notifies its owner. */
    async freeze(actor: Actor, id: number, { cause, note, report }: FreezeReason): Promise<void> {
      const changed = await change(actor, id, async (tx, token, owner) => {
        // A report of a key that is frozen already is remembered too: sent again after the key is given back, it freezes nothing.
        const isNew = report === undefined || (await rememberReport(tx, id, report))
        if (!isNew || token.frozenAt !== null) return undefined
        await tx.tokens.freeze(id, { frozenAt: unixSeconds(clock), freezeCause: cause, freezeNote: note })
        return eventOf('token.freeze', token, owner, { frozen: true, cause, note })
      })
      if (changed === undefined) return
      const { token, owner } = changed
      bus.publish('key-frozen', {
        ...{ id, userId: owner.id, username: owner.username, name: token.name, cause, note },
        key: token.keyHead + keyMask + token.keyTail,
      })
    },
    async unfreeze(actor: Actor, id: number): Promise<void> {
      await change(actor, id, async (tx, token, owner) => {
        if (token.frozenAt === null) return undefined
        await tx.tokens.unfreeze(id)
        return eventOf('token.unfreeze', token, owner, { frozen: false })
      })
    },
  }
}

export type FreezeKey = ReturnType<typeof createFreezeKey>

/** Users of lower rank; root also its own, and the gateway by itself those of everybody. */
function mayFreeze(actor: Pick<Actor, 'userId' | 'role'>, owner: User): boolean {
  return actor.userId === 0 || mayEdit(actor satisfies Ranked, owner)
}

function eventOf(
  action: 'token.freeze' | 'token.unfreeze',
  { id, name, frozenAt, freezeCause, freezeNote }: Token,
  owner: User,
  after: object,
): AuditEvent {
  const former = frozenAt === null ? {} : { cause: freezeCause, note: freezeNote }
  return {
    action,
    target: { kind: 'token', id, name },
    before: { frozen: frozenAt !== null, ...former },
    after: { ...after, owner: owner.username },
  }
}

function refuseUnknown(): never {
  throw new Refusal('key_not_found')
}
