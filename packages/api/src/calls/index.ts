import { accounts } from './account.ts'
import { auditLog } from './audit-log.ts'
import { channels, groups, models } from './channel.ts'
import { usageData } from './data.ts'
import { logs } from './log.ts'
import { oauth } from './oauth.ts'
import { openApi } from './open-api.ts'
import { options } from './option.ts'
import { passkeys } from './passkey.ts'
import { pricing } from './pricing.ts'
import { proofs } from './proof.ts'
import { redemptions } from './redemption.ts'
import { release } from './release.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './session.ts'
import { setup } from './setup.ts'
import { status } from './status.ts'
import { drawings, tasks } from './task.ts'
import { tokens } from './token.ts'
import { users } from './user.ts'
import { userAdmin } from './user-admin.ts'
import { payments, topUpOrders, wallet } from './wallet.ts'

/** Every console call, and thereby the one authorisation table: a test walks it as every role. */
export const calls = {
  setup,
  status,
  accounts,
  release,
  users,
  oauth,
  secondFactor,
  passkeys,
  proofs,
  sessions,
  userAdmin,
  auditLog,
  pricing,
  options,
  channels,
  groups,
  models,
  tokens,
  logs,
  redemptions,
  wallet,
  payments,
  topUpOrders,
  usageData,
  drawings,
  tasks,
  openApi,
} as const
