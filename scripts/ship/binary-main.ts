import { CommandError, runCommand } from '../lib/command-error.mjs'
import { at } from '../lib/root.mjs'
import { buildBinary, targetNames } from './binaries.ts'
import { sayAloud } from './say.ts'

/** `npm run build:binary`: compiles the executables of all systems into `dist/`; `-- linux-x64` those that the arguments name. */
await runCommand(async () => {
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !targetNames.some((target) => target === name))
  if (unknown !== undefined)
    throw new CommandError(`there is no target ${unknown}: choose from ${targetNames.join(', ')}`)
  for (const target of targetNames)
    if (named.length === 0 || named.includes(target))
      console.log(await buildBinary(target, at('dist'), sayAloud))
  return 0
})
