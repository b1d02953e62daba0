import { auditLog } from './audit-log.ts'
import { channels, groups, models } from './channel.ts'
import { logs } from './log.ts'
import { options } from './option.ts'
import { pricing } from './pricing.ts'
import { setup } from './setup.ts'
import { status } from './status.ts'
import { tokens } from './token.ts'
import { users } from './user.ts'
import { userAdmin } from './user-admin.ts'

/** Every console call, and thereby the one authorisation table: a test walks it as every role. */
export const calls = {
  setup,
  status,
  users,
  userAdmin,
  auditLog,
  pricing,
  options,
  channels,
  groups,
  models,
  tokens,
  logs,
} as const
