import type { LocalizedTexts } from './localized-texts.ts'

/** Channels. */
export const channelRefusals = {
  channel_name_and_key_required: {
    en: 'Please fill in channel name and key',
    zh: '请填写渠道名称和渠道密钥',
  },
  channel_models_required: { en: 'Please select at least one model', zh: '请至少选择一个模型' },
  channel_groups_required: { en: 'A channel needs at least one group', zh: '渠道至少需要一个分组' },
  channel_type_unknown: { en: 'Unknown channel type {type}', zh: '未知的渠道类型 {type}' },
  channel_type_unsupported: {
    en: 'This version does not support channels of type {name}',
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
    en: 'The host of the base URL cannot be resolved',
    zh: '无法解析 API 地址中的主机名',
  },
  channel_proxy_invalid: {
    en: 'setting: proxy must be a full http://, https:// or socks5:// address',
    zh: 'setting：proxy 必须是完整的 http://、https:// 或 socks5:// 地址',
  },
  channel_proxy_forbidden: {
    en: 'setting: proxy points to an address that this server must not reach',
    zh: 'setting：proxy 指向禁止访问的网络地址',
  },
  channel_setting_not_limit: {
    en: 'setting: {key} must be a whole number from 0 (no limit) to {max}',
    zh: 'setting：{key} 必须是 0（不限制）到 {max} 之间的整数',
  },
  channel_setting_not_factor: {
    en: 'setting: {key} must be a number from 0 to {max}',
    zh: 'setting：{key} 必须是 0 到 {max} 之间的数字',
  },
  channel_setting_not_flag: {
    en: 'setting: {key} must be true or false',
    zh: 'setting：{key} 必须是 true 或 false',
  },
  channel_setting_not_text: { en: 'setting: {key} must be text', zh: 'setting：{key} 必须是文本' },
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
  channel_key_format_invalid: {
    en: 'Key number {line} must have the form {format}',
    zh: '第 {line} 个密钥的格式必须是 {format}',
  },
  channel_key_gone: {
    en: 'The key at this position has changed: reload the channel',
    zh: '该位置的密钥已变化，请重新加载渠道',
  },
  channel_key_known: {
    en: 'The channel has this key already',
    zh: '该渠道已有此密钥',
  },
  channel_schedule_invalid: {
    en: 'Choose times that are still ahead; the channel is switched on again after it was switched off',
    zh: '请选择将来的时间，重新启用须晚于禁用',
  },
  channel_last_key: {
    en: 'This is the last key in service: disable the channel instead',
    zh: '这是最后一个可用的密钥，请改为禁用渠道',
  },
  channel_keys_to_move: {
    en: 'Enter the keys again: only the root administrator can send stored keys to another address',
    zh: '请重新填写密钥：只有超级管理员可以把已保存的密钥用于新的地址',
  },
  channel_keys_too_many: { en: 'At most {max} keys per channel', zh: '每个渠道最多 {max} 个密钥' },
  channel_model_too_long: {
    en: 'Model name too long, at most {max} characters: {model}',
    zh: '模型名称过长，最多 {max} 个字符：{model}',
  },
  channel_mapping_not_text: {
    en: '{field} must be a JSON object with text values',
    zh: '{field} 必须是值为文本的 JSON 对象',
  },
  channel_mapping_cycle: {
    en: 'Model mapping leads from {model} back to itself',
    zh: '模型重定向从 {model} 出发形成了循环',
  },
  channel_status_mapping_invalid: {
    en: 'Status code mapping must map three-digit codes to error codes (400 to 599)',
    zh: '状态码映射必须从三位状态码映射到错误状态码（400 到 599）',
  },
  channel_param_override_not_object: {
    en: 'Parameter override must be a JSON object',
    zh: '参数覆盖必须是 JSON 对象',
  },
  channel_param_override_stream: {
    en: 'Parameter override must not set stream',
    zh: '参数覆盖不能设置 stream',
  },
  channel_operations_not_list: {
    en: 'The operations of the parameter override must be a list of at most {max}',
    zh: '参数覆盖的 operations 必须是列表，最多 {max} 项',
  },
  channel_operation_mode: {
    en: 'Operation {number} of the parameter override must have one of the modes {modes}',
    zh: '参数覆盖的第 {number} 个操作的 mode 必须是以下之一：{modes}',
  },
  channel_operation_field: {
    en: 'Operation {number} of the parameter override: {field} is missing or not valid for {mode}',
    zh: '参数覆盖的第 {number} 个操作：{mode} 的 {field} 缺失或无效',
  },
  channel_operation_condition: {
    en: 'Operation {number} of the parameter override: a condition needs path, value and one of the modes {modes}',
    zh: '参数覆盖的第 {number} 个操作：条件需要 path、value，且 mode 为以下之一：{modes}',
  },
  channel_operation_too_large: {
    en: 'Operation {number} of the parameter override ({mode}) makes more than {megabytes} MB of a request of a few words. Let it copy or replace less',
    zh: '参数覆盖的第 {number} 个操作（{mode}）会让只有几个字的请求增长到 {megabytes} MB 以上，请减少复制或替换的内容',
  },
  channel_upstream_timeout: {
    en: 'The upstream did not respond within {seconds} seconds',
    zh: '上游在 {seconds} 秒内没有响应',
  },
  channel_upstream_unreachable: { en: 'The upstream is unreachable', zh: '无法连接上游' },
  channel_upstream_redirect: {
    en: 'The upstream returned a redirect: enter the target address',
    zh: '上游返回了重定向，请直接填写最终地址',
  },
  channel_upstream_too_large: { en: 'The upstream response is too large', zh: '上游的响应过大' },
  channel_upstream_malformed: {
    en: 'The upstream response does not have the expected format: check the address',
    zh: '上游响应的格式不符合预期，请检查 API 地址',
  },
  channel_keys_unreadable: {
    en: 'Another installation encrypted the keys of this channel: enter them again',
    zh: '该渠道的密钥由其他部署加密，无法读取，请重新填写密钥',
  },
  channel_models_unlisted: {
    en: 'Channels of this type have no list of models',
    zh: '该类型的渠道没有模型列表',
  },
  channel_test_no_model: {
    en: 'This channel needs a test model that chats',
    zh: '该渠道需要设置一个支持对话的测试模型',
  },
  channel_test_failed: { en: 'Test failed: {detail}', zh: '测试失败：{detail}' },
  channel_test_running: { en: 'A test of all channels is already running', zh: '测试已在运行中' },
  channel_models_fetch_failed: {
    en: 'Failed to fetch the model list: {detail}',
    zh: '获取模型列表失败：{detail}',
  },
  channel_unsendable: {
    en: 'Calls cannot be sent through this channel: check the format of its key and its address',
    zh: '无法通过该渠道发送调用，请检查密钥格式和 API 地址',
  },
  channel_ids_required: { en: 'Please select channels first', zh: '请先选择渠道' },
  channel_tag_required: { en: 'The tag cannot be empty', zh: 'tag不能为空' },
  channel_no_changes: { en: 'No changes: set at least one field', zh: '没有任何修改，请至少填写一个字段' },
  channel_region_required: { en: 'other: the region is required', zh: '部署地区不能为空' },
  channel_region_default_required: {
    en: 'other: the regions need a "default" field',
    zh: '部署地区必须包含default字段',
  },
  channel_library_required: {
    en: 'other: the ID of the knowledge base is required',
    zh: '知识库 ID 不能为空',
  },
  channel_account_required: {
    en: 'other: the account ID is required, 32 letters and digits',
    zh: '请填写账号 ID（32 位字母和数字）',
  },
  channel_application_unknown: {
    en: 'other: enter chatflow or agent, or leave it empty',
    zh: '请填写 chatflow 或 agent，或留空',
  },
  channel_service_account_invalid: {
    en: 'Key number {line} is not a service account JSON (project_id, client_email and private_key)',
    zh: '第 {line} 个密钥不是合法的服务账号 JSON（需要 project_id、client_email 和 private_key）',
  },
  channel_proxy_password_required: {
    en: 'setting: enter the password of the proxy again, its address has changed',
    zh: 'setting：代理地址已更改，请重新填写代理密码',
  },
  channel_balance_unknown_type: {
    en: 'Channels of this type do not report a balance',
    zh: '尚未实现该类型渠道的余额查询',
  },
  channel_balance_failed: { en: 'Failed to read the balance: {detail}', zh: '查询余额失败：{detail}' },
  channel_balances_running: {
    en: 'An update of all balances is already running',
    zh: '余额更新已在运行中',
  },
  channel_key_required: { en: 'Please fill in the key', zh: '请填写密钥' },
} as const satisfies LocalizedTexts
