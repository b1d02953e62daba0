import type { LocalizedTexts } from './localized-texts.ts'

/** API keys. */
export const tokenRefusals = {
  token_name_required: { en: 'Please enter a name', zh: '请输入名称' },
  token_name_too_long: {
    en: 'The name is too long: at most {max} characters',
    zh: '令牌名称过长，最多 {max} 个字符',
  },
  token_quota_invalid: {
    en: 'Quota must be a whole number from 0 to {max}',
    zh: '额度必须是 0 到 {max} 之间的整数',
  },
  token_expiry_past: {
    en: 'The expiry is in the past: choose a time in the future, or never (-1)',
    zh: '过期时间已过：请选择将来的时间，或永不过期（-1）',
  },
  token_expiry_invalid: {
    en: 'Expiry time format error: use -1 for never or a time in the future',
    zh: '过期时间格式错误：-1 表示永不过期，或填写将来的时间',
  },
  token_address_invalid: {
    en: 'Not an IP address or CIDR range: {line}',
    zh: '不是有效的 IP 地址或 CIDR 网段：{line}',
  },
  token_models_too_long: { en: 'The list of allowed models is too long', zh: '模型限制列表过长' },
  token_too_many: {
    en: 'You have {max} keys, the most for one user: delete one first',
    zh: '每个用户最多拥有 {max} 个令牌，请先删除一个',
  },
  token_group_not_usable: { en: 'You cannot use the group {group}', zh: '无权使用分组 {group}' },
  token_status_invalid: {
    en: 'Status must be 1 (enabled) or 2 (disabled)',
    zh: '状态只能是 1（启用）或 2（禁用）',
  },
  token_expired_enable: {
    en: 'The key has expired: change its expiry first',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  },
  token_exhausted_enable: {
    en: 'The quota of the key is used up: raise it first',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  },
} as const satisfies LocalizedTexts
