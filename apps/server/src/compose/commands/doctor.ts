import { systemClock } from '@tollgate/base'
import { providerLookup } from '@tollgate/providers'
import { parseChannelSetting } from '../../channels/routing/channel-fields.ts'
import { type Config, readConfig } from '../../config.ts'
import { checkTargets, type Target } from '../../doctor/channel-checks.ts'
import { checkDatabase } from '../../doctor/database-checks.ts'
import { checkDisk } from '../../doctor/disk-checks.ts'
import { type Check, type Finding, fail, ok, runChecks } from '../../doctor/finding.ts'
import { checkGrowth } from '../../doctor/growth.ts'
import { checkJournals } from '../../doctor/journal-checks.ts'
import { checkProxy } from '../../doctor/proxy-checks.ts'
import type { Command } from '../../lib/command-line.ts'
import type { Store } from '../../store/store.ts'
import { journalDirectory } from '../services.ts'
import { type Installation, withInstallation } from './installation.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'look at configuration, disk, clock, database, channels and proxy, and say what to do',
  details: `A line for each look: ok, warn or fail. The exit code is 1 when one failed. It changes nothing, and sends no key.`,
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
  ])
  const inside = await withInstallation(config, (installation) =>
    runChecks(checksOf(config, installation)),
  ).catch((error: Error) => [fail('database', error.message)])
  return [...local, ...inside]
}

function checksOf(config: Config, { store, settings }: Installation): readonly Check[] {
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST
  return [
    () => checkDatabase(store, systemClock),
    () => checkGrowth(store),
    () => checkJournals(store, journalDirectory(config), systemClock),
    async () => [ok('secret', 'it opens what the database has sealed')],
    () =>
      checkProxy({
        serverAddress: settings.current.ServerAddress,
        trustedProxies: config.TRUSTED_PROXIES,
        ownUrl: `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`,
      }),
    async () => checkTargets(await targetsOf(config, store)),
  ]
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
