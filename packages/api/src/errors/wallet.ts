import type { LocalizedTexts } from './localized-texts.ts'

/** API keys, redemption codes and top-ups. */
export const walletRefusals = {
  // API keys.
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
  key_not_found: {
    en: 'No such key among those that you may see. Check that the text is complete',
    zh: '在您可查看的范围内未找到该令牌，请确认文本完整',
  },
  former_keys_too_many: {
    en: 'Of this key {max} former ones still work, the most that are possible: end them first, or rotate without an overlap',
    zh: '该令牌已有 {max} 个旧令牌仍可使用，达到上限：请先终止旧令牌，或选择立即失效',
  },
  token_frozen: {
    en: 'This key is frozen: an administrator alone can enable it. Create another one for your programs',
    zh: '该令牌已被冻结，只有管理员可以恢复。请为您的程序创建新的令牌',
  },
  token_key_unknown: {
    en: 'This key was imported as a hash: it is shown once a program has called with it',
    zh: '该令牌以哈希形式导入，程序首次用它调用后才能显示',
  },
  token_too_many: {
    en: 'You have {max} keys, the maximum: delete one first',
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

  // Corrections of charges.
  correction_span_empty: { en: 'The end is before the start', zh: '结束时间早于开始时间' },
  correction_span_open: {
    en: 'The span is not over yet: choose an end in the past, so that no call is added to it',
    zh: '时间段尚未结束，请选择过去的结束时间',
  },
  correction_price_without_model: {
    en: 'A price is that of one model: choose the model',
    zh: '价格只能用于一个模型，请选择模型',
  },
  correction_changes_nothing: {
    en: 'No charge of these calls would change',
    zh: '这些调用的扣费均无需修改',
  },
  correction_changed: {
    en: 'The charges are not as in the preview any more: look at it again',
    zh: '扣费与预览时已不同，请重新预览',
  },
  correction_running: {
    en: 'Charges are already being corrected: wait until that has ended',
    zh: '正在更正扣费，请等待其完成',
  },
  correction_too_large: {
    en: 'The selection has more than {max} calls: choose a shorter span',
    zh: '所选调用超过 {max} 次，请缩短时间段',
  },
  correction_not_applied: {
    en: 'This correction was taken back already, or has not ended',
    zh: '此更正已撤回，或尚未完成',
  },

  // Redemption codes and top-ups.
  redemption_name_length: {
    en: 'The name of a code must have 1 to {max} characters',
    zh: '兑换码名称长度必须在1-{max}之间',
  },
  redemption_count_low: { en: 'The number of codes must be above 0', zh: '兑换码个数必须大于0' },
  redemption_count_high: {
    en: 'At most {max} codes can be created at once',
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
    en: 'Administrators cannot redeem codes, and users cannot redeem their own: ask the root administrator for quota',
    zh: '管理员不能使用兑换码，用户也不能使用自己创建的兑换码；如需额度请联系超级管理员',
  },
  redemption_near_administrator: {
    en: 'This code was made or changed by an administrator: accounts of an administrator’s invitation chain, or with an administrator’s mail inbox, cannot redeem it. Ask the root administrator',
    zh: '该兑换码由管理员创建或修改过，管理员邀请链上的账户或与管理员共用邮箱的账户不能使用，请联系超级管理员',
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
    en: 'Online payment needs the server address: ask the administrator to set it',
    zh: '请管理员先设置服务器地址，再使用在线充值',
  },
  top_up_too_many_pending: {
    en: 'You have {max} unpaid orders: pay one, or wait until they expire',
    zh: '您有 {max} 个未支付的订单，请先支付其中一个，或等待其过期',
  },
  top_up_method_unknown: { en: 'This payment method is not available', zh: '不支持该支付方式' },
  top_up_rank_too_high: {
    en: 'You cannot complete or refund your own orders, or those of users of your own or a higher rank',
    zh: '不能为自己或同级、更高等级的用户补单或退款',
  },
  top_up_start_failed: { en: 'The payment could not be started', zh: '拉起支付失败' },
  top_up_provider_failed: {
    en: 'The payment provider could not be asked about the payment',
    zh: '无法向支付平台查询该笔支付',
  },
  log_range_over_month: {
    en: 'Choose a span of at most 31 days to sort by cost or duration',
    zh: '按费用或用时排序时，时间范围最多为 31 天',
  },
  goodwill_amount: {
    en: 'The credit must be from 1 to the {max} units that the call was charged',
    zh: '补偿额度必须在 1 到该次调用的扣费 {max} 之间',
  },
  goodwill_given: { en: 'This call was credited already', zh: '该次调用已补偿过' },
  goodwill_not_given: { en: 'This call has no credit to take back', zh: '该次调用没有可撤回的补偿' },
  charge_link_subject: {
    en: 'Name a charge, or a user and a day such as 2026-11-29',
    zh: '请指定一笔扣费，或用户与日期（如 2026-11-29）',
  },
  charge_link_too_many: {
    en: 'This account has {max} links that open: revoke one first',
    zh: '该账户已有 {max} 个有效链接，请先撤销一个',
  },
  charge_link_ended: {
    en: 'This link does not open any more: ask for a new one',
    zh: '该链接已失效，请索取新的链接',
  },
  statement_month_invalid: {
    en: 'Name a month as year and month: 2026-11',
    zh: '请按“年-月”填写月份，例如 2026-11',
  },
  top_up_not_pending: {
    en: 'The order is not waiting for a payment any more: refresh the list',
    zh: '该订单已不在待支付状态，请刷新列表',
  },
  top_up_paid_at_provider: {
    en: 'The payment has arrived at the provider: wait for its notice, or complete the order',
    zh: '支付平台已收到该笔付款，请等待通知或直接补单',
  },
  top_up_payment_ended: {
    en: 'The provider has ended this payment: place a new order',
    zh: '支付平台已结束该笔支付，请重新下单',
  },
  top_up_not_paid: { en: 'Only a paid order can be refunded', zh: '只有已支付的订单可以退款' },
  top_up_refund_amount: {
    en: 'The refund must be an amount from the smallest unit of the currency up to {max}',
    zh: '退款金额必须大于 0 且不超过 {max}',
  },
  top_up_refund_by_hand: {
    en: 'The provider cannot return this payment: return the money yourself, and record that',
    zh: '支付平台无法退还该笔付款，请自行退款后再做记录',
  },
  top_up_refund_refused: {
    en: 'The provider refused to return the money: look at the payment there, or return the money yourself and record that',
    zh: '支付平台拒绝退款，请在平台上查看该笔付款，或自行退款后再做记录',
  },
  top_up_refund_unknown: {
    en: 'The provider did not say whether it returned the money: try the same amount again, which returns it once',
    zh: '支付平台未确认是否已退款，请以相同金额重试，不会重复退款',
  },
  top_up_changed: {
    en: 'Somebody changed this order meanwhile: look at it again',
    zh: '该订单刚被他人更改，请重新查看',
  },
  top_up_notice_mismatch: {
    en: 'The payment does not match its order',
    zh: '支付信息与订单不符',
  },
} as const satisfies LocalizedTexts
