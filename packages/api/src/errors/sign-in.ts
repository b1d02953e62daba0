import type { LocalizedTexts } from './localized-texts.ts'

/** Sign-in through others, second factors, passkeys. */
export const signInRefusals = {
  oauth_state_invalid: {
    en: 'state is empty or not same: start the login again in this browser',
    zh: 'state is empty or not same，请在此浏览器中重新登录',
  },
  provider_disabled: {
    en: 'The administrator has not enabled login via {provider}',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  provider_misconfigured: {
    en: 'Login via {provider} is not set up completely, contact the administrator',
    zh: '{provider} 登录配置不完整，请联系管理员',
  },
  provider_unreachable: {
    en: '{provider} could not be asked, try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试',
  },
  provider_refused: {
    en: '{provider} did not confirm the login: {detail}',
    zh: '{provider} 未确认此次登录：{detail}',
  },
  user_deleted: { en: 'This user has been deleted', zh: '用户已注销' },
  new_users_closed: {
    en: 'The administrator has closed registration',
    zh: '管理员关闭了新用户注册',
  },
  email_not_admitted: {
    en: 'New users need a verified e-mail address of an admitted domain; {provider} gave none',
    zh: '新用户需要属于允许域名的已验证邮箱，{provider} 未提供',
  },
  identity_taken: {
    en: 'This {provider} account is already bound to a user',
    zh: '该 {provider} 账户已被绑定',
  },
  identity_not_bound: {
    en: 'This {provider} account is not the one that is bound to you',
    zh: '该 {provider} 账户不是您已绑定的账户',
  },
  email_taken: { en: 'This e-mail address belongs to a user already', zh: '邮箱地址已被占用' },
  wechat_code_invalid: { en: 'The code is wrong or has expired', zh: '验证码错误或已过期' },
  telegram_invalid: { en: 'Invalid request: not signed by Telegram, or too old', zh: '无效的请求' },
  telegram_unbound: { en: 'This Telegram account is not bound to a user', zh: '该 Telegram 账户未绑定' },
  not_bound: { en: 'Nothing of {provider} is bound to your account', zh: '您的账户未绑定 {provider}' },
  last_way_to_sign_in: {
    en: 'This is your last way to sign in: set a password or bind something else first',
    zh: '这是您唯一的登录方式，请先设置密码或绑定其他登录方式',
  },
  second_factor_wrong: { en: 'The code is wrong or was used before', zh: '验证码错误或已被使用' },
  second_factor_blocked: {
    en: 'Too many wrong codes, try again in {minutes} minutes',
    zh: '验证码错误次数过多，请在 {minutes} 分钟后重试',
  },
  second_factor_on: {
    en: 'Two-factor authentication is on already',
    zh: '两步验证已启用',
  },
  second_factor_off: { en: 'Two-factor authentication is off', zh: '两步验证未启用' },
  second_factor_not_begun: {
    en: 'Start the set-up of two-factor authentication again',
    zh: '请重新开始设置两步验证',
  },
  login_expired: { en: 'The login took too long, start again', zh: '登录已超时，请重新登录' },
  passkey_invalid: { en: 'The passkey was not accepted', zh: '通行密钥验证失败' },
  passkey_too_many: {
    en: 'You have {max} passkeys, remove one first',
    zh: '通行密钥最多 {max} 个，请先删除',
  },
  passkey_name_invalid: {
    en: 'The name of a passkey has 1 to {max} characters',
    zh: '通行密钥名称需为 1 至 {max} 个字符',
  },
} as const satisfies LocalizedTexts
