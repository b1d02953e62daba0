import type { Language, SecurityAlert } from '@tollgate/api'
import type { DeliveryQueue } from '../../../lib/outbound/delivery-queue.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { securityAlertMessage } from '../../mail/templates.ts'
import type { SecurityEvents } from './security-events.ts'
import type { Device } from './sessions.ts'

/** The origin of a change, as far as the owner may see it. */
export interface ClientInfo extends Device {
  readonly language: Language
  /** The administrator who changed it; the owner themselves when absent. */
  readonly changedBy?: string
}

type Owner = Pick<User, 'id' | 'username' | 'email'>

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly mailer: Mailer
  readonly deliveries: Pick<DeliveryQueue, 'add'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
}

/** Records a change of an account's credentials, and mails its owner. */
export function createSecurityAlerts(deps: Dependencies) {
  const { store, settings, mailer, deliveries, securityEvents, clock } = deps
  return {
    /** The current owner: a notice goes to the address from before the change. */
    find: (userId: number): Promise<Owner | undefined> => store.users.find(userId),
    /** Sends a mail in the background. Mails nothing to an owner without an address, and where no mail server is set up. */
    send(owner: Owner | undefined, notice: SecurityAlert, client: ClientInfo): void {
      if (owner === undefined) return
      const { language, address, changedBy = '' } = client
      void securityEvents.record({ user: owner, kind: notice, detail: changedBy, device: client })
      if (owner.email === '' || !mailer.isConfigured) return
      const { id: userId, email: to, username } = owner
      const { SystemName: systemName } = settings.current
      const at = new Date(clock.now()).toISOString()
      const message = securityAlertMessage({ systemName, username, notice, at, address, language })
      deliveries.add({ kind: 'mail', about: { userId, notice }, send: () => mailer.send({ to, ...message }) })
    },
  }
}

export type SecurityAlerts = ReturnType<typeof createSecurityAlerts>
