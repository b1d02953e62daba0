import type { Language, SecurityAlert } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { securityAlertMessage } from '../../mail/templates/owner-notice.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'

/** Who asked for a change, as far as its owner may be told. */
export interface ClientInfo {
  readonly language: Language
  /** Of the client. */
  readonly address: string
}

type Owner = Pick<User, 'id' | 'username' | 'email'>

/** Tells the owner of an account by mail that something has changed which opens it. */
export interface SecurityAlerts {
  /** The owner as they are now: a notice goes to the address from before the change. */
  find(userId: number): Promise<Owner | undefined>
  /**
   * Mails in the background. Does nothing for an owner without an address, and where no mail server is set up; a mail that
   * cannot be sent is a warning in the log.
   */
  tell(owner: Owner | undefined, notice: SecurityAlert, by: ClientInfo): void
}

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'find'> }
  readonly settings: { readonly current: Pick<SettingValues, 'SystemName'> }
  readonly mailer: Mailer
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

export function createSecurityAlerts({
  store,
  settings,
  mailer,
  clock,
  logger,
}: Dependencies): SecurityAlerts {
  return {
    find: (userId) => store.users.find(userId),
    tell(owner, notice, { language, address }) {
      if (owner === undefined || owner.email === '' || !mailer.isConfigured) return
      const { id: userId, email: to, username } = owner
      const { SystemName: systemName } = settings.current
      const at = new Date(clock.now()).toISOString()
      const message = securityAlertMessage({ systemName, username, notice, at, address, language })
      mailer
        .send({ to, ...message })
        .catch((err: unknown) =>
          logger.warn(
            { err, userId, notice },
            'the owner of an account could not be told of a change by mail',
          ),
        )
    },
  }
}
