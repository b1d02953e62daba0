import { accessTokens } from './access-token.ts'
import { accounts } from './account.ts'
import { auditLog } from './audit-log.ts'
import { passkeys, proofs, secondFactor, sessions } from './authentication.ts'
import { channels, models } from './channel-calls.ts'
import { corrections } from './charges/correction.ts'
import { chargeLinks, goodwill } from './charges/explained.ts'
import { margins } from './charges/margin.ts'
import { usageData } from './data.ts'
import { groups } from './group.ts'
import { incidents } from './incident.ts'
import { installation, openApi, release, setup, status } from './installation.ts'
import { invitations } from './invitation.ts'
import { keys } from './key.ts'
import { logs } from './log.ts'
import { modelNames, modelPrices } from './model-price.ts'
import { nodes } from './node.ts'
import { oauth } from './oauth.ts'
import { options } from './option.ts'
import { pricing } from './pricing.ts'

import { redemptions } from './redemption.ts'

import { routes } from './route-preview.ts'
import { securityEvents } from './security-event.ts'
import { statements } from './statement.ts'
import { statusPage } from './status-page.ts'
import { drawings, tasks } from './task.ts'
import { tokens } from './token.ts'
import { users } from './user.ts'
import { userAdmin } from './user-admin.ts'
import { payments, topUpOrders, wallet } from './wallet.ts'

/** Every console call, and thereby the one authorisation table: a test calls each as every role. */
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
  accessTokens,
  securityEvents,
  userAdmin,
  invitations,
  auditLog,
  incidents,
  statusPage,
  nodes,
  pricing,
  options,
  channels,
  groups,
  models,
  routes,
  modelPrices,
  modelNames,
  corrections,
  tokens,
  keys,
  logs,
  chargeLinks,
  goodwill,
  redemptions,
  wallet,
  payments,
  topUpOrders,
  statements,
  usageData,
  margins,
  drawings,
  tasks,
  installation,
  openApi,
} as const
