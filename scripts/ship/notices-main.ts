import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError, runCommand } from '../lib/command-error.mjs'
import { bundledPackages } from './bundled-packages.ts'
import { noticesOf } from './notices.ts'

/** `npm run notices -- FILE`: writes the licences of everything that is shipped. */
await runCommand(async () => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new CommandError('npm run notices -- FILE')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, noticesOf(bundledPackages()))
  return 0
})
