#!/usr/bin/env node
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'

/** Installs the pinned runtime and libraries, and builds server and console: for images and packages. */
await runCommand(async () => {
  await prepare({ server: true, console: true })
  return 0
})
