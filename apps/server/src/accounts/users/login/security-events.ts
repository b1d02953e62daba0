import type { SecurityEventKind } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import type { Services } from '../../../services.ts'
import type { SecurityEvent } from '../../../store/accounts/security-events.ts'
import type { Device } from './sessions.ts'

/** Something that happened to an account, in a browser or a program. */
export interface SecurityOccurrence {
  readonly user: { readonly id: number; readonly username: string }
  readonly kind: SecurityEventKind
  /** Means or subject of the event; no secret. */
  readonly detail?: string
  readonly device: Device
}

/** Hears of each event once it is written. */
export type SecurityListener = (event: Omit<SecurityEvent, 'id'>) => void

const detailMaxLength = 200
const userAgentMaxLength = 300

/** The record of what happens to the ways into accounts. */
export function createSecurityEvents({ store, clock, logger }: Pick<Services, 'store' | 'clock' | 'logger'>) {
  const listeners = new Set<SecurityListener>()
  return {
    /** Never rejects: a log-in does not fail because its record cannot be written. */
    async record({ user, kind, detail = '', device }: SecurityOccurrence): Promise<void> {
      const event = {
        createdAt: unixSeconds(clock),
        userId: user.id,
        username: user.username,
        kind,
        detail: detail.slice(0, detailMaxLength),
        address: device.address,
        userAgent: device.userAgent.slice(0, userAgentMaxLength),
      }
      try {
        await store.securityEvents.append(event)
        for (const listener of listeners) listener(event)
      } catch (err) {
        logger.error(
          { err, userId: user.id, kind },
          'this security event was not recorded: check the database',
        )
      }
    },
    /** Returns a function that ends this. */
    subscribe(listener: SecurityListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>
