import { CommandError, runCommand } from './lib/command-error.mjs'
import { installTools } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { runInTerminal } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'
import { sourceOf } from './lib/tools.mjs'
import { programs } from './programs.mjs'

/** Runs the program that the first argument names, in the caller's terminal; the other arguments go to it. */
await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const program = programs[name]
  if (program === undefined) throw new CommandError(`there is no program ${name}`)
  await prepare(program)
  const missing = await installTools(program.needs ?? [], (doing) => console.error(`tollgate: ${doing} …`))
  if (missing.length > 0) {
    const names = missing.map(sourceOf).join(' and ')
    throw new CommandError(`npm run ${name} needs ${names}; install them and try again`)
  }
  return await runInTerminal(bun, [at(...program.file.split('/')), ...args])
})
