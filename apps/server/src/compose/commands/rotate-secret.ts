import { existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createDurableFile } from '../../lib/durable-file.ts'
import { keyIdOf } from '../../lib/key-ring.ts'
import { type MasterSecrets, writeNextFileSecret } from '../../lib/master-secret.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { countOthers } from '../../operations/secrets/count-others.ts'
import { type Installation, shell, withInstallation } from './installation.ts'

export const rotateSecret: Command = {
  name: 'rotate-secret',
  writesData: true,
  options: {
    status: { help: 'say how far it is; the exit code is 0 when it is done' },
    'keep-former': { value: 'DIR', help: 'put the secret of now there, beside the backups that need it' },
  },
  summary: 'change the master key, under which every secret is sealed; the gateway may be running',
  details: `A secret that is a file of DATA_DIR: writes the next one beside it. The gateway takes it up while it runs, or at its next
start, seals everything anew in the background, and then puts it in the place of the former file.

A secret that is set: prints what to set. Give every node the new one as TOLLGATE_SECRET and the former one as
TOLLGATE_SECRET_PREVIOUS, and restart one after the other. When all of them know both, everything is sealed anew;
after that TOLLGATE_SECRET_PREVIOUS goes.

API keys, sessions and access tokens stay as they are. Backups from before need the former secret: keep it with them
(--keep-former), and set it as TOLLGATE_SECRET where one of them is restored.`,
  run: ({ switches, values }) => {
    const config = readConfig(process.env)
    return withInstallation(config, (installation) =>
      switches.has('status')
        ? tellStatus(config, installation)
        : rotate(config, installation, values['keep-former']),
    )
  },
}

async function rotate(
  config: Config,
  { secrets, store, auditLog }: Installation,
  backupDirectory: string | undefined,
): Promise<number> {
  if (secrets.source === 'environment') {
    process.stdout.write(`${advice(config)}${aboutBackups(secrets, backupDirectory)}`)
    return 0
  }
  const backups = aboutBackups(secrets, backupDirectory)
  const isBegun = writeNextFileSecret(config.dataDir)
  if (!isBegun) {
    process.stderr.write(
      'tollgate: the secret is being changed already: rotate-secret --status says how far it is\n',
    )
    return 1
  }
  await auditLog.record(
    shell,
    { action: 'option.rotate-secret', target: { kind: 'option', name: 'secret.key' } },
    store,
  )
  const copies =
    config.DATABASE_URL === undefined
      ? ''
      : 'Copy secret.next.key into the DATA_DIR of every other node: it is used when all of them have it.\n'
  process.stdout.write(
    `The next secret is in ${config.dataDir}/secret.next.key. The gateway takes it up within seconds, or at its next start.\n${copies}rotate-secret --status says when everything is sealed with it.\n${backups}`,
  )
  return 0
}

/** Says what older backups need, and puts it beside them where that was asked for. */
function aboutBackups({ secret, former }: MasterSecrets, backupDirectory: string | undefined): string {
  const needed = former ?? secret
  const name = `secret-${keyIdOf(needed)}.key`
  if (backupDirectory === undefined)
    return `Backups from before need the former secret (key ${keyIdOf(needed)}): keep it with them.\n`
  const file = resolve(backupDirectory, name)
  mkdirSync(resolve(backupDirectory), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) createDurableFile(file, needed)
  return `The former secret is in ${file}: backups from before need it.\n`
}

function advice({ TOLLGATE_SECRET_PREVIOUS: former }: Config): string {
  if (former !== undefined)
    return 'TOLLGATE_SECRET_PREVIOUS is set: rotate-secret --status says whether it is needed still.\n'
  return `Give every node these, and restart one after the other:
TOLLGATE_SECRET=${randomAlphanumerics(64)}
TOLLGATE_SECRET_PREVIOUS= the TOLLGATE_SECRET of now
rotate-secret --status says when everything is sealed with it, and TOLLGATE_SECRET_PREVIOUS can go.
`
}

async function tellStatus({ dataDir }: Config, { secrets, store }: Installation): Promise<number> {
  const target = keyIdOf(secrets.secret)
  const others = await countOthers(store.sealedTexts, target)
  const { resealedKey } = await store.identity.secret()
  if (others === 0 && resealedKey === target) {
    const rest = secrets.former === undefined ? '' : ' The former one is not needed any more.'
    process.stdout.write(`Everything is sealed with the secret of now (key ${target}).${rest}\n`)
    return 0
  }
  const where = secrets.source === 'file' ? `in ${dataDir}` : 'that is set'
  process.stdout.write(
    `${others} secrets are not sealed with the one ${where} (key ${target}) yet; the gateway does it while it runs.\n`,
  )
  return 1
}
