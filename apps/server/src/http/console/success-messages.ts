import type { LocalizedTexts } from '@tollgate/api'

/** What is said of a success, by the few calls that say something. */
export const successMessages = {
  setup: { en: 'The system is set up', zh: '系统初始化成功' },
  transferred: { en: 'Transferred to your balance', zh: '划转成功' },
  settingSaved: { en: 'Settings updated', zh: '设置已更新' },
  mailSent: { en: 'The mail server took the mail', zh: '邮件服务器已接收邮件' },
  modelRatiosReset: { en: 'Model ratios are back to the built-in ones', zh: '重置模型倍率成功' },
} as const satisfies LocalizedTexts
