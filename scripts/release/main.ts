import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommandError, runCommand } from '../lib/command-error.mjs'
import { npm } from '../lib/npm.mjs'
import { at } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { type Target, targetNames } from '../ship/binaries.ts'
import { sayAloud } from '../ship/say.ts'
import { buildRelease, releasedVersion } from './release.ts'

const usage = `npm run release -- [--key FILE] [--target NAME]... [--skip-tests] [--allow-dirty]`

/** `npm run release`: tests, then builds and signs every file of the version that package.json names, into `dist/release/`. */
await runCommand(async () => {
  const { key, targets, skipTests, allowDirty } = readOptions()
  const version = releasedVersion()
  if (!allowDirty) await refuseChanges()
  if (!skipTests) await test()
  const folder = at('dist', 'release', version)
  const changelog = readFileSync(at('CHANGELOG.md'), 'utf8')
  await buildRelease({ version, changelog, targets, folder, key, say: sayAloud })
  console.log(folder)
  if (key === undefined) console.error('tollgate: not signed: --key names a private key of OpenSSH')
  return 0
})

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        key: { type: 'string' },
        target: { type: 'string', multiple: true },
        'skip-tests': { type: 'boolean', default: false },
        'allow-dirty': { type: 'boolean', default: false },
      },
    })
    const targets = (values.target ?? targetNames).map(targetNamed)
    return {
      targets,
      key: values.key,
      skipTests: values['skip-tests'],
      allowDirty: values['allow-dirty'],
    }
  } catch (error) {
    throw new CommandError(`${(error as Error).message}; ${usage}`)
  }
}

function targetNamed(name: string): Target {
  const target = targetNames.find((known) => known === name)
  if (target === undefined)
    throw new Error(`there is no target ${name}: choose from ${targetNames.join(', ')}`)
  return target
}

/** Refuses a release of changes that no commit has. */
async function refuseChanges(): Promise<void> {
  const { code, output } = await run('git', ['status', '--porcelain'], { cwd: at() })
  if (code !== 0 || output.trim() !== '')
    throw new CommandError('the working tree has changes: commit them, or pass --allow-dirty')
}

async function test(): Promise<void> {
  sayAloud('testing')
  const { code, output } = await npm(['test', '--silent'], at())
  if (code !== 0) throw new CommandError(`tests fail: ${output.trim().split('\n').at(-1)}`)
}
