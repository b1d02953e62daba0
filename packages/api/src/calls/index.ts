import { channels, groups, models } from './channel.ts'
import { logs } from './log.ts'
import { openApi } from './open-api.ts'
import { options } from './option.ts'
import { setup } from './setup.ts'
import { status } from './status.ts'
import { tokens } from './token.ts'
import { users } from './user.ts'

/** Every console call, and thereby the one authorisation table: a test walks it as every role. */
export const calls = {
  setup,
  status,
  users,
  options,
  channels,
  groups,
  models,
  tokens,
  logs,
  openApi,
} as const
