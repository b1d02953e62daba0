import type { LocalizedTexts } from './localized-texts.ts'

/** Refusals of any call. */
export const commonRefusals = {
  invalid_parameter: {
    en: 'Invalid parameter: {detail}',
    zh: '无效的参数：{detail}',
  },
  field_not_supported: {
    en: '{field} has no effect here, so it is refused: leave it empty',
    zh: '此处不支持 {field}，请将其留空',
  },
  field_written_elsewhere: {
    en: '{field} is named {to} here: write it there, and leave {field} empty',
    zh: '{field} 在此处对应 {to}：请写入 {to}，并将 {field} 留空',
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
    zh: '此接口需要登录会话，不支持访问令牌',
  },
  recent_proof_required: {
    en: 'Confirm that it’s you: by password, code, passkey or provider, or log in again. The confirmation is valid for {minutes} minutes',
    zh: '请先验证您的身份：通过密码、验证码、通行密钥或第三方账户，或重新登录。验证在 {minutes} 分钟内有效',
  },
  signature_invalid: { en: 'The signature of the request is invalid', zh: '请求签名无效' },
  relay_key_invalid: { en: 'The API key cannot be used: {detail}', zh: 'API 令牌不可用：{detail}' },
  relay_key_not_allowed: {
    en: 'The API key cannot be used here: {detail}',
    zh: 'API 令牌不允许在此使用：{detail}',
  },
  user_banned: { en: 'This user is banned', zh: '用户已被封禁' },
  access_token_invalid: { en: 'The access token is invalid', zh: '无权进行此操作，access token 无效' },
  access_token_read_only: {
    en: 'This access token can only read: create one with full access',
    zh: '此访问令牌仅可读取，请创建拥有完整权限的访问令牌',
  },
  view_read_only: {
    en: 'You see the console as another user: nothing can be changed. End the view first',
    zh: '您正在以其他用户的视角查看控制台，无法进行更改。请先结束查看',
  },
  admin_address_not_allowed: {
    en: 'Administrators cannot log in or work from {address}: use an allowed network, or ask the root administrator',
    zh: '管理员不能从 {address} 登录或操作，请使用允许的网络，或联系超级管理员',
  },
  admin_second_factor_required: {
    en: 'Administrators need two-factor authentication here: set it up in your personal settings',
    zh: '本站要求管理员启用两步验证，请在个人设置中启用',
  },
  https_required: {
    en: 'This site requires https: open its https address',
    zh: '本站须通过 https 访问，请打开其 https 地址',
  },
  foreign_origin: {
    en: 'Another site started this call: use the console of this server',
    zh: '请求来自其他站点，请在本站控制台中操作',
  },
  body_too_large: {
    en: 'The request body is too large: at most {max} bytes',
    zh: '请求体过大，最多 {max} 字节',
  },
  permission_denied: { en: 'You don’t have permission to do this', zh: '无权进行此操作，权限不足' },
  admin_part_missing: {
    en: 'Your administrator account does not include this ({parts}): ask the root administrator',
    zh: '您的管理员账户不包含此权限（{parts}），请联系超级管理员',
  },
  record_not_found: { en: 'Record not found', zh: '记录不存在' },
  edit_conflict: {
    en: 'Somebody else has changed this meanwhile: {fields}. Compare both versions and save again',
    zh: '以下内容已被他人修改：{fields}。请对照两个版本后重新保存',
  },
  too_many_requests: { en: 'Too many requests, try again later', zh: '请求次数过多，请稍后再试' },
  internal_error: {
    en: 'Internal server error, contact the administrator',
    zh: '服务器内部错误，请联系管理员',
  },
  database_unavailable: { en: 'The database is unreachable', zh: '数据库连接失败' },
  database_damaged: {
    en: 'The database is damaged. Calls go on and are recorded; the operator has to repair the database',
    zh: '数据库已损坏。调用照常进行并记录在案，请运维人员修复数据库',
  },
  server_stopping: { en: 'The server is stopping, try again shortly', zh: '服务器正在停止，请稍后再试' },
} as const satisfies LocalizedTexts
