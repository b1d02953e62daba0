import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { installTools } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'

/** Takes the README's pictures of the console anew, from a gateway filled for the purpose. */
await runCommand(async () => {
  await prepare({ server: true, console: true })
  await installTools(['chromium'], (doing) => console.error(`tollgate: ${doing} …`))
  const screenshots = spawn(bun, ['--no-orphans', at('tests', 'screenshots', 'main.ts')], {
    stdio: 'inherit',
  })
  return await new Promise((done) =>
    screenshots.on('close', (code, signal) => done(exitCodeOf(code, signal))),
  )
})
