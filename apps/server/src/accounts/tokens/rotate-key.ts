import { type FormerKeyRow, keyMask, maxFormerKeys, tokenKeyLength } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import { refuseBeyond } from '../users/owned-rows.ts'
import { newKey } from './new-key.ts'

type Dependencies = Pick<Services, 'store' | 'vault' | 'auditLog' | 'bus' | 'clock'>

/** Replaces keys of the actor's own by other texts, and ends those that were replaced. */
export function createRotateKey({ store, vault, auditLog, bus, clock }: Dependencies) {
  const getOwn = async (userId: number, id: number): Promise<Token> =>
    (await store.tokens.findOwn(userId, id)) ?? refuseUnknown()

  return {
    /**
     * Gives the key another text. The former one works beside it.
     * @param overlapSeconds for how long; 0 ends it at once
     */
    async rotate(actor: Actor, id: number, overlapSeconds: number): Promise<void> {
      const key = newKey(randomAlphanumerics(tokenKeyLength), vault)
      const formerHash = await store.transaction(async (tx) => {
        const token = (await tx.tokens.lockOwn(actor.userId, id)) ?? refuseUnknown()
        if (token.frozenAt !== null) throw new Refusal('token_frozen')
        const now = unixSeconds(clock)
        if (overlapSeconds > 0) await refuseBeyond(tx, id, { kind: 'formerKey', max: maxFormerKeys, now })
        const { keyHash, keyHead, keyTail } = token
        const endsAt = now + overlapSeconds
        await tx.formerKeys.add({ keyHash, tokenId: id, keyHead, keyTail, replacedAt: now, endsAt })
        await tx.tokens.changeOwn(actor.userId, [id], key)
        await auditLog.record(actor, eventOf('token.rotate', token, { former_key_ends_at: endsAt }), tx)
        return keyHash
      })
      for (const keyHash of [formerHash, key.keyHash]) bus.publish('token-changed', { id, keyHash })
    },

    /** Lists the replaced keys that still work, the last to end first. */
    async listFormer(userId: number, id: number): Promise<FormerKeyRow[]> {
      await getOwn(userId, id)
      const working = await store.formerKeys.listWorkingOf(id, unixSeconds(clock))
      return working.map(({ keyHead, keyTail, replacedAt, endsAt }) => ({
        key: keyHead + keyMask + keyTail,
        replaced_at: replacedAt,
        ends_at: endsAt,
      }))
    },

    /** Ends the replaced keys that still work; returns how many. */
    async endFormer(actor: Actor, id: number): Promise<number> {
      const { ended, keyHash } = await store.transaction(async (tx) => {
        const token = (await tx.tokens.lockOwn(actor.userId, id)) ?? refuseUnknown()
        const ended = await tx.formerKeys.end(id, unixSeconds(clock))
        if (ended > 0) await auditLog.record(actor, eventOf('token.end-former-keys', token, { ended }), tx)
        return { ended, keyHash: token.keyHash }
      })
      if (ended > 0) bus.publish('token-changed', { id, keyHash })
      return ended
    },
  }
}

export type RotateKey = ReturnType<typeof createRotateKey>

function eventOf(action: AuditEvent['action'], { id, name }: Token, after: object): AuditEvent {
  return { action, target: { kind: 'token', id, name }, after }
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}
