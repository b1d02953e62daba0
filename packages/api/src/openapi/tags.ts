import type { calls } from '../index.ts'
import type { OpenApiOperation, OpenApiTag } from './document-types.ts'
import { relayTag } from './relay-paths.ts'

/** Headings of the groups of calls, in the order of the document: programs' calls first, then those of accounts, then administration. */
const headings = {
  [relayTag]: { en: 'Model calls', zh: '模型调用' },

  tokens: { en: 'API keys', zh: 'API 令牌' },
  logs: { en: 'Usage log', zh: '使用日志' },
  usageData: { en: 'Usage over time', zh: '用量统计' },
  models: { en: 'Models of an account', zh: '可用模型' },
  pricing: { en: 'Prices', zh: '模型价格' },
  wallet: { en: 'Balance and top-ups', zh: '余额与充值' },
  statements: { en: 'Statements', zh: '账单' },
  chargeLinks: { en: 'Links to charges', zh: '扣费链接' },
  tasks: { en: 'Tasks', zh: '任务' },
  drawings: { en: 'Drawings', zh: '绘图任务' },
  users: { en: 'Log-in and account', zh: '登录与账户' },
  accounts: { en: 'Account settings', zh: '账户设置' },
  accessTokens: { en: 'Access tokens', zh: '访问令牌' },
  sessions: { en: 'Sessions', zh: '登录会话' },
  secondFactor: { en: 'Two-factor authentication', zh: '两步验证' },
  passkeys: { en: 'Passkeys', zh: '通行密钥' },
  proofs: { en: 'Identity', zh: '身份验证' },
  oauth: { en: 'Sign-in providers', zh: '第三方登录' },
  securityEvents: { en: 'Security events', zh: '安全事件' },

  incidents: { en: 'Incidents', zh: '故障' },
  channels: { en: 'Channels', zh: '渠道' },
  routes: { en: 'Route simulator', zh: '路由模拟' },
  modelPrices: { en: 'Model prices', zh: '模型定价' },
  modelNames: { en: 'Model names', zh: '模型重命名' },
  groups: { en: 'Groups', zh: '分组' },
  userAdmin: { en: 'Users', zh: '用户管理' },
  invitations: { en: 'Invitations', zh: '邀请' },
  keys: { en: 'Keys of all users', zh: '所有用户的令牌' },
  redemptions: { en: 'Redemption codes', zh: '兑换码' },
  topUpOrders: { en: 'Orders', zh: '充值订单' },
  goodwill: { en: 'Goodwill credits', zh: '补偿' },
  corrections: { en: 'Corrections of charges', zh: '扣费更正' },
  margins: { en: 'Margin', zh: '毛利' },
  options: { en: 'Settings', zh: '设置' },
  auditLog: { en: 'Audit log', zh: '审计日志' },
  nodes: { en: 'Nodes', zh: '节点' },
  installation: { en: 'Export of everything', zh: '导出全部数据' },
  release: { en: 'Releases', zh: '版本' },

  statusPage: { en: 'Status page', zh: '状态页' },
  status: { en: 'Facts about the site', zh: '站点信息' },
  setup: { en: 'First-run setup', zh: '初始化' },
  payments: { en: 'Payment notifications', zh: '支付通知' },
  openApi: { en: 'This document', zh: '本文档' },
} as const satisfies Record<keyof typeof calls | typeof relayTag, OpenApiTag['x-heading']>

export const tags: readonly OpenApiTag[] = Object.entries(headings).map(([name, heading]) => ({
  name,
  'x-heading': heading,
}))

const tagNames = Object.keys(headings)
/** What programs may call before what takes more rights. */
const accesses = [
  'relay-key',
  'user',
  'session',
  'public',
  'signature',
  'admin',
  'root',
] as const satisfies readonly OpenApiOperation['x-access'][]

/** Compares operations by their group, and within it by who may call them. */
export function byAudience(left: OpenApiOperation, right: OpenApiOperation): number {
  return positionOf(left) - positionOf(right)
}

function positionOf({ tags: [tag = ''], 'x-access': access }: OpenApiOperation): number {
  return tagNames.indexOf(tag) * accesses.length + accesses.indexOf(access)
}
