import type { LocalizedTexts } from './localized-texts.ts'

/** Running the installation: options, mail, the usage log, releases. */
export const operationRefusals = {
  // The audit log.
  audit_not_revertible: {
    en: 'This change cannot be reverted: its record does not hold what was before',
    zh: '此修改无法还原：记录中没有修改前的内容',
  },
  audit_changed_since: {
    en: 'The same was changed again since: revert the newer change first',
    zh: '之后又有新的修改，请先还原较新的修改',
  },
  incident_end_passed: {
    en: 'The end of the snooze has passed: choose a later time',
    zh: '暂缓的截止时间已过，请选择更晚的时间',
  },
  status_incident_published: {
    en: 'This incident was published already: add an update to it on the status page tab',
    zh: '该故障已发布，请在“状态页”标签中为其添加进展',
  },
  status_incident_full: {
    en: 'This incident has {max} updates: publish a new one to go on',
    zh: '该故障已有 {max} 条进展，请另外发布一条',
  },
  // Consequences that are asked about before a change is saved.
  confirmation_required: {
    en: '{consequences} Confirm this to change it all the same',
    zh: '{consequences}如仍要更改，请确认',
  },
  price_far_from_former: {
    en: '{name}: {price} is far from {reference}, the price until now.',
    zh: '{name}：{price} 与原价 {reference} 相差悬殊。',
  },
  price_far_from_cost: {
    en: '{name}: {price} is far from {reference}, what it costs you.',
    zh: '{name}：{price} 与成本 {reference} 相差悬殊。',
  },
  price_far_from_list: {
    en: '{name}: {price} is far from {reference}, the list price of its vendor.',
    zh: '{name}：{price} 与官方价 {reference} 相差悬殊。',
  },
  price_far_from_all: {
    en: '{name}: {price} is far above {reference}, the highest price of any known model.',
    zh: '{name}：{price} 远高于已知模型的最高价格 {reference}。',
  },
  group_in_use: {
    en: 'The group {group} has {users} users, {tokens} API keys and {channels} channels: choose the group that they go to (moves).',
    zh: '分组 {group} 中有 {users} 个用户、{tokens} 个令牌和 {channels} 个渠道，请选择将其移至哪个分组（moves）。',
  },
  passkeys_bound_to_host: {
    en: '{passkeys} passkeys of {users} people were made for {before} and do not work at {after}: their owners need another way to log in.',
    zh: '{users} 个用户的 {passkeys} 个通行密钥是为 {before} 创建的，在 {after} 上无法使用，这些用户需要其他登录方式。',
  },
  many_users_group: {
    en: '{users} users go back to the group {group}.',
    zh: '{users} 个用户将移回分组 {group}。',
  },
  many_users_limits: {
    en: '{users} users get the rate limits back that they had.',
    zh: '{users} 个用户将恢复原来的速率限制。',
  },
  many_users_balance: {
    en: '{users} users: the balance of each changes by {amount}.',
    zh: '{users} 个用户的余额将各变动 {amount}。',
  },
  many_users_left: {
    en: '{left} of {users} users stay as they are: deleted, changed again since, or not yours to change.',
    zh: '{users} 个用户中有 {left} 个保持不变：已删除、之后又被修改，或您无权修改。',
  },
  many_users_below_zero: {
    en: '{users} users have spent some of it, and fall below zero.',
    zh: '{users} 个用户已使用其中部分额度，余额将低于零。',
  },
  model_name_unknown: {
    en: 'No channel, price or key names the model {model}',
    zh: '没有渠道、价格或令牌使用模型名称 {model}',
  },
  model_name_taken: {
    en: 'The name {model} is in use: choose another, or remove its prices first',
    zh: '名称 {model} 已被使用，请选择其他名称，或先删除其价格',
  },
  group_unknown: { en: 'There is no group {group}', zh: '分组 {group} 不存在' },
  group_name_taken: {
    en: 'There is a group {group} already: choose another name',
    zh: '分组 {group} 已存在，请使用其他名称',
  },
  group_move_unknown: {
    en: 'The group {group} has no ratio: move users, keys and channels to one that has',
    zh: '分组 {group} 没有倍率，请移至有倍率的分组',
  },
  // Options.
  option_unknown: { en: 'Unknown option {key}', zh: '未知的选项 {key}' },
  option_moves_money: {
    en: 'Option {key} moves money: root alone changes it, unless root turns on AdminMoneyOptionsEnabled or gives you the part money-options',
    zh: '选项 {key} 会影响资金，只有超级管理员可以修改，除非其启用 AdminMoneyOptionsEnabled 或授予您 money-options 权限',
  },
  option_not_map: { en: 'Option {key} has no entries', zh: '选项 {key} 没有条目' },
  option_repeated: { en: 'Option {key} is named twice', zh: '选项 {key} 重复' },
  option_requires: {
    en: 'Fill in {required} before turning on {key}',
    zh: '启用 {key} 前请先填写 {required}',
  },
  option_excludes_own_address: {
    en: 'These ranges exclude your own address, {address}: add it first',
    zh: '这些网段不包含您当前的地址 {address}，请先加入',
  },
  option_needs_own_second_factor: {
    en: 'Set up your own two-factor authentication before you require it',
    zh: '要求启用两步验证之前，请先为自己的账户启用',
  },
  option_cleared_with_value: {
    en: 'Option {key}: send either value or clear',
    zh: '选项 {key}：value 与 clear 不能同时使用',
  },
  option_required: { en: 'Turn off {by} before clearing {key}', zh: '清空 {key} 前请先关闭 {by}' },
  option_requires_switch: {
    en: 'Turn on {required} before turning on {key}',
    zh: '启用 {key} 前请先启用 {required}',
  },
  option_required_switch: { en: 'Turn off {by} before turning off {key}', zh: '关闭 {key} 前请先关闭 {by}' },
  option_not_flag: { en: 'Option {key}: use true or false', zh: '选项 {key}：请使用 true 或 false' },
  option_not_integer: {
    en: 'Option {key}: enter a whole number from {min} to {max}',
    zh: '选项 {key}：请输入 {min} 到 {max} 之间的整数',
  },
  option_not_number: {
    en: 'Option {key}: enter a number from {min} to {max}',
    zh: '选项 {key}：请输入 {min} 到 {max} 之间的数字',
  },
  option_not_choice: { en: 'Option {key}: choose one of {choices}', zh: '选项 {key}：请选择 {choices} 之一' },
  option_too_long: { en: 'Option {key}: at most {max} characters', zh: '选项 {key}：最多 {max} 个字符' },
  option_too_many: { en: 'Option {key}: at most {max} entries', zh: '选项 {key}：最多 {max} 项' },
  option_control_character: {
    en: 'Option {key}: remove line breaks and control characters',
    zh: '选项 {key}：请删除换行符和控制字符',
  },
  option_not_url: {
    en: 'Option {key}: enter a full http:// or https:// address',
    zh: '选项 {key}：请输入完整的 http:// 或 https:// 地址',
  },
  option_not_base_address: {
    en: 'Option {key}: write {address}; the gateway adds the rest',
    zh: '选项 {key}：请填写 {address}，其余部分由网关自动补全',
  },
  option_group_unknown: {
    en: 'Option {key}: there is no group {group}. Add it to GroupRatio first, or choose one of {groups}',
    zh: '选项 {key}：分组 {group} 不存在。请先在 GroupRatio 中添加，或从以下分组中选择：{groups}',
  },
  option_not_domain: {
    en: 'Option {key}: {entry} is not a valid domain such as example.com',
    zh: '选项 {key}：{entry} 不是有效的域名（例如 example.com）',
  },
  option_not_chat_target: {
    en: 'Option {key}: {entry} is not a host, an https://host[:port] or a protocol such as opencat:',
    zh: '选项 {key}：{entry} 不是主机名、https://主机[:端口]，也不是 opencat: 之类的协议',
  },
  option_not_address_range: {
    en: 'Option {key}: {entry} is not an IP address or CIDR range',
    zh: '选项 {key}：{entry} 不是有效的 IP 地址或 CIDR 网段',
  },
  model_price_input_missing: {
    en: 'Enter an input price above 0: the other prices are stored as multiples of it',
    zh: '请输入大于 0 的输入价格：其他价格按其倍数保存',
  },
  option_not_json: { en: 'Option {key}: not a valid JSON string', zh: '选项 {key}：不是合法的 JSON 字符串' },
  option_not_json_object: {
    en: 'Option {key}: must be a JSON object',
    zh: '选项 {key}：必须是 JSON 对象',
  },
  option_not_json_array: { en: 'Option {key}: must be a JSON array', zh: '选项 {key}：必须是 JSON 数组' },
  option_entry_name: {
    en: 'Option {key}: the name of every entry must have 1 to {max} characters',
    zh: '选项 {key}：每一项的名称必须为 1 到 {max} 个字符',
  },
  option_entry_blank: {
    en: 'Option {key}: the name of an entry is blank. Write a name, or leave the entry out',
    zh: '选项 {key}：有一项的名称为空白，请填写名称或删除该项',
  },
  option_entry_unfit: {
    en: 'Option {key}: no call can have the name {entry}. Write {name}',
    zh: '选项 {key}：任何调用都不会使用名称 {entry}，请填写 {name}',
  },
  option_entry_number: {
    en: 'Option {key}: the value of {entry} must be a number from {min} to {max}',
    zh: '选项 {key}：{entry} 的值必须是 {min} 到 {max} 之间的数字',
  },
  option_entry_integer: {
    en: 'Option {key}: the value of {entry} must be a whole number from {min} to {max}',
    zh: '选项 {key}：{entry} 的值必须是 {min} 到 {max} 之间的整数',
  },
  option_entry_text: {
    en: 'Option {key}: the value of {entry} must be text of at most {max} characters',
    zh: '选项 {key}：{entry} 的值必须是最多 {max} 个字符的文本',
  },
  option_entry_required: {
    en: 'Option {key}: {entry} cannot be removed',
    zh: '选项 {key}：不能删除 {entry} 这一项',
  },
  option_entry_headers: {
    en: 'Option {key}: {entry} must map header names to lists of values',
    zh: '选项 {key}：{entry} 的值必须是请求头名称到值列表的映射',
  },
  option_entry_rate_limits: {
    en: 'Option {key}: {entry} can have requests_per_minute, tokens_per_minute and concurrency, each a whole number from 0 to {max}',
    zh: '选项 {key}：{entry} 只能包含 requests_per_minute、tokens_per_minute 和 concurrency，且均为 0 到 {max} 之间的整数',
  },
  option_entry_video_price: {
    en: 'Option {key}: {entry} needs a unit, "second" or "call", and can have resolutions such as "720p" and sound, each with a factor from 0 to {max}',
    zh: '选项 {key}：{entry} 必须包含 unit（"second" 或 "call"），可包含 resolutions（键如 "720p"）和 sound，倍率均为 0 到 {max}',
  },
  option_entry_tool_price: {
    en: 'Option {key}: {entry} can have {names}, each a price per 1,000 calls from 0 to {max}',
    zh: '选项 {key}：{entry} 只能包含 {names}，值为每 1,000 次调用的价格，范围 0 到 {max}',
  },
  option_entry_tier_ratio: {
    en: 'Option {key}: {entry} can have {names}, each a factor from 0 to {max}',
    zh: '选项 {key}：{entry} 只能包含 {names}，值为 0 到 {max} 的倍率',
  },
  option_entry_model_cost: {
    en: 'Option {key}: {entry} must have either model_price or model_ratio, and can have {names} beside model_ratio, each from 0 to {max}',
    zh: '选项 {key}：{entry} 必须包含 model_price 或 model_ratio 之一；包含 model_ratio 时还可包含 {names}，值均为 0 到 {max}',
  },
  option_entry_time_price: {
    en: 'Option {key}: {entry} must have zone (a time zone by name, as Asia/Shanghai) and windows (1 to 16), each with from and to (HH:MM), ratio (from 0 to {max}), and optionally days (of {days})',
    zh: '选项 {key}：{entry} 必须包含 zone（时区名称，如 Asia/Shanghai）和 windows（1 到 16 个时段），每个时段包含 from 和 to（HH:MM）、ratio（0 到 {max}），可包含 days（取值 {days}）',
  },
  option_entry_length_step: {
    en: 'Option {key}: {entry} must be a list of at most 8 steps, each with above (prompt tokens, more than in the previous step), input and output (factors from 0 to {max}), and optionally cached',
    zh: '选项 {key}：{entry} 必须是最多 8 个阶梯的列表，每个阶梯包含 above（提示词 Token 数，须大于上一阶梯）、input 和 output（0 到 {max} 的倍率），可包含 cached',
  },
  option_entry_request_limits: {
    en: 'Option {key}: {entry} must be a list of two whole numbers up to {max}: all requests (0 for no limit) and successful ones (at least 1)',
    zh: '选项 {key}：{entry} 必须是两个不超过 {max} 的整数：总请求数（0 表示不限制）和成功请求数（至少为 1）',
  },
  option_entry_chat_link: {
    en: 'Option {key}: entry {entry} must be an object with one property, a name and its link',
    zh: '选项 {key}：第 {entry} 项必须是只有一个属性（名称和链接）的对象',
  },
  oidc_document_address: {
    en: 'The well-known URL must start with http:// or https://',
    zh: 'Well-Known URL 必须以 http:// 或 https:// 开头',
  },
  oidc_document_failed: {
    en: 'Failed to get OIDC config, check network and well-known URL',
    zh: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确',
  },

  // Mail, and what is proven by it.
  email_invalid: { en: 'Not an email address: {email}', zh: '无效的邮箱地址：{email}' },
  email_domain_not_allowed: {
    en: 'This email domain is not allowed',
    zh: '管理员启用了邮箱域名白名单，该邮箱域名不被允许',
  },
  email_alias_not_allowed: {
    en: 'Email addresses with + or . before the @ are not allowed',
    zh: '管理员启用了邮箱地址别名限制，邮箱地址中不能包含 + 或 .',
  },
  mail_not_configured: {
    en: 'No mail server is configured: contact the administrator',
    zh: 'SMTP 服务器未配置，请联系管理员',
  },
  mail_failed: {
    en: 'The email could not be sent: try again later, or contact the administrator',
    zh: '邮件发送失败，请稍后再试或联系管理员',
  },
  mail_test_failed: { en: 'The email was not sent: {reason}', zh: '邮件未能发送：{reason}' },
  email_required: { en: 'Please enter an email address', zh: '请输入邮箱地址' },
  mail_too_often: {
    en: 'Too many emails were sent to this address: try again in {seconds} seconds',
    zh: '发送到该邮箱的邮件过于频繁，请在 {seconds} 秒后再试',
  },
  verification_code_wrong: {
    en: 'The verification code is wrong or has expired: request a new one',
    zh: '验证码错误或已过期',
  },
  reset_link_invalid: {
    en: 'The link is invalid or has expired: request a new one',
    zh: '重置链接非法或已过期',
  },
  server_address_missing: {
    en: 'The server address is not set, so no link can be sent: contact the administrator',
    zh: '服务器地址未设置，无法发送链接，请联系管理员',
  },
  human_check_missing: {
    en: 'The human check is not finished: try again in a few seconds',
    zh: 'Turnstile token 为空，请稍后几秒重试',
  },
  human_check_failed: {
    en: 'The human check failed: reload the page and try again',
    zh: 'Turnstile 校验失败，请刷新重试！',
  },

  // Usage log, charts and exports.
  log_clear_time_required: {
    en: 'Choose a time: older entries are deleted',
    zh: 'target timestamp is required',
  },
  log_clear_time_invalid: {
    en: 'The time must be in the past',
    zh: '清理时间必须是过去的时间',
  },
  log_clear_running: {
    en: 'The log is already being cleared: {deleted} entries so far',
    zh: '日志正在清理中，已清理 {deleted} 条',
  },
  log_clear_not_running: { en: 'The log is not being cleared', zh: '当前没有正在进行的日志清理' },
  data_range_over_month: {
    en: 'Start and end may be at most a month (31 days) apart',
    zh: '时间跨度不能超过 1 个月',
  },
  data_range_over_year: {
    en: 'Start and end may be at most a year (366 days) apart',
    zh: '时间跨度不能超过 1 年',
  },

  // The check for a newer release.
  release_check_off: {
    en: 'No address is set for release checks: set ReleaseCheckUrl',
    zh: '未配置版本检查地址，请设置 ReleaseCheckUrl',
  },
  release_check_failed: {
    en: 'Failed to check for updates, try again later',
    zh: '检查更新失败，请稍后再试',
  },
} as const satisfies LocalizedTexts
