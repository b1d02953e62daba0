import type { Language, SecurityAlert } from '@tollgate/api'
import { html } from '../html.ts'
import { type Message, type MessageFacts, messageOf } from './message.ts'

interface Facts extends MessageFacts {
  readonly username: string
  readonly notice: SecurityAlert
  /** When, as ISO 8601. */
  readonly at: string
  /** The network address of the change. */
  readonly address: string
}

const changes: Readonly<Record<SecurityAlert, Readonly<Record<Language, string>>>> = {
  email: { en: 'The e-mail address was changed', zh: '邮箱地址已更改' },
  password: { en: 'The password was changed', zh: '密码已更改' },
  'second-factor-on': { en: 'Two-factor authentication was switched on', zh: '两步验证已启用' },
  'second-factor-off': { en: 'Two-factor authentication was switched off', zh: '两步验证已停用' },
  'recovery-codes': { en: 'New recovery codes were made', zh: '已生成新的恢复代码' },
  'passkey-added': { en: 'A passkey was added', zh: '已添加通行密钥' },
  'passkey-removed': { en: 'A passkey was removed', zh: '已删除通行密钥' },
  'identity-bound': { en: 'An account at another provider was bound', zh: '已绑定第三方账户' },
  'binding-removed': {
    en: 'A bound account or the e-mail address was removed',
    zh: '已解除第三方账户或邮箱的绑定',
  },
  'access-token': { en: 'A new system access token was made', zh: '已生成新的系统访问令牌' },
}

/** To the owner of an account, at the address from before the change. It has no link: such mails are imitated. */
export function securityAlertMessage({
  systemName,
  username,
  notice,
  at,
  address,
  language,
}: Facts): Message {
  const change = changes[notice]
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: ${change.en}`,
        paragraphs: [
          html`Hello,`,
          html`this is about your account ${username} at ${systemName}. ${change.en}, at ${at}, from the address ${address}.`,
          html`If it was you, there is nothing to do. If not, set a new password, which ends all other sessions and the system
access token, look through your bindings and passkeys, and tell the administrator.`,
        ],
      },
      zh: {
        subject: `${systemName}：${change.zh}`,
        paragraphs: [
          html`您好，`,
          html`您在 ${systemName} 的账户 ${username} 有变更：${change.zh}。时间：${at}，来源地址：${address}。`,
          html`如果是本人操作，请忽略本邮件。如果不是，请立即修改密码（其他会话和系统访问令牌将随之失效），检查绑定的账户和通行密钥，并联系管理员。`,
        ],
      },
    },
  )
}
