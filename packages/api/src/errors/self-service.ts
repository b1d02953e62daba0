import type { LocalizedTexts } from './localized-texts.ts'

/** What people do about their own accounts. */
export const selfServiceRefusals = {
  registration_disabled: {
    en: 'The administrator has switched off registration',
    zh: '管理员关闭了新用户注册',
  },
  password_registration_disabled: {
    en: 'The administrator has switched off registration by password: use another way to sign in',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  credentials_missing: {
    en: 'Username and password must not be empty',
    zh: '用户名和密码不能为空',
  },
  username_is_address: {
    en: 'An e-mail address can only be a username when it is your own: choose another',
    zh: '用户名不能是他人的邮箱地址，请更换',
  },
  display_name_invalid: {
    en: 'The display name must have at most {max} characters, all of them visible',
    zh: '显示名称最多 {max} 个字符，且不能包含不可见字符',
  },
  email_and_code_required: {
    en: 'Please enter your e-mail address and the code that was mailed to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  password_wrong: { en: 'The password is wrong', zh: '密码错误' },
  original_password_wrong: {
    en: 'The current password is missing or wrong',
    zh: '原密码为空或错误',
  },
  chat_host_invalid: { en: 'host: not the host of a chat link', zh: 'host：不是聊天链接的主机' },
  chat_hosts_too_many: { en: 'At most {max} hosts can be confirmed', zh: '最多确认 {max} 个主机' },
  root_undeletable: {
    en: 'The account of the super administrator cannot be deleted',
    zh: '不能删除超级管理员账户',
  },
  transfer_below_minimum: {
    en: 'At least {minimum} units of quota can be transferred at once',
    zh: '划转失败，转移额度最小为 {minimum}',
  },
  transfer_exceeds_earnings: {
    en: 'Your invitations have not earned that much',
    zh: '划转失败，邀请额度不足！',
  },
  notify_type_invalid: {
    en: 'The kind of notice must be email or webhook',
    zh: '无效的预警类型',
  },
  quota_warning_threshold_invalid: {
    en: 'The low balance warning must be greater than 0',
    zh: '预警阈值必须大于0',
  },
  webhook_url_missing: { en: 'Please enter the webhook URL', zh: 'Webhook地址不能为空' },
  webhook_url_invalid: {
    en: 'The webhook URL must be an https address without a username in it',
    zh: '无效的Webhook地址，必须是 https 地址',
  },
  webhook_secret_too_long: {
    en: 'The webhook secret must have at most {max} characters',
    zh: 'Webhook 密钥最多 {max} 个字符',
  },
  notification_email_unproven: {
    en: 'The notification address is not that of your account: have a code mailed to it and enter the code',
    zh: '通知邮箱不是您账户的邮箱，请先获取并填写该邮箱的验证码',
  },
} as const satisfies LocalizedTexts
