import { runCommand } from '../lib/command-error.mjs'
import { npm } from '../lib/npm.mjs'
import { root } from '../lib/root.mjs'
import { pinnedVersion } from '../lib/runtime.mjs'
import { ownTarget, targets } from './binaries.ts'
import { foreignRuntime } from './foreign-runtimes.ts'
import { sayAloud } from './say.ts'

/** Brings the runtimes of all systems, so that suites which ship the program ask no registry. */
await runCommand(async () => {
  const own = ownTarget()
  for (const [target, name] of Object.entries(targets))
    if (target !== own) await foreignRuntime(name, sayAloud)
  const version = pinnedVersion()
  const stored = [`bun@${version}`, ...(own === undefined ? [] : [`@oven/${targets[own]}@${version}`])]
  const { code } = await npm(['cache', 'add', ...stored], root)
  return code
})
