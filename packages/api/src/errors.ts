/**
 * Every refusal the console API can give: a stable code and its sentence in both languages.
 * A sentence says what to do. `{name}` is filled from the refusal's details.
 */
export const refusalTexts = {
  invalid_parameter: {
    en: 'Invalid parameter: {detail}',
    zh: '无效的参数：{detail}',
  },
  not_logged_in: {
    en: 'Not logged in or login expired, please log in again',
    zh: '未登录或登录已过期，请重新登录',
  },
  user_header_missing: {
    en: 'The New-Api-User header with your user id is missing',
    zh: '缺少包含用户 ID 的 New-Api-User 请求头',
  },
  user_header_mismatch: {
    en: 'The New-Api-User header does not match the logged-in user',
    zh: 'New-Api-User 与登录用户不匹配',
  },
  session_required: {
    en: 'Please use the console: this call needs a login session, not an access token',
    zh: '此接口需要登录会话，不支持 access token',
  },
  signature_invalid: { en: 'The signature of the request is invalid', zh: '请求签名无效' },
  relay_key_invalid: { en: 'The API key cannot be used: {detail}', zh: 'API 密钥不可用：{detail}' },
  relay_key_not_allowed: {
    en: 'The API key may not be used here: {detail}',
    zh: 'API 密钥不允许在此使用：{detail}',
  },
  user_banned: { en: 'This user is banned', zh: '用户已被封禁' },
  access_token_invalid: { en: 'The access token is invalid', zh: '无权进行此操作，access token 无效' },
  foreign_origin: {
    en: 'This call was started by another site: use the console of this server',
    zh: '请求来自其他站点，请在本站控制台中操作',
  },
  body_too_large: {
    en: 'The request body is too large: at most {max} bytes',
    zh: '请求体过大，最多 {max} 字节',
  },
  permission_denied: { en: 'You have no permission to do this', zh: '无权进行此操作，权限不足' },
  record_not_found: { en: 'Record not found', zh: '记录不存在' },
  too_many_requests: { en: 'Too many requests, try again later', zh: '请求次数过多，请稍后再试' },
  internal_error: {
    en: 'Internal server error, contact the administrator',
    zh: '服务器内部错误，请联系管理员',
  },
  database_unavailable: { en: 'The database is not reachable', zh: '数据库连接失败' },
  server_stopping: { en: 'The server is stopping, try again shortly', zh: '服务器正在停止，请稍后再试' },

  setup_already_done: { en: 'The system is already set up', zh: '系统已经初始化完成' },
  setup_required: { en: 'The system is not set up yet, open /setup', zh: '系统尚未初始化，请打开 /setup' },
  setup_username_empty: { en: 'Username must not be empty', zh: '请输入管理员用户名' },
  setup_username_invalid: {
    en: 'Username must have at most {max} characters and no spaces at its ends',
    zh: '用户名最多 {max} 个字符，且首尾不能有空格',
  },
  setup_password_short: { en: 'Password must have at least 8 characters', zh: '密码长度至少为8个字符' },
  password_too_long: { en: 'Password must have at most {max} characters', zh: '密码最多 {max} 个字符' },
  username_taken: { en: 'The username is already taken', zh: '用户名已存在' },
  setup_password_mismatch: { en: 'The two passwords entered are inconsistent', zh: '两次输入的密码不一致' },

  login_fields_empty: { en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    en: 'Wrong username or password, or the user is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  password_login_disabled: {
    en: 'The administrator has switched off password login',
    zh: '管理员关闭了密码登录',
  },

  option_unknown: { en: 'Unknown option {key}', zh: '未知的选项 {key}' },
  option_invalid: { en: 'Option {key}: {detail}', zh: '选项 {key}：{detail}' },
  option_requires: {
    en: 'Fill in {required} before switching on {key}',
    zh: '启用 {key} 前请先填写 {required}',
  },
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
  option_not_domain: {
    en: 'Option {key}: {entry} is not a valid domain such as example.com',
    zh: '选项 {key}：{entry} 不是有效的域名（例如 example.com）',
  },
  option_not_address_range: {
    en: 'Option {key}: {entry} is not an IP address or CIDR range',
    zh: '选项 {key}：{entry} 不是有效的 IP 地址或 CIDR 网段',
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
    en: 'Option {key}: the entry {entry} must stay',
    zh: '选项 {key}：不能删除 {entry} 这一项',
  },
  option_entry_headers: {
    en: 'Option {key}: {entry} must map header names to lists of values',
    zh: '选项 {key}：{entry} 的值必须是请求头名称到值列表的映射',
  },
  option_entry_chat_link: {
    en: 'Option {key}: entry {entry} must be an object with one property, a name and its link',
    zh: '选项 {key}：第 {entry} 项必须是只有一个属性（名称和链接）的对象',
  },

  token_name_required: { en: 'Please enter a name', zh: '请输入名称' },
  token_name_too_long: {
    en: 'The name is too long: at most {max} characters',
    zh: '令牌名称过长，最多 {max} 个字符',
  },
  token_quota_invalid: {
    en: 'Quota must be a whole number from 0 to {max}',
    zh: '额度必须是 0 到 {max} 之间的整数',
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

  channel_name_and_key_required: {
    en: 'Please fill in channel name and key',
    zh: '请填写渠道名称和渠道密钥',
  },
  channel_models_required: { en: 'Please select at least one model', zh: '请至少选择一个模型' },
  channel_type_unknown: { en: 'Unknown channel type {type}', zh: '未知的渠道类型 {type}' },
  channel_type_unsupported: {
    en: 'Channels of type {name} are not supported by this version',
    zh: '当前版本不支持 {name} 类型的渠道',
  },
  channel_json_invalid: { en: '{field} must be valid JSON format', zh: '{field} 必须是合法的 JSON 格式' },
  channel_base_url_required: {
    en: 'Channels of this type need a base URL',
    zh: '该类型的渠道必须填写 API 地址',
  },
  channel_base_url_invalid: {
    en: 'The base URL must be a full http:// or https:// address',
    zh: 'API 地址必须是完整的 http:// 或 https:// 地址',
  },
  channel_address_forbidden: {
    en: 'The base URL points to an address that this server must not reach',
    zh: 'API 地址指向禁止访问的网络地址',
  },
  channel_base_url_unresolved: {
    en: 'The host of the base URL cannot be found',
    zh: '无法解析 API 地址中的主机名',
  },
  channel_proxy_invalid: {
    en: 'setting: proxy must be a full http:// or https:// address',
    zh: 'setting：proxy 必须是完整的 http:// 或 https:// 地址',
  },
  channel_proxy_forbidden: {
    en: 'setting: proxy points to an address that this server must not reach',
    zh: 'setting：proxy 指向禁止访问的网络地址',
  },
  channel_setting_not_flag: {
    en: 'setting: {key} must be true or false',
    zh: 'setting：{key} 必须是 true 或 false',
  },
  channel_text_too_long: {
    en: '{field} is too long: at most {max} characters',
    zh: '{field} 过长，最多 {max} 个字符',
  },
  channel_text_invalid: {
    en: '{field} must not contain control characters',
    zh: '{field} 不能包含控制字符',
  },
  channel_number_invalid: {
    en: '{field} must be a whole number from {min} to {max}',
    zh: '{field} 必须是 {min} 到 {max} 之间的整数',
  },
  channel_status_invalid: {
    en: 'Status must be 1 (enabled) or 2 (disabled)',
    zh: '状态只能是 1（启用）或 2（禁用）',
  },
  channel_key_invalid: {
    en: 'Key number {line} contains characters that cannot be sent in a header',
    zh: '第 {line} 个密钥包含无法在请求头中发送的字符',
  },
  channel_keys_to_move: {
    en: 'Enter the keys again: only the super admin may send stored keys to another address',
    zh: '请重新填写密钥：只有超级管理员可以把已保存的密钥用于新的地址',
  },
  channel_keys_too_many: { en: 'At most {max} keys per channel', zh: '每个渠道最多 {max} 个密钥' },
  channel_model_too_long: {
    en: 'Model name too long, at most {max} characters: {model}',
    zh: '模型名称过长，最多 {max} 个字符：{model}',
  },
  channel_mapping_not_text: {
    en: '{field} must be a JSON object of text to text',
    zh: '{field} 必须是文本到文本的 JSON 对象',
  },
  channel_mapping_cycle: {
    en: 'model_mapping leads from {model} back to itself',
    zh: 'model_mapping 从 {model} 又回到了自身',
  },
  channel_status_mapping_invalid: {
    en: 'status_code_mapping must lead from three-digit codes to error codes (400 to 599)',
    zh: 'status_code_mapping 必须从三位状态码映射到错误状态码（400 到 599）',
  },
  channel_param_override_not_object: {
    en: 'param_override must be a JSON object',
    zh: 'param_override 必须是 JSON 对象',
  },
  channel_param_override_stream: {
    en: 'param_override must not set stream',
    zh: 'param_override 不能设置 stream',
  },
  channel_upstream_timeout: {
    en: 'The upstream did not answer within {seconds} seconds',
    zh: '上游在 {seconds} 秒内没有响应',
  },
  channel_upstream_unreachable: { en: 'The upstream cannot be reached', zh: '无法连接上游' },
  channel_upstream_redirect: {
    en: 'The upstream answered with a redirect; enter the address it leads to',
    zh: '上游返回了重定向，请直接填写最终地址',
  },
  channel_upstream_too_large: { en: 'The answer of the upstream is too large', zh: '上游的响应过大' },
  channel_upstream_malformed: {
    en: 'The upstream did not answer in the expected format; check the address',
    zh: '上游响应的格式不符合预期，请检查 API 地址',
  },
  channel_keys_unreadable: {
    en: 'The keys of this channel were sealed by another installation: enter them again',
    zh: '该渠道的密钥由其他安装加密，无法读取，请重新填写密钥',
  },
  channel_models_unlisted: {
    en: 'This type of channel has no list of models',
    zh: '该类型的渠道没有模型列表',
  },
  channel_test_failed: { en: 'Test failed: {detail}', zh: '测试失败：{detail}' },
  channel_test_running: { en: 'A test of all channels is already running', zh: '测试已在运行中' },
  channel_models_fetch_failed: {
    en: 'Failed to fetch the model list: {detail}',
    zh: '获取模型列表失败：{detail}',
  },
  channel_key_required: { en: 'Please fill in the key', zh: '请填写密钥' },
} as const satisfies Record<string, { readonly en: string; readonly zh: string }>

export type RefusalCode = keyof typeof refusalTexts
export type Language = 'en' | 'zh'

/** Fills `{name}` slots of a sentence; an unknown slot stays as it is. */
export function fillText(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => String(details[name] ?? slot))
}
