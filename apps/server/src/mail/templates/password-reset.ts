import { html } from '../html.ts'
import { type Message, type MessageFacts, messageOf } from './message.ts'

interface Facts extends MessageFacts {
  readonly link: string
  readonly username: string
  readonly minutes: number
}

export function passwordResetMessage({ systemName, link, username, minutes, language }: Facts): Message {
  const anchor = html`<a href="${link}">${link}</a>`
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: reset your password`,
        paragraphs: [
          html`Hello,`,
          html`somebody, perhaps you, asked ${systemName} for a new password for the account ${username}. This link sets
one:`,
          anchor,
          html`It is good for ${minutes} minutes, and once. If you did not ask for it, ignore this mail: your password
stays as it is.`,
        ],
      },
      zh: {
        subject: `${systemName}密码重置`,
        paragraphs: [
          html`您好，`,
          html`您正在为账户 ${username} 重置 ${systemName} 的密码，请点击以下链接：`,
          anchor,
          html`链接 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略本邮件，您的密码不会改变。`,
        ],
      },
    },
  )
}
