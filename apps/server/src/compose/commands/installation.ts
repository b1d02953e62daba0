import { systemClock } from '@tollgate/base'
import { journalDatabase } from '../../billing/journal/open.ts'
import type { Config } from '../../config.ts'
import { createEventBus } from '../../lib/async/event-bus.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import { createLogger, type Logger } from '../../lib/logger.ts'
import { type MasterSecrets, masterSecrets } from '../../lib/master-secret.ts'
import { openVault } from '../../operations/secrets/open-vault.ts'
import { type Actor, type AuditLog, createAuditLog } from '../../records/audit-log/audit-log.ts'
import { createSettings } from '../../settings/create-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { journalDirectory } from '../services.ts'

/** Actor of a command: whoever runs it can read the secrets of the installation, so they may do everything. */
export const shell: Actor = { userId: 0, username: 'shell', role: 'root', address: '' }

/** An installation as a command changes it, whether its gateway runs or not. */
export interface Installation {
  readonly store: Store
  readonly secrets: MasterSecrets
  readonly ring: KeyRing
  readonly vault: Vault
  readonly settings: Settings
  readonly auditLog: AuditLog
  readonly logger: Logger
}

/**
 * Opens an installation for a command and closes it again. A gateway that runs over it notices what the command
 * changes within a second.
 * @throws StoreOpenError or DataDirectoryError with one sentence
 */
export async function withInstallation<Result>(
  { DATABASE_URL: databaseUrl, dataDir, ...config }: Config,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger('warn')
  const { TOLLGATE_SECRET: secret, TOLLGATE_SECRET_PREVIOUS: former } = config
  const store = await openStore({
    databaseUrl,
    dataDir,
    journalDatabase: journalDatabase(journalDirectory({ dataDir })),
    isBeside: true,
    connectionName: 'tollgate shell',
    logger,
  })
  try {
    const secrets = masterSecrets(dataDir, { secret, former, isUsed: true })
    const { ring, vault } = await openVault(secrets, store.identity)
    const bus = createEventBus<ChangeEvents>((err) =>
      logger.error(
        { err },
        'a part of Tollgate failed to follow a change: restart the node if what it shows is stale, and report this entry',
      ),
    )
    const settings = await createSettings({ options: store.options, vault, bus, logger })
    const auditLog = createAuditLog({ store, clock: systemClock })
    return await work({ store, secrets, ring, vault, settings, auditLog, logger })
  } finally {
    await store.close()
  }
}
