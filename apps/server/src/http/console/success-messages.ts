import { accounts, type Call, type Language, type LocalizedTexts, options, setup } from '@tollgate/api'

/** Messages of the envelope, for the few calls whose success has one. */
const messages = new Map<Call, LocalizedTexts[string]>([
  [setup.run, { en: 'The system is set up', zh: '系统初始化成功' }],
  [accounts.transferInvitationQuota, { en: 'Transferred to your balance', zh: '划转成功' }],
  [accounts.saveNotificationSetting, { en: 'Settings updated', zh: '设置已更新' }],
  [options.testMail, { en: 'The mail server took the mail', zh: '邮件服务器已接收邮件' }],
  [options.resetModelRatio, { en: 'Model ratios are back to the built-in ones', zh: '重置模型倍率成功' }],
])

/** The message of a successful call; empty for most. */
export function successMessage(call: Call, language: Language): string {
  return messages.get(call)?.[language] ?? ''
}
