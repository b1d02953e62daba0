import type { Language, SecurityAlert } from '@tollgate/api'
import type { Mailer } from '../../mail/mailer.ts'
import { securityAlertMessage } from '../../mail/templates.ts'
import type { DeliveryQueue } from '../../notifications/delivery-queue.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/repositories/users.ts'

/** The origin of a change, as far as the owner may see it. */
export interface ClientInfo {
  readonly language: Language
  /** Of the client. */
  readonly address: string
}

type Owner = Pick<User, 'id' | 'username' | 'email'>

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly mailer: Mailer
  readonly deliveries: Pick<DeliveryQueue, 'add'>
}

/** Mails the owner of an account when one of its credentials changes. */
export function createSecurityAlerts({ store, settings, mailer, deliveries, clock }: Dependencies) {
  return {
    /** The current owner: a notice goes to the address from before the change. */
    find: (userId: number): Promise<Owner | undefined> => store.users.find(userId),
    /** Mails in the background. Does nothing for an owner without an address, and where no mail server is set up. */
    send(owner: Owner | undefined, notice: SecurityAlert, { language, address }: ClientInfo): void {
      if (owner === undefined || owner.email === '' || !mailer.isConfigured) return
      const { id: userId, email: to, username } = owner
      const { SystemName: systemName } = settings.current
      const at = new Date(clock.now()).toISOString()
      const message = securityAlertMessage({ systemName, username, notice, at, address, language })
      deliveries.add({ kind: 'mail', about: { userId, notice }, send: () => mailer.send({ to, ...message }) })
    },
  }
}

export type SecurityAlerts = ReturnType<typeof createSecurityAlerts>
