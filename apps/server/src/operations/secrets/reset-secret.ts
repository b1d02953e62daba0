import { randomBytes } from 'node:crypto'
import { tokenKeyLength } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { newKey } from '../../accounts/tokens/new-key.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import type { MasterSecrets } from '../../lib/master-secret.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { DeletedRows } from '../../store/installation/lost-secret.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { SealedCursor } from '../../store/installation/sealed-texts.ts'
import type { Store } from '../../store/store.ts'
import { sealedCode } from '../../wallet/redemptions/manage-codes.ts'
import { openVault } from './open-vault.ts'
import { isSealContext } from './sealed-place.ts'

/** Texts and rows that a lost master key had sealed or hashed. */
export interface ClearedSecrets extends DeletedRows {
  /** Names of the channels whose keys are gone. */
  readonly channels: readonly string[]
  /** Names of the settings whose values are gone. */
  readonly settings: readonly string[]
  readonly webhooks: number
  /** These have another text now. */
  readonly apiKeys: number
  readonly codes: number
}

interface Dependencies {
  readonly auditLog: AuditLog
  readonly actor: Actor
  readonly clock: Clock
}

const batchRows = 500

/**
 * Clears what a lost master key had sealed or hashed, and takes a new one into use. API keys and codes get other texts, which
 * their owners see; accounts, balances, ledger and log stay as they are.
 * @param tx a transaction: all of it or nothing
 */
export async function resetSecret(
  tx: Store,
  { secret, source }: MasterSecrets,
  deps: Dependencies,
): Promise<ClearedSecrets> {
  await tx.identity.forgetSecret()
  const { vault, ring } = await openVault({ secret, former: undefined, source }, tx.identity)
  const cleared = {
    channels: await clearChannels(tx, vault, deps.clock),
    settings: await clearSettings(tx),
    apiKeys: await renewTokens(tx, vault),
    codes: await renewCodes(tx, vault),
    ...(await tx.lostSecret.deleteUseless()),
    webhooks: await clearOthers(tx, ring),
  }
  const target = { kind: 'option', name: 'secret.key' } as const
  await deps.auditLog.record(deps.actor, { action: 'option.reset-secret', target, after: cleared }, tx)
  return cleared
}

/** A channel without keys would refuse every call; with new ones its probe brings it back. */
async function clearChannels(tx: Store, vault: Vault, clock: Clock): Promise<string[]> {
  const channels = (await tx.channels.listAll()).filter(({ keyCount }) => keyCount > 0)
  for (const { id, status } of channels)
    await tx.channels.update(id, {
      keysSealed: vault.seal('', sealContexts.channelKeys(id)),
      keyCount: 0,
      keyStates: [],
      ...(status === 'enabled' && {
        status: 'auto-disabled',
        statusReason: {
          reason: 'its keys are gone with the secret: enter them anew',
          at: unixSeconds(clock),
        },
      }),
    })
  return channels.map(({ name }) => name)
}

async function clearSettings(tx: Store): Promise<string[]> {
  const keys = (await tx.options.listAll())
    .map(({ key }) => key)
    .filter((key) => isSealContext(sealContexts.option(key)))
  await tx.options.change(async () => keys.map((key) => ({ key, value: null })))
  return keys
}

async function renewTokens(tx: Store, vault: Vault): Promise<number> {
  return await renewAll(tx, 'tokens', async (id) => {
    await tx.lostSecret.renewToken(id, newKey(randomAlphanumerics(tokenKeyLength), vault))
  })
}

async function renewCodes(tx: Store, vault: Vault): Promise<number> {
  return await renewAll(tx, 'redemptions', (id) =>
    tx.lostSecret.renewCode(id, sealedCode(randomBytes(16).toString('hex'), vault)),
  )
}

async function renewAll(
  tx: Store,
  table: 'tokens' | 'redemptions',
  renew: (id: number) => Promise<void>,
): Promise<number> {
  let count = 0
  let ids = await tx.lostSecret.idsAfter(table, 0, batchRows)
  for (; ids.length > 0; ids = await tx.lostSecret.idsAfter(table, ids.at(-1) ?? 0, batchRows)) {
    for (const id of ids) await renew(id)
    count += ids.length
  }
  return count
}

/** Clears the sealed texts that are not with the new key. Goes through every sealed column, so that none is forgotten. */
async function clearOthers(tx: Store, { prefix }: Pick<KeyRing, 'prefix'>): Promise<number> {
  let count = 0
  let cursor: SealedCursor | undefined
  do {
    const { texts, next } = await tx.sealedTexts.nextWithout(prefix, batchRows, cursor)
    for (const read of texts) {
      const text = await read()
      if (text === undefined || text.sealed === '' || !isSealContext(text.context)) continue
      if (text.context.column !== 'users.setting')
        throw new Error(`nobody has said what becomes of ${text.context.column} when its key is lost`)
      await text.replace('')
      count += 1
    }
    cursor = next
  } while (cursor !== undefined)
  return count
}
