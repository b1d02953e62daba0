import { html } from '../html.ts'
import { type Message, type MessageFacts, messageOf } from './message.ts'

/** To the owner of an address that was entered for another account. The response to that request does not show it. */
export function addressInUseMessage({ systemName, language }: MessageFacts): Message {
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: your address belongs to an account already`,
        paragraphs: [
          html`Hello,`,
          html`somebody, perhaps you, asked ${systemName} for a verification code for this address. It belongs to an
account already, so there is no code: one address is for one account.`,
          html`If it is yours, log in, or have your password reset. If it was deleted, ask the administrator.`,
          html`If you did not ask for a code, ignore this mail.`,
        ],
      },
      zh: {
        subject: `${systemName}：您的邮箱地址已被占用`,
        paragraphs: [
          html`您好，`,
          html`有人（可能是您本人）在 ${systemName} 请求向此邮箱发送验证码。该邮箱已属于一个账户，因此不会发送验证码：一个邮箱只能用于一个账户。`,
          html`如果这是您的账户，请直接登录或重置密码；如果账户已注销，请联系管理员。`,
          html`如果不是本人操作，请忽略本邮件。`,
        ],
      },
    },
  )
}
