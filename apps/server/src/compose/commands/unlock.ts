import { readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createChangeOptions } from '../../settings/change-options.ts'
import { unlock as unlockSettings } from '../../settings/unlock.ts'
import { shell, withInstallation } from './installation.ts'

export const unlock: Command = {
  name: 'unlock',
  summary: 'let administrators in again: no Turnstile, log-in by password, no duty of a second factor',
  details: `Restores the defaults of the settings that can keep administrators out, and says which it changed. The audit log has
them. A gateway that runs takes them up within a second.`,
  run: () =>
    withInstallation(readConfig(process.env), async ({ settings, auditLog }) => {
      const changeOptions = createChangeOptions({ settings, auditLog })
      const opened = await unlockSettings({ settings, changeOptions }, shell)
      process.stdout.write(
        opened.length === 0
          ? 'No setting keeps administrators out.\n'
          : `These settings are at their defaults now: ${opened.join(', ')}.\n`,
      )
      return 0
    }),
}
