import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { goneMs } from '../fleet/nodes.ts'
import type { KeyRing } from '../lib/key-ring.ts'
import type { Logger } from '../lib/logger.ts'
import {
  keepNextFileSecret,
  type MasterSecrets,
  masterSecrets,
  nextFileSecret,
} from '../lib/master-secret.ts'
import { createRotation, type Rotation } from '../operations/secrets/rotation.ts'
import type { ChangeBus } from '../store/change-events.ts'
import { databaseFile } from '../store/engine/open/database-file.ts'
import type { Store } from '../store/store.ts'
import { isFleet } from './fleet.ts'

/** The master keys of this installation; a new one gets its own. */
export function secretsOf(config: Config): MasterSecrets {
  const { dataDir, TOLLGATE_SECRET: secret, TOLLGATE_SECRET_PREVIOUS: former } = config
  return masterSecrets(dataDir, {
    secret,
    former,
    isUsed: !isFleet(config) && existsSync(databaseFile(dataDir)),
  })
}

interface RotationBase {
  readonly config: Config
  readonly secrets: MasterSecrets
  readonly ring: KeyRing
  readonly store: Store
  readonly fleet: Pick<Fleet, 'list'>
  readonly connectionName: string
  readonly bus: ChangeBus
  readonly logger: Logger
}

export function composeRotation({ config, secrets, fleet, ...base }: RotationBase): Rotation {
  const { dataDir } = config
  return createRotation({
    ...base,
    secret: secrets.secret,
    next:
      secrets.source === 'file'
        ? { read: () => nextFileSecret(dataDir), keep: () => keepNextFileSecret(dataDir) }
        : undefined,
    isShared: isFleet(config),
    async everyNodeAccepts(keyId) {
      if (!isFleet(config)) return true
      const nodes = await fleet.list()
      return nodes.every(({ silentMs, keyIds }) => silentMs > goneMs || keyIds.split(' ').includes(keyId))
    },
  })
}
