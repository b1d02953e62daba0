import { createVault, hashKeyOf, type Vault } from '../../lib/crypto.ts'
import { createKeyRing, type KeyRing, keyIdOf } from '../../lib/key-ring.ts'
import type { MasterSecrets } from '../../lib/master-secret.ts'
import { StoreOpenError } from '../../store/errors.ts'
import type { IdentityRepository, SecretRecord } from '../../store/installation/database-identity.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'

export interface OpenVault {
  readonly vault: Vault
  readonly ring: KeyRing
}

/**
 * The vault of a database. The database says which key seals: the one with which its hash key is sealed. A database that has
 * none yet gets the hash key of the secret with which it was used so far.
 * @throws StoreOpenError with one sentence when the database was used with another secret
 */
export async function openVault(
  { secret, former }: MasterSecrets,
  identity: Pick<IdentityRepository, 'secret' | 'adoptHashKey'>,
): Promise<OpenVault> {
  const { hashKeySealed, fingerprint, namesKeys } = await identity.secret()
  const ring = createKeyRing(former === undefined ? [secret] : [secret, former], namesKeys)
  if (hashKeySealed !== '') return openedWith(ring, hashKeySealed)
  const used = [former ?? secret, secret].find(
    (one) => fingerprint === '' || fingerprint === fingerprintOf(one),
  )
  if (used === undefined) throw otherSecret()
  ring.activate(keyIdOf(used))
  // In a column that older programs do not read.
  const sealed = ring.sealNamed(hashKeyOf(used), sealContexts.hashKey)
  if (await identity.adoptHashKey(sealed, fingerprintOf(used))) return openedWith(ring, sealed)
  // Another node that starts was first.
  return openedWith(ring, (await identity.secret()).hashKeySealed)
}

/**
 * Decides whether these secrets open the database's sealed texts: its hash key, or, before it had one, the source of its fingerprint.
 */
export function opensDatabase(
  { secret, former }: MasterSecrets,
  { hashKeySealed, fingerprint }: SecretRecord,
): boolean {
  const secrets: [string, ...string[]] = former === undefined ? [secret] : [secret, former]
  if (hashKeySealed === '')
    return fingerprint === '' || secrets.some((one) => fingerprint === fingerprintOf(one))
  try {
    createKeyRing(secrets).open(hashKeySealed, sealContexts.hashKey)
    return true
  } catch {
    return false
  }
}

/** The vault of another installation's database, to read what it has sealed; `undefined` when these secrets do not open it. */
export function findVault(secrets: MasterSecrets, record: SecretRecord): Vault | undefined {
  const { secret, former } = secrets
  if (!opensDatabase(secrets, record)) return undefined
  const ring = createKeyRing(former === undefined ? [secret] : [secret, former], record.namesKeys)
  if (record.hashKeySealed !== '') return openedWith(ring, record.hashKeySealed).vault
  const used = [former ?? secret, secret].find((one) => record.fingerprint === fingerprintOf(one))
  return createVault(ring, hashKeyOf(used ?? secret))
}

function openedWith(ring: KeyRing, hashKeySealed: string): OpenVault {
  try {
    const hashKey = ring.open(hashKeySealed, sealContexts.hashKey)
    ring.activate(keyIdIn(hashKeySealed))
    return { ring, vault: createVault(ring, hashKey) }
  } catch (cause) {
    throw otherSecret(cause)
  }
}

/** Id of the key that sealed a text. */
export function keyIdIn(sealed: string): string {
  return sealed.split('.')[1] ?? ''
}

/** Returns the fingerprint by which versions before the hash key recognised a database used with their secret. */
function fingerprintOf(secret: string): string {
  return createVault(secret).hash('the secret of this database')
}

function otherSecret(cause?: unknown): StoreOpenError {
  return new StoreOpenError(
    'The database was used with another secret: set TOLLGATE_SECRET to the one of the other nodes, or of the backup (it is in secret.key of the DATA_DIR of the first node, unless it was set). Where it is lost for good, tollgate reset-secret clears what it sealed.',
    { cause },
  )
}
