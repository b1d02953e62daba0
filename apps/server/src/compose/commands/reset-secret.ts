import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@tollgate/base'
import { journalDatabase, journalNode } from '../../billing/journal/open.ts'
import { upgradeRecord } from '../../billing/upgrade-record.ts'
import { type Config, readConfig } from '../../config.ts'
import { goneMs } from '../../fleet/nodes.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { type MasterSecrets, masterSecrets, secretFiles } from '../../lib/master-secret.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { opensDatabase } from '../../operations/secrets/open-vault.ts'
import { type ClearedSecrets, resetSecret as resetSecretIn } from '../../operations/secrets/reset-secret.ts'
import { createAuditLog } from '../../records/audit-log/audit-log.ts'
import { openPreview } from '../../store/engine/copy/open-preview.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { type DirectoryLock, lockDirectory } from '../../store/engine/open/directory-lock.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { StoreOpenError } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import { journalDirectory } from '../services.ts'
import { shell } from './installation.ts'

export const resetSecret: Command = {
  name: 'reset-secret',
  writesData: true,
  options: { apply: { help: 'do it; without it nothing is written' } },
  summary: 'take a new master key into use where the former one is lost; the gateway must be stopped',
  details: `Says what the lost secret had sealed; --apply clears it. Keys of channels and secret settings are entered anew in the console.
Each API key and each redemption code gets another text, which its owner finds in the console. Second factors, access
tokens and stored responses go. Accounts, balances, budgets of keys, passwords, passkeys, ledger and log stay.

It is refused while the secret that is set, or lies in DATA_DIR, opens what the database has sealed.`,
  async run({ switches }) {
    await runReset(readConfig(process.env), switches.has('apply'))
    return 0
  },
}

async function runReset(config: Config, applies: boolean): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !existsSync(databaseFile(dataDir)))
    throw new StoreOpenError(`There is no database ${databaseFile(dataDir)}.`)
  const lock = lockOf(config)
  try {
    const lines = applies ? await resetIn(config) : await previewOf(config)
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    lock.release()
  }
}

async function resetIn(config: Config): Promise<readonly string[]> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const directory = journalDirectory(config)
  const logger = createLogger('warn')
  const store = await openStore({
    databaseUrl,
    dataDir,
    journalDatabase: journalDatabase(directory),
    upgradeCopy: config.UPGRADE_COPY,
    ...upgradeRecord(journalNode(directory), systemClock, logger),
    logger,
  })
  try {
    await refuseLiving(store)
    await refuseOpening(config, store)
    return appliedLines(await inTransaction(store, secretsOf(config), true), config)
  } finally {
    await store.close()
  }
}

async function previewOf(config: Config): Promise<readonly string[]> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const { store, isOlder, close } = await openPreview({ databaseUrl, dataDir, logger: createLogger('warn') })
  try {
    await refuseLiving(store)
    await refuseOpening(config, store)
    const secrets = hasSecret(config) ? secretsOf(config) : preview
    return previewLines(await inTransaction(store, secrets, false), isOlder)
  } finally {
    await close()
  }
}

/** Locks the folder against a gateway, which has the former secret in its memory and would continue to seal with it. */
function lockOf(config: Config): DirectoryLock {
  const directory = journalDirectory(config)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = lockDirectory(directory)
  if (lock === undefined)
    throw new StoreOpenError(
      `A Tollgate process is using ${config.dataDir}: it has a secret that works, stop it first.`,
    )
  return lock
}

async function refuseLiving({ kind, nodes }: Store): Promise<void> {
  if (kind === 'sqlite') return
  const living = (await nodes.list()).find(({ silentMs }) => silentMs <= goneMs)
  if (living !== undefined)
    throw new StoreOpenError(
      `Node ${living.id} at ${living.address} lives and has a secret that works: give this one the same, or stop every node first.`,
    )
}

async function refuseOpening(config: Config, { identity }: Store): Promise<void> {
  if (hasSecret(config) && opensDatabase(secretsOf(config), await identity.secret()))
    throw new StoreOpenError(
      'The secret opens what the database has sealed: nothing is lost, and nothing was changed.',
    )
}

