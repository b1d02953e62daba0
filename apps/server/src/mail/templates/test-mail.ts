import { html } from '../html.ts'
import { type Message, type MessageFacts, messageOf } from './message.ts'

/** To the operator, to confirm that mail arrives. */
export function testMailMessage({ systemName, language }: MessageFacts): Message {
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: test mail`,
        paragraphs: [html`Hello,`, html`${systemName} can send mail: this is the test that you asked for.`],
      },
      zh: {
        subject: `${systemName}：测试邮件`,
        paragraphs: [html`您好，`, html`${systemName} 可以发送邮件：这是您请求的测试邮件。`],
      },
    },
  )
}
