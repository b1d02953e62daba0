import { spawnSync } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at, root } from './lib/root.mjs'

/** Formats the tree and applies what the linter can mend safely. */
await runCommand(async () => {
  await prepare()
  const biome = at('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return (
    spawnSync(process.execPath, [biome, 'check', '--write', '.'], { cwd: root, stdio: 'inherit' }).status ?? 1
  )
})