function hasSecret({ TOLLGATE_SECRET: secret, dataDir }: Config): boolean {
  return secret !== undefined || secretFiles(dataDir).length > 0
}

/** Makes a file for it where there is none and none is set. */
function secretsOf({
  TOLLGATE_SECRET: secret,
  TOLLGATE_SECRET_PREVIOUS: former,
  dataDir,
}: Config): MasterSecrets {
  return masterSecrets(dataDir, { secret, former })
}

/** Seals what is rolled back. */
const preview: MasterSecrets = { secret: randomAlphanumerics(64), former: undefined, source: 'file' }

/** Undoes what a preview has written. */
class RollBack extends Error {
  override readonly name = 'RollBack'
}

async function inTransaction(
  store: Store,
  secrets: MasterSecrets,
  applies: boolean,
): Promise<ClearedSecrets> {
  const deps = { auditLog: createAuditLog({ store, clock: systemClock }), actor: shell, clock: systemClock }
  let cleared: ClearedSecrets | undefined
  try {
    return await store.transaction(async (tx) => {
      cleared = await resetSecretIn(tx, secrets, deps)
      if (!applies) throw new RollBack()
      return cleared
    })
  } catch (error) {
    if (error instanceof RollBack && cleared !== undefined) return cleared
    throw error
  }
}

/** Texts about each kind of secret and its mend; kinds without any are left out. */
const kinds: readonly { readonly count: (cleared: ClearedSecrets) => number; readonly text: string }[] = [
  { count: ({ apiKeys }) => apiKeys, text: 'API keys get another text: their owners copy it from API keys' },
  { count: ({ codes }) => codes, text: 'redemption codes get another text: copy them from Redemption codes' },
  {
    count: ({ secondFactors }) => secondFactors,
    text: 'second factors go, with their recovery codes: their owners log in by password and set them up anew',
  },
  {
    count: ({ accessTokens }) => accessTokens,
    text: 'access tokens of the console go: their owners make new ones',
  },
  { count: ({ webhooks }) => webhooks, text: 'secrets of webhooks go: their owners enter new ones' },
  { count: ({ storedResponses }) => storedResponses, text: 'stored responses go' },
  { count: ({ failedCalls }) => failedCalls, text: 'kept failed calls go' },
  {
    count: ({ openLinks }) => openLinks,
    text: 'links and codes that were sent by mail go, and counted guesses',
  },
  {
    count: ({ knownIdentities }) => knownIdentities,
    text: 'identities of deleted accounts are forgotten: they may get the gift of a new account again',
  },
]

/** Names everything that the lost secret had sealed, a line each. */
function sealedLines(cleared: ClearedSecrets): readonly string[] {
  const { channels, settings } = cleared
  const lines = kinds.flatMap(({ count, text }) => (count(cleared) > 0 ? [`${count(cleared)} ${text}.`] : []))
  const named = [
    ...(channels.length > 0
      ? [
          `The keys of ${channels.length} channels go, enter them anew under Channels: ${channels.join(', ')}.`,
        ]
      : []),
    ...(settings.length > 0
      ? [`These settings go, enter them anew under Settings: ${settings.join(', ')}.`]
      : []),
  ]
  const all = [...named, ...lines]
  return all.length === 0 ? ['The lost secret had sealed nothing.'] : all
}

function previewLines(cleared: ClearedSecrets, isOlder: boolean): readonly string[] {
  return [
    ...sealedLines(cleared),
    ...(isOlder
      ? [
          'The database is of an older version, and --apply carries it over first, with no way back but a backup: "tollgate doctor" says what that does.',
        ]
      : []),
    'Accounts, balances, ledger and log stay. Nothing was written: --apply does it.',
  ]
}

function appliedLines(cleared: ClearedSecrets, { dataDir, ...config }: Config): readonly string[] {
  const secretSource =
    config.TOLLGATE_SECRET === undefined
      ? join(dataDir, 'secret.key')
      : 'the one that TOLLGATE_SECRET is set to'
  const copies = config.DATABASE_URL === undefined ? [] : ['Give every node this secret before it starts.']
  return [
    ...sealedLines(cleared),
    'Accounts, balances, ledger and log are as they were.',
    `The secret is ${secretSource} now: keep it with the backups, and start the gateway.`,
    ...copies,
  ]
}
