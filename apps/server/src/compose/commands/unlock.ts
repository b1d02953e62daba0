import { systemClock } from '@tollgate/base'
import { forgetAttempts } from '../../accounts/users/login/guesses/forgotten-attempts.ts'
import { readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createChangeOptions } from '../../settings/change-options.ts'
import { unlock as unlockSettings } from '../../settings/unlock.ts'
import { shell, withInstallation } from './installation.ts'

export const unlock: Command = {
  name: 'unlock',
  writesData: true,
  summary:
    'let people in again: no Turnstile, log-in by password, no duty of a second factor, no counted guesses',
  details: `Restores the defaults of the settings that can keep administrators out, and says which it changed. The audit log has
them. Forgets all wrong guesses, which may lock an account or an address out. Every gateway that runs takes both up within a second.`,
  run: () =>
    withInstallation(readConfig(process.env), async ({ store, settings, auditLog }) => {
      const changeOptions = createChangeOptions({ settings, auditLog })
      const opened = await unlockSettings({ settings, changeOptions }, shell)
      process.stdout.write(
        opened.length === 0
          ? 'No setting keeps administrators out.\n'
          : `These settings are at their defaults now: ${opened.join(', ')}.\n`,
      )
      const forgotten = await forgetAttempts(store, systemClock)
      process.stdout.write(
        forgotten === 0
          ? 'No wrong guesses were counted.\n'
          : 'The wrong guesses of all accounts and addresses are forgotten.\n',
      )
      return 0
    }),
}
