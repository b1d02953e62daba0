import { spawn } from 'node:child_process'
import { bringTools } from './house/bring-tools.mjs'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Takes the README's pictures of the console anew, from a gateway filled for the purpose. */
await runCommand(async () => {
  await prepare({ server: true, console: true })
  await bringTools(['chromium'], (doing) => console.error(`tollgate: ${doing} …`))
  const screenshots = spawn(bun, ['--no-orphans', at('tests', 'screenshots', 'main.ts')], {
    stdio: 'inherit',
  })
  return await new Promise((done) =>
    screenshots.on('close', (code, signal) => done(exitCodeOf(code, signal))),
  )
})
