import type { LocalizedTexts } from './localized-texts.ts'

/** Redemption codes and top-ups. */
export const walletRefusals = {
  redemption_name_length: {
    en: 'The name of a code must have 1 to {max} characters',
    zh: '兑换码名称长度必须在1-{max}之间',
  },
  redemption_count_low: { en: 'The number of codes must be above 0', zh: '兑换码个数必须大于0' },
  redemption_count_high: {
    en: 'At most {max} codes can be made at once',
    zh: '一次兑换码批量生成的个数不能大于 {max}',
  },
  redemption_quota_invalid: {
    en: 'Quota must be a whole number from 1 to {max}',
    zh: '额度必须是 1 到 {max} 之间的整数',
  },
  redemption_not_unused: {
    en: 'Only unused codes can be edited',
    zh: '只能编辑未使用的兑换码',
  },
  redemption_status_invalid: {
    en: 'Status must be 1 (enabled) or 2 (disabled)',
    zh: '状态只能是 1（启用）或 2（禁用）',
  },
  redemption_status_used: {
    en: 'A used code can be neither enabled nor disabled',
    zh: '已使用的兑换码不能启用或禁用',
  },
  redemption_key_required: { en: 'Please enter a redemption code', zh: '未提供兑换码' },
  redemption_invalid: { en: 'Redeem failed: invalid redemption code', zh: '兑换失败，无效的兑换码' },
  redemption_disabled: { en: 'Redeem failed: the code is disabled', zh: '兑换失败，该兑换码已被禁用' },
  redemption_already_used: {
    en: 'Redeem failed: the code has already been used',
    zh: '兑换失败，该兑换码已被使用',
  },
  redemption_by_maker: {
    en: 'Administrators cannot redeem codes, nor anybody a code of their own making: ask the super administrator for quota',
    zh: '管理员不能兑换兑换码，任何人也不能兑换自己创建的兑换码；如需额度请联系超级管理员',
  },
  top_up_amount_low: {
    en: 'The top-up amount cannot be less than {min}',
    zh: '充值数量不能小于 {min}',
  },
  top_up_amount_high: { en: 'The top-up amount is too large', zh: '充值数量过大' },
  top_up_payable_low: { en: 'The amount to pay is too low', zh: '充值金额过低' },
  top_up_not_configured: {
    en: 'The administrator has not set up online payment',
    zh: '当前管理员未配置支付信息',
  },
  top_up_server_address_missing: {
    en: 'Online payment needs the server address: the administrator has to set it first',
    zh: '请管理员先设置服务器地址，再使用在线充值',
  },
  top_up_too_many_pending: {
    en: 'You have {max} unpaid orders: pay one of them, or wait until they expire',
    zh: '您有 {max} 个未支付的订单，请先支付其中一个，或等待其过期',
  },
  top_up_method_unknown: {
    en: 'This payment method is not offered',
    zh: '不支持该支付方式',
  },
  top_up_rank_too_high: {
    en: 'You may not complete your own orders, or those of users of your own or a higher rank',
    zh: '不能为自己或同级、更高等级的用户补单',
  },
  top_up_start_failed: { en: 'The payment could not be started', zh: '拉起支付失败' },
  top_up_notice_mismatch: {
    en: 'The payment does not match its order',
    zh: '支付信息与订单不符',
  },
} as const satisfies LocalizedTexts
