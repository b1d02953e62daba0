import type { LocalizedTexts } from './localized-texts.ts'

/** Mail, and what is proven by it. */
export const mailRefusals = {
  email_invalid: { en: 'Not an e-mail address: {email}', zh: '无效的邮箱地址：{email}' },
  email_domain_not_allowed: {
    en: 'Addresses of this e-mail domain are not accepted here',
    zh: '管理员启用了邮箱域名白名单，该邮箱域名不被允许',
  },
  email_alias_not_allowed: {
    en: 'E-mail addresses with + or . before the @ are not accepted here',
    zh: '管理员启用了邮箱地址别名限制，邮箱地址中不能包含 + 或 .',
  },
  mail_not_configured: {
    en: 'No mail server is set up here: ask the administrator',
    zh: 'SMTP 服务器未配置，请联系管理员',
  },
  mail_failed: {
    en: 'The mail could not be sent: try again later, or ask the administrator',
    zh: '邮件发送失败，请稍后再试或联系管理员',
  },
  mail_test_failed: { en: 'The mail was not sent: {reason}', zh: '邮件未能发送：{reason}' },
  email_required: { en: 'Please enter an e-mail address', zh: '请输入邮箱地址' },
  mail_too_often: {
    en: 'This address was sent several mails already: try again in {seconds} seconds',
    zh: '发送到该邮箱的邮件过于频繁，请在 {seconds} 秒后再试',
  },
  verification_code_wrong: {
    en: 'The verification code is wrong or has expired: ask for a new one',
    zh: '验证码错误或已过期',
  },
  reset_link_invalid: {
    en: 'The link is not valid or has expired: ask for a new one',
    zh: '重置链接非法或已过期',
  },
  server_address_missing: {
    en: 'The address of this server is not set, so that no link can be mailed: ask the administrator',
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
} as const satisfies LocalizedTexts
