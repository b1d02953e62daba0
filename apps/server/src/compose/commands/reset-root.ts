import { systemClock } from '@tollgate/base'
import { createPasswords } from '../../accounts/users/login/passwords.ts'
import { resetRoot as resetRootAccount } from '../../accounts/users/manage/reset-root.ts'
import { readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { shell, withInstallation } from './installation.ts'

const madeUpLength = 24

export const resetRoot: Command = {
  name: 'reset-root',
  writesData: true,
  options: {
    'password-stdin': { help: 'take the new password from standard input instead of printing a random one' },
    'remove-second-factor': { help: 'switch their second factor off, and remove their passkeys' },
  },
  summary: 'give the super administrator a new password',
  details: `Ends their sessions and their access token, and enables an account that was disabled. The audit log has it. It works
while the gateway runs.`,
  async run({ switches }) {
    const provided = switches.has('password-stdin') ? await firstLine() : undefined
    const password = provided ?? randomAlphanumerics(madeUpLength)
    return await withInstallation(readConfig(process.env), async (installation) => {
      const parts = { ...installation, clock: systemClock, passwords: createPasswords() }
      const removesFactors = switches.has('remove-second-factor')
      const username = await resetRootAccount(parts, shell, { password, removesFactors })
      process.stdout.write(`${username} has a new password${provided === undefined ? `: ${password}` : ''}\n`)
      return 0
    })
  },
}

async function firstLine(): Promise<string> {
  return (await Bun.stdin.text()).split(/\r?\n/)[0] ?? ''
}
