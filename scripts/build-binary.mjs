#!/usr/bin/env node
import { binaryName, buildBinary, isTarget, targets } from './lib/binaries.mjs'
import { CommandError, runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'

/** Compiles the executables of all systems into `dist/`, or those that the arguments name. */
await runCommand(async () => {
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !isTarget(name))
  if (unknown !== undefined)
    throw new CommandError(`there is no target ${unknown}: choose from ${Object.keys(targets).join(', ')}`)
  await prepare({ console: true })
  for (const target of Object.keys(targets).filter(isTarget)) {
    if (named.length > 0 && !named.includes(target)) continue
    await buildBinary(target, at('dist'), (doing) => console.error(`tollgate: ${doing} …`))
    console.log(`dist/${binaryName(target)}`)
  }
  return 0
})
