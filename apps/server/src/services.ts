import type { Clock } from '@tollgate/base'
import type { Vault } from './lib/crypto.ts'
import type { Logger } from './lib/logger.ts'
import type { AuditLog } from './records/audit-log/audit-log.ts'
import type { EventLog } from './records/logs/event-log.ts'
import type { SettingsReader } from './settings/settings.ts'
import type { ChangeBus } from './store/change-events.ts'
import type { Store } from './store/store.ts'

/** Services of use cases. `compose/` makes each once; a use case names the ones that it needs. */
export interface Services {
  readonly store: Store
  readonly settings: SettingsReader
  readonly vault: Vault
  /** Announces what was committed. */
  readonly bus: ChangeBus
  /** The wall clock. */
  readonly clock: Clock
  readonly logger: Logger
  readonly auditLog: AuditLog
  readonly eventLog: EventLog
}
