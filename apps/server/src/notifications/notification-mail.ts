import { html } from '../mail/html.ts'
import type { Mail } from '../mail/mailer.ts'
import { fillSlots, type Notification } from './notification.ts'

/** The notification as a mail: its paragraphs, with escaped values and working links. */
export function notificationMail({ title, template, values }: Notification, to: string): Mail {
  const paragraphs = template.split('\n').map((paragraph) => html`<p>${paragraph}</p>`.text)
  return { to, subject: title, html: fillSlots(paragraphs.join('\n'), values, writtenValue) }
}

function writtenValue(value: string): string {
  return /^https?:\/\//.test(value) ? html`<a href="${value}">${value}</a>`.text : html`${value}`.text
}
