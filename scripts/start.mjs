#!/usr/bin/env node
import { runCommand } from './lib/command-error.mjs'
import { launch } from './lib/launch.mjs'
import { prepare } from './lib/prepare.mjs'
import { bun } from './lib/runtime.mjs'
import { serverProgram } from './lib/server.mjs'

const args = process.argv.slice(2)

await runCommand(async () => {
  await prepare({ server: true, console: servesConsole(args) })
  return await launch(bun, serverProgram, args)
})

/**
 * Returns whether these arguments start the server; `audit`, `--help` and the like need no console.
 * @param {readonly string[]} provided
 */
function servesConsole(provided) {
  return provided.length === 0 || provided[0] === 'serve'
}
