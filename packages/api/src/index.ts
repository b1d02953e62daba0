export * from './audit-actions.ts'
export * from './call.ts'
export * from './calls/account.ts'
export * from './calls/audit-log.ts'
export * from './calls/authentication.ts'
export * from './calls/channel.ts'
export * from './calls/data.ts'
export { get, post } from './calls/define.ts'
export { calls } from './calls/index.ts'
export * from './calls/installation.ts'
export * from './calls/log.ts'
export * from './calls/oauth.ts'
export * from './calls/option.ts'
export * from './calls/pricing.ts'
export * from './calls/redemption.ts'
export * from './calls/task.ts'
export * from './calls/token.ts'
export * from './calls/user.ts'
export * from './calls/user-admin.ts'
export * from './calls/wallet.ts'
export * from './channel-fields.ts'
export * from './channel-reasons.ts'
export * from './channel-types.ts'
export * from './chat-targets.ts'
export * from './currencies.ts'
export * from './errors/index.ts'
export * from './models/index.ts'
export * from './rate-limits.ts'
export * from './resources/limits.ts'
export * from './resources/redemption.ts'
export * from './resources/resource.ts'
export * from './resources/token.ts'
export * from './roles.ts'
export type { VideoPriceRule } from './settings/shapes.ts'
export {
  type LengthStep,
  type PricedTier,
  type PricedTool,
  pricedTiers,
  pricedTools,
  type TierRatios,
  type ToolPrices,
} from './settings/surcharge-shapes.ts'
export * from './wire.ts'
