import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@tollgate/base'
import { providerLookup } from '@tollgate/providers'
import { parseChannelSetting } from '../../channels/routing/channel-fields.ts'
import { type Config, readConfig } from '../../config.ts'
import { availableCores } from '../../lib/available-cores.ts'
import type { Command } from '../../lib/command-line.ts'
import { localUrl } from '../../lib/listen-address.ts'
import { createLogger } from '../../lib/logger.ts'
import { checkTargets, type Target } from '../../operations/doctor/channel-checks.ts'
import { checkClockBy } from '../../operations/doctor/clock-checks.ts'
import { checkDatabase } from '../../operations/doctor/database-checks.ts'
import { checkDisk } from '../../operations/doctor/disk-checks.ts'
import { checkFile } from '../../operations/doctor/file-checks.ts'
import { type Check, type Finding, fail, ok, runChecks, warn } from '../../operations/doctor/finding.ts'
import { checkJournals } from '../../operations/doctor/journal-checks.ts'
import { checkOwner } from '../../operations/doctor/owner-checks.ts'
import { checkProxy } from '../../operations/doctor/proxy-checks.ts'
import { checkSize } from '../../operations/doctor/size-checks.ts'
import { checkUpgrade } from '../../operations/doctor/upgrade-checks.ts'
import { checkWaiting } from '../../operations/doctor/waiting-checks.ts'
import { checkWorkers } from '../../operations/doctor/worker-checks.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { isLocked } from '../../store/engine/open/directory-lock.ts'
import { openStoreForAudit, readSchemaOf } from '../../store/engine/open/open-audit.ts'
import { copyFolder } from '../../store/engine/upgrade/upgrade-report.ts'
import type { Store } from '../../store/store.ts'
import { workerJournals } from '../node-journals.ts'
import { journalDirectory } from '../services.ts'
import { type Installation, withInstallation } from './installation.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'look at configuration, disk, clock, database, channels and proxy, and say what to do',
  details: `A line for each look: ok, warn or fail. The exit code is 1 when one failed. It changes nothing, and sends no key. It reads
the whole SQLite file.`,
  async run() {
    const findings = await examine()
    for (const { state, what, text } of findings)
      process.stdout.write(`${state.padEnd(5)} ${what}: ${text}\n`)
    return findings.some(({ state }) => state === 'fail') ? 1 : 0
  },
}

async function examine(): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = readConfig(process.env)
  } catch (error) {
    return [fail('configuration', (error as Error).message)]
  }
  const local = await runChecks([
    async () => [ok('configuration', 'every variable can be read')],
    () => checkDisk(config.dataDir),
    () => checkOwner(config.dataDir),
    async () => (config.DATABASE_URL === undefined ? await checkFile(config.dataDir) : []),
    () => checkWaitingCalls(config),
  ])
  const upgrade = await runChecks([() => upgradeFindings(config)])
  if (upgrade.length > 0) return [...local, ...upgrade]
  const inside = await withInstallation(config, (installation) =>
    runChecks(checksOf(config, installation)),
  ).catch((error: Error) => [fail('database', error.message)])
  return [...local, ...inside]
}

async function upgradeFindings({ dataDir, ...config }: Config): Promise<readonly Finding[]> {
  const file = databaseFile(dataDir)
  if (config.DATABASE_URL === undefined && !existsSync(file))
    return [
      warn(
        'database',
        `there is no ${file} yet: the first start makes it; where there is an installation, set DATA_DIR to its folder`,
      ),
    ]
  const state = await readSchemaOf({ databaseUrl: config.DATABASE_URL, dataDir }).catch(
    (error: Error) => error,
  )
  if (state instanceof Error) return [fail('database', state.message)]
  return checkUpgrade(state, { folder: join(dataDir, copyFolder), copyChoice: config.UPGRADE_COPY })
}

function checksOf(config: Config, { store, settings }: Installation): readonly Check[] {
  return [
    () => checkDatabase(store, systemClock),
    () => checkSize(store),
    () =>
      checkWorkers(store, {
        workers: config.workers,
        cores: availableCores(),
        isPooled: config.DATABASE_LISTEN_URL !== undefined,
      }),
    () => checkJournals(store, journalsOf(config), systemClock),
    async () => [ok('secret', 'it opens what the database has sealed')],
    () =>
      checkProxy({
        serverAddress: settings.current.ServerAddress,
        trustedProxies: config.TRUSTED_PROXIES,
        ownUrl: localUrl(config.HOST, config.PORT),
      }),
    () => checkOutside(config, store),
  ]
}

/** The servers outside: that they respond, and, where no database says the time, what their clocks say. */
async function checkOutside(config: Config, store: Store): Promise<readonly Finding[]> {
  const { findings, aheadMs } = await checkTargets(await targetsOf(config, store), systemClock)
  if (store.kind === 'postgres') return findings
  return [checkClockBy(aheadMs, config.dataDir, systemClock), ...findings]
}

/** The journal of a process that serves by itself, and those of workers. */
function journalsOf(config: Config): readonly [string, ...string[]] {
  return [journalDirectory(config), ...workerJournals(config.dataDir)]
}

/** Also of a database that cannot be read, in front of which calls wait most. */
async function checkWaitingCalls(config: Config): Promise<readonly Finding[]> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const [own, ...ofWorkers] = journalsOf(config)
  const common = {
    dataDir,
    journalDirectory: own,
    workerJournals: ofWorkers,
    isServing: isLocked,
    clock: systemClock,
    logger: createLogger('silent'),
  }
  const store = await openStoreForAudit({ databaseUrl, dataDir }).catch(() => undefined)
  try {
    return await checkWaiting({ ...common, ledger: store?.ledger })
  } catch (error) {
    // The part of the database that says what it has of the journal may be what is damaged.
    if (store === undefined) throw error
    return await checkWaiting({ ...common, ledger: undefined })
  } finally {
    await store?.close()
  }
}

/** The addresses of enabled channels, each once. Those with a proxy of their own are reached from there alone. */
async function targetsOf(config: Config, store: Store): Promise<readonly Target[]> {
  const providerFor = providerLookup(config.providerOptions)
  const names = new Map<string, string[]>()
  for (const { type, name, status, baseUrl, setting } of await store.channels.listAll()) {
    const url = baseUrl || providerFor(type)?.defaultBaseUrl || ''
    if (status !== 'enabled' || !URL.canParse(url) || parseChannelSetting(setting).proxy !== '') continue
    const { origin } = new URL(url)
    names.set(origin, [...(names.get(origin) ?? []), name])
  }
  return [...names].map(([origin, channels]) => ({ origin, channels }))
}
