import { html } from '../html.ts'
import { type Message, type MessageFacts, messageOf } from './message.ts'

interface Facts extends MessageFacts {
  readonly code: string
  readonly minutes: number
}

/** Proves that a person reads the mail of the address. */
export function verificationCodeMessage({ systemName, code, minutes, language }: Facts): Message {
  const shown = html`<strong style="font-size: 1.5em; letter-spacing: 0.15em">${code}</strong>`
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: your verification code`,
        paragraphs: [
          html`Hello,`,
          html`this code proves to ${systemName} that the address is yours:`,
          shown,
          html`It is good for ${minutes} minutes, and once. If you did not ask for it, ignore this mail.`,
        ],
      },
      zh: {
        subject: `${systemName}邮箱验证邮件`,
        paragraphs: [
          html`您好，`,
          html`您正在进行 ${systemName} 邮箱验证，验证码为：`,
          shown,
          html`验证码 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略本邮件。`,
        ],
      },
    },
  )
}
