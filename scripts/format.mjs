import { spawnSync } from 'node:child_process'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at, root } from './house/root.mjs'

/** Formats the tree and applies what the linter can mend safely. */
await runCommand(async () => {
  await prepare()
  const biome = at('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return (
    spawnSync(process.execPath, [biome, 'check', '--write', '.'], { cwd: root, stdio: 'inherit' }).status ?? 1
  )
})
