import { bringBack } from '../../accounts/users/leave/bring-back.ts'
import { readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { shell, withInstallation } from './installation.ts'
import { userNamed } from './user-named.ts'

export const undelete: Command = {
  name: 'undelete',
  operands: ['USER'],
  summary: 'bring a deleted account back with everything that it had',
  details: `USER is a name or a number. Its keys, balance, identities and settings are as they were; who had logged in logs in again, and access
tokens for the console are made anew. It works until the account is erased (DeletedAccountDays), and while the gateway runs.`,
  run: ({ operands: [user = ''] }) =>
    withInstallation(readConfig(process.env), async (installation) => {
      const { id, username } = await bringBack(installation, shell, await userNamed(installation, user))
      process.stdout.write(`${username} (number ${id}) is back.\n`)
      return 0
    }),
}
